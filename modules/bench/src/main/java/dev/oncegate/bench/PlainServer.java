package dev.oncegate.bench;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What Oncegate is compared with: a plain handler that reads the body of a request, throws it away,
 * and holds the request until it is told to answer.
 */
final class PlainServer implements AutoCloseable {
  private static final int IDLE_SECONDS = 120;
  private static final String BODY = "{\"id\":\"ch_1\",\"amount\":\"1.00\"}";

  private final Context loop;
  private final HttpServer server;
  private final List<HttpServerRequest> held = new ArrayList<>();
  private final AtomicInteger waiting = new AtomicInteger();

  PlainServer(Vertx vertx) {
    loop = Loops.next(vertx);
    server =
        Loops.on(
            loop,
            () ->
                vertx
                    .createHttpServer(
                        new HttpServerOptions()
                            .setIdleTimeout(IDLE_SECONDS)
                            .setHttp2ClearTextEnabled(false)
                            .setHandle100ContinueAutomatically(false))
                    .requestHandler(this::hold)
                    .listen(0, "127.0.0.1"));
  }

  private void hold(HttpServerRequest request) {
    request.handler(part -> {});
    request.endHandler(
        end -> {
          held.add(request);
          waiting.incrementAndGet();
        });
    request.response().closeHandler(gone -> {});
  }

  int port() {
    return server.actualPort();
  }

  int waiting() {
    return waiting.get();
  }

  void answerAll() {
    loop.runOnContext(
        go -> {
          held.forEach(
              request ->
                  request
                      .response()
                      .setStatusCode(201)
                      .putHeader("Content-Type", "application/json")
                      .end(BODY));
          held.clear();
          waiting.set(0);
        });
  }

  @Override
  public void close() {
    Loops.on(loop, () -> server.close().compose(closed -> Future.succeededFuture()));
  }
}
