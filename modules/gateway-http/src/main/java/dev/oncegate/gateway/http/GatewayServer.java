package dev.oncegate.gateway.http;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The listener on which tenants' clients arrive; one per event loop, sharing the port. */
public final class GatewayServer {
  private final HttpServer server;

  private GatewayServer(HttpServer server) {
    this.server = server;
  }

  /**
   * Starts to listen.
   *
   * @param base host, port, TLS; what the limits and the contract demand is set here
   */
  public static Future<GatewayServer> listen(
      Vertx vertx, HttpServerOptions base, GatewayParts parts) {
    GatewayHandler handler = new GatewayHandler(parts);
    HttpServer server =
        vertx
            .createHttpServer(options(base, parts.limits()))
            .requestHandler(handler)
            .invalidRequestHandler(handler::invalid)
            // Clients that reset or speak no HTTP at all: not ours to log, one line per scanner.
            .exceptionHandler(connection -> {});
    return server.listen().map(GatewayServer::new);
  }

  private static HttpServerOptions options(HttpServerOptions base, GatewayLimits limits) {
    return new HttpServerOptions(base)
        .setMaxHeaderSize(limits.maxHeaderBytes())
        .setMaxInitialLineLength(limits.maxRequestLine())
        .setIdleTimeout(Math.toIntExact(limits.idle().toMillis()))
        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
        .setHttp2ClearTextEnabled(false)
        .setCompressionSupported(false)
        // Bodies are decoded under a cap, for the fingerprint only, and forwarded as they came.
        .setDecompressionSupported(false)
        // 100 is said once key and length are judged.
        .setHandle100ContinueAutomatically(false);
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
