package dev.oncegate.gateway.http;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The listener on which tenants' clients arrive; one per event loop, sharing the port. */
public final class GatewayServer {
  private final HttpServer server;

  private GatewayServer(HttpServer server) {
    this.server = server;
  }

  /** Starts to listen; fails where the address is taken or the certificate cannot be read. */
  public static Future<GatewayServer> listen(Vertx vertx, Listener listener, GatewayParts parts) {
    GatewayHandler handler = new GatewayHandler(parts);
    HttpServer server =
        vertx
            .createHttpServer(listener.options(parts.limits()))
            .requestHandler(handler)
            .invalidRequestHandler(handler::invalid)
            // Clients that reset or speak no HTTP at all: not ours to log, one line per scanner.
            .exceptionHandler(connection -> {});
    return server.listen().map(GatewayServer::new);
  }

  /** The port that was given by the system where none was asked for. */
  public int port() {
    return server.actualPort();
  }

  /**
   * Takes no new connections and lets running requests end.
   *
   * @param longest after this they are cut
   */
  public Future<Void> drain(Duration longest) {
    return server.shutdown(longest.toMillis(), TimeUnit.MILLISECONDS);
  }
}
