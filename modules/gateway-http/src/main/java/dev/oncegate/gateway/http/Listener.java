package dev.oncegate.gateway.http;

import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Where tenants' clients come in.
 *
 * @param port 0: one that the system chooses; -1: the same, shared by all listeners that ask so
 * @param tls empty: clear text
 * @param clearTextHttp2 whether HTTP/2 is taken without TLS, by prior knowledge or upgrade. Over
 *     TLS it is always offered by ALPN
 */
public record Listener(String host, int port, Optional<Tls> tls, boolean clearTextHttp2) {
  /** RFC 9113 §10.5: streams that a client opens and resets are work that nobody waits for. */
  private static final int RESETS = 200;

  private static final int RESET_SECONDS = 30;

  /** What the gateway shows of itself: paths of PEM files, the certificate with its chain. */
  public record Tls(String certificate, String key) {}

  /** Clear text, HTTP/1.1 alone. */
  public static Listener plain(String host, int port) {
    return new Listener(host, port, Optional.empty(), false);
  }

  HttpServerOptions options(GatewayLimits limits) {
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(host)
            .setPort(port)
            .setMaxHeaderSize(limits.maxHeaderBytes())
            .setMaxInitialLineLength(limits.maxRequestLine())
            .setIdleTimeout(Math.toIntExact(limits.idle().toMillis()))
            .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
            .setHttp2ClearTextEnabled(clearTextHttp2)
            .setHttp2RstFloodMaxRstFramePerWindow(RESETS)
            .setHttp2RstFloodWindowDuration(RESET_SECONDS)
            .setHttp2RstFloodWindowDurationTimeUnit(TimeUnit.SECONDS)
            .setCompressionSupported(false)
            // Bodies are decoded under a cap, for the fingerprint only, and forwarded as they came.
            .setDecompressionSupported(false)
            // 100 is said once key and length are judged.
            .setHandle100ContinueAutomatically(false);
    options.setInitialSettings(
        new Http2Settings(options.getInitialSettings())
            .setMaxHeaderListSize(limits.maxHeaderBytes()));
    tls.ifPresent(
        own ->
            options
                .setSsl(true)
                .setUseAlpn(true)
                .setKeyCertOptions(
                    new PemKeyCertOptions().addCertPath(own.certificate()).addKeyPath(own.key())));
    return options;
  }
}
