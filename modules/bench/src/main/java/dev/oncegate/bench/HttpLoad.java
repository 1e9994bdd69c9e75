package dev.oncegate.bench;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;

/** Connections that each carry one request with a new key at a time. */
final class HttpLoad {
  private final Deque<Connection> idle = new ArrayDeque<>();

  /** Held: a client that nobody holds is closed, with its connections. */
  private final NetClient client;

  private HttpLoad(NetClient client) {
    this.client = client;
  }

  /** Connects; to be called, as all here, on the loop that the load runs on. */
  static Future<HttpLoad> connect(Vertx vertx, int port, int connections) {
    HttpLoad load = new HttpLoad(vertx.createNetClient());
    List<Future<?>> made = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      made.add(
          load.client
              .connect(port, "127.0.0.1")
              .onSuccess(socket -> load.idle.add(new Connection(socket))));
    }
    return Future.all(made).map(load);
  }

  Future<Void> execute() {
    Connection connection = idle.remove();
    return connection.ask().onComplete(answered -> idle.add(connection));
  }

  Future<Void> close() {
    return client.close();
  }

  /** One keep-alive connection. */
  private static final class Connection {
    private static final String BODY = "{\"amount\":100,\"currency\":\"EUR\"}";

    private final NetSocket socket;
    private Promise<Void> asked = Promise.promise();
    private String status = "";

    Connection(NetSocket socket) {
      this.socket = socket;
      HttpFrames frames = new HttpFrames(this::answered);
      socket.handler(
          bytes -> {
            if (bytes.length() > 12 && bytes.getString(0, 5).equals("HTTP/")) {
              status = bytes.getString(9, 12);
            }
            frames.handle(bytes);
          });
      socket.closeHandler(gone -> asked.tryFail("the gateway closed the connection"));
    }

    Future<Void> ask() {
      asked = Promise.promise();
      socket
          .write(
              Buffer.buffer(
                  "POST /charges HTTP/1.1\r\nHost: acme.example\r\nIdempotency-Key: "
                      + UUID.randomUUID()
                      + "\r\nContent-Type: application/json\r\nContent-Length: "
                      + BODY.length()
                      + "\r\n\r\n"
                      + BODY))
          .onFailure(asked::tryFail);
      return asked.future();
    }

    private void answered() {
      if (status.equals("201")) {
        asked.tryComplete();
      } else {
        asked.tryFail("answered with " + status);
      }
    }
  }
}
