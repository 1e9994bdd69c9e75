package dev.oncegate.gateway.http;

import dev.oncegate.core.TenantPolicy;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The {@code upstream} of tenants.yaml in the words of the client library. */
final class UpstreamOptions {
  /** An answer's head may be larger than the client library's 8 KiB, as a request's may. */
  private static final int MAX_HEADER_BYTES = 64 * 1024;

  private static final int PROBE_CONNECTIONS = 8;
  private static final int PROBE_QUEUE = 64;

  private UpstreamOptions() {}

  static HttpClientOptions client(TenantPolicy tenant) {
    TenantPolicy.Upstream upstream = tenant.upstream();
    int connect = Math.toIntExact(upstream.timeouts().connect().toMillis());
    int idle = Math.max(1, (int) upstream.pool().idleTimeout().toSeconds());
    boolean http2 = upstream.tls() && upstream.pool().http2();
    HttpClientOptions options =
        new HttpClientOptions()
            .setProtocolVersion(http2 ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1)
            .setUseAlpn(http2)
            .setHttp2ClearTextUpgrade(false)
            .setPipelining(false)
            .setMaxRedirects(0)
            .setDecompressionSupported(false)
            .setMaxHeaderSize(MAX_HEADER_BYTES)
            .setInitialSettings(new Http2Settings().setMaxHeaderListSize(MAX_HEADER_BYTES))
            .setConnectTimeout(connect)
            .setSslHandshakeTimeout(connect)
            .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
            .setKeepAliveTimeout(idle)
            .setHttp2KeepAliveTimeout(idle);
    if (http2) {
      options.setAlpnVersions(List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1));
    }
    upstream.tlsSettings().ifPresent(tls -> secure(options, tls));
    return options;
  }

  private static void secure(HttpClientOptions options, TenantPolicy.TlsSettings tls) {
    options.setVerifyHost(tls.verifyHost());
    // By itself the library names no server whose name has no dot.
    options.setForceSni(tls.serverName().isPresent());
    tls.ca().ifPresent(ca -> options.setTrustOptions(new PemTrustOptions().addCertPath(ca)));
    tls.client()
        .ifPresent(
            client ->
                options.setKeyCertOptions(
                    new PemKeyCertOptions()
                        .addCertPath(client.certificate())
                        .addKeyValue(Buffer.buffer(client.key()))));
  }

  static PoolOptions pool(TenantPolicy.Pool pool) {
    return new PoolOptions()
        .setHttp1MaxSize(pool.maxConnections())
        .setHttp2MaxSize(pool.maxConnections())
        .setMaxWaitQueueSize(pool.maxWaitQueue());
  }

  /** Beside {@code pool} of tenants.yaml, and for no more questions than a node asks at a time. */
  static PoolOptions probePool() {
    return new PoolOptions()
        .setHttp1MaxSize(PROBE_CONNECTIONS)
        .setHttp2MaxSize(1)
        .setMaxWaitQueueSize(PROBE_QUEUE);
  }

  /**
   * Where a request goes. The library's timer covers waiting for a connection and opening one
   * alike, so it gets the sum of {@code poolWait} and {@code connect}; opening has its own bound.
   *
   * @param target path and query below the upstream's base path
   */
  static RequestOptions request(TenantPolicy tenant, String method, String target) {
    TenantPolicy.Upstream upstream = tenant.upstream();
    return new RequestOptions()
        .setMethod(HttpMethod.valueOf(method))
        .setSsl(upstream.tls())
        .setServer(SocketAddress.inetSocketAddress(upstream.port(), upstream.host()))
        .setHost(serverName(upstream).orElse(upstream.host()))
        .setPort(upstream.port())
        .setURI(upstream.basePath() + target)
        .setFollowRedirects(false)
        .setConnectTimeout(connectionWait(upstream.timeouts()));
  }

  /** The name that is verified is not the one that is asked for: the latter is baseUrl's. */
  static void nameHost(TenantPolicy tenant, HttpClientRequest out) {
    TenantPolicy.Upstream upstream = tenant.upstream();
    if (serverName(upstream).isPresent()) {
      out.authority(HostAndPort.create(upstream.host(), upstream.port()));
    }
  }

  private static Optional<String> serverName(TenantPolicy.Upstream upstream) {
    return upstream.tlsSettings().flatMap(TenantPolicy.TlsSettings::serverName);
  }

  /** Longest wait for a connection, in milliseconds. */
  private static long connectionWait(TenantPolicy.Timeouts timeouts) {
    return Math.max(1, timeouts.poolWait().plus(timeouts.connect()).toMillis());
  }
}
