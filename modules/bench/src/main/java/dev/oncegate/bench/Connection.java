package dev.oncegate.bench;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;

/** One keep-alive connection of a client, with one request at a time. */
final class Connection {
  private static final String BODY = "{\"amount\":100,\"currency\":\"EUR\"}";

  private final NetSocket socket;
  private Promise<Answered> asked = Promise.promise();
  private long firstByte;

  private Connection(NetSocket socket) {
    this.socket = socket;
    HttpFrames frames = new HttpFrames(this::answered);
    socket.handler(
        bytes -> {
          if (firstByte == 0) {
            firstByte = System.nanoTime();
          }
          frames.handle(bytes);
        });
    socket.closeHandler(gone -> asked.tryFail("the gateway closed the connection"));
  }

  static Future<Connection> open(NetClient client, int port) {
    return client.connect(port, "127.0.0.1").map(Connection::new);
  }

  /**
   * An answer.
   *
   * @param replayed whether it says that it was stored
   * @param firstByte monotonic time at which its first byte was there
   */
  record Answered(String status, boolean replayed, long firstByte) {}

  /** Sends a charge; fails where the connection ends before it is answered. */
  Future<Answered> charge(String tenant, String key) {
    return charge(tenant, key, BODY);
  }

  Future<Answered> charge(String tenant, String key, String body) {
    asked = Promise.promise();
    firstByte = 0;
    socket
        .write(
            Buffer.buffer(
                "POST /charges HTTP/1.1\r\nHost: "
                    + tenant
                    + ".example\r\nIdempotency-Key: "
                    + key
                    + "\r\nContent-Type: application/json\r\nContent-Length: "
                    + body.length()
                    + "\r\n\r\n"
                    + body))
        .onFailure(asked::tryFail);
    return asked.future();
  }

  Future<Void> close() {
    return socket.close();
  }

  private void answered(String head) {
    asked.tryComplete(
        new Answered(
            head.substring(9, 12), head.contains("\r\nIdempotency-Replayed: true\r\n"), firstByte));
  }
}
