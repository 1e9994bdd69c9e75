package dev.oncegate.gateway.http;

import dev.oncegate.core.TenantPolicy;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * One bounded HTTP client per tenant, shared by name between the gateways of a process, so that the
 * pool's limit is the tenant's. Used by one event loop; closed after its last exchange.
 */
public final class UpstreamClients {
  /** An answer's head may be larger than the client library's 8 KiB, as a request's may. */
  private static final int MAX_HEADER_BYTES = 64 * 1024;

  private final Vertx vertx;
  private final Map<String, Named> clients = new HashMap<>();

  public UpstreamClients(Vertx vertx) {
    this.vertx = vertx;
  }

  private record Named(TenantPolicy.Upstream upstream, HttpClient client) {}

  /** The tenant's client; a new one once the tenant's upstream has changed. */
  HttpClient of(TenantPolicy tenant) {
    Named known = clients.get(tenant.id());
    if (known != null && known.upstream().equals(tenant.upstream())) {
      return known.client();
    }
    Named fresh = new Named(tenant.upstream(), open(tenant));
    clients.put(tenant.id(), fresh);
    if (known != null) {
      // Running exchanges end at abandon at the latest; the old client must not cut them.
      long abandon = known.upstream().timeouts().abandon().toMillis();
      known.client().shutdown(abandon + 1_000, TimeUnit.MILLISECONDS);
    }
    return fresh.client();
  }

  /** Closes every client at once: to be called when no exchange runs any more. */
  public Future<Void> close() {
    Future<?>[] closing =
        clients.values().stream().map(c -> c.client().close()).toArray(Future[]::new);
    clients.clear();
    return Future.join(java.util.List.of(closing)).mapEmpty();
  }

  private HttpClient open(TenantPolicy tenant) {
    TenantPolicy.Upstream upstream = tenant.upstream();
    int connect = Math.toIntExact(upstream.timeouts().connect().toMillis());
    HttpClientOptions options =
        new HttpClientOptions()
            .setProtocolVersion(HttpVersion.HTTP_1_1)
            .setHttp2ClearTextUpgrade(false)
            .setPipelining(false)
            .setMaxRedirects(0)
            .setDecompressionSupported(false)
            .setMaxHeaderSize(MAX_HEADER_BYTES)
            .setConnectTimeout(connect)
            .setSslHandshakeTimeout(connect)
            .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
            .setKeepAliveTimeout(Math.max(1, (int) upstream.pool().idleTimeout().toSeconds()))
            .setMetricsName(tenant.id())
            // Another upstream under the same name would silently get the old one's pool.
            .setName(tenant.id() + "/" + Integer.toHexString(upstream.hashCode()))
            .setShared(true);
    PoolOptions pool =
        new PoolOptions()
            .setHttp1MaxSize(upstream.pool().maxConnections())
            .setMaxWaitQueueSize(upstream.pool().maxWaitQueue());
    return vertx.createHttpClient(options, pool);
  }
}
