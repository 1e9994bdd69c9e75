package dev.oncegate.bench;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;

/** A trivial upstream: it answers each charge at once, or when it is told to. */
final class Charges {
  private static final String KEY = "\r\nidempotency-key:";

  private static final Buffer CREATED =
      Buffer.buffer(
          "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nLocation: /charges/ch_1\r\n"
              + "Content-Length: 29\r\n\r\n{\"id\":\"ch_1\",\"amount\":\"1.00\"}");

  private final ConcurrentHashMap<String, Promise<Runnable>> held = new ConcurrentHashMap<>();
  private final NetServer server;

  private Charges(Vertx vertx, boolean holding) {
    server =
        vertx
            .createNetServer()
            .connectHandler(
                socket ->
                    socket.handler(
                        new HttpFrames(
                            head -> {
                              if (holding) {
                                hold(socket, head);
                              } else {
                                socket.write(CREATED);
                              }
                            })));
  }

  static Future<Charges> answering(Vertx vertx) {
    return listen(new Charges(vertx, false));
  }

  static Future<Charges> holding(Vertx vertx) {
    return listen(new Charges(vertx, true));
  }

  private static Future<Charges> listen(Charges charges) {
    return charges.server.listen(0, "127.0.0.1").map(charges);
  }

  int port() {
    return server.actualPort();
  }

  /** Completes when the charge with that key is there, with what answers it. */
  Future<Runnable> arrival(String key) {
    return charge(key).future();
  }

  private void hold(NetSocket socket, String head) {
    String key = keyOf(head);
    charge(key)
        .complete(
            () -> {
              held.remove(key);
              socket.write(CREATED);
            });
  }

  private Promise<Runnable> charge(String key) {
    return held.computeIfAbsent(key, k -> Promise.promise());
  }

  private static String keyOf(String head) {
    int from = head.toLowerCase(Locale.ROOT).indexOf(KEY) + KEY.length();
    return head.substring(from, head.indexOf("\r\n", from)).strip();
  }

  Future<Void> close() {
    return server.close();
  }
}
