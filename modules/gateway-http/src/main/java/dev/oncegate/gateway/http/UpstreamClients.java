package dev.oncegate.gateway.http;

import dev.oncegate.core.TenantPolicy;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * One bounded HTTP client per tenant for the whole process: {@code pool} in tenants.yaml counts per
 * node, however many event loops send. A connection made by one loop serves the requests of all;
 * what comes back is handed to the loop that asked. Closed after the last exchange of all loops.
 *
 * <p>The clients are not "shared" ones of Vert.x: those close at once with their last user, even
 * where a time to shut down is given, which would cut the exchanges that still run after a reload.
 */
public final class UpstreamClients {
  private final Vertx vertx;

  /**
   * What is made on a verticle's context closes with that verticle, and the others' exchanges with
   * it. This context belongs to nobody.
   */
  private final ContextInternal home;

  private final Map<String, Named> clients = new ConcurrentHashMap<>();

  /** Highest stream that an upstream has looked at, by connection that it is leaving. */
  private final Map<HttpConnection, Integer> leaving =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final boolean probes;

  /** Clients for traffic. */
  public UpstreamClients(Vertx vertx) {
    this(vertx, false);
  }

  private UpstreamClients(Vertx vertx, boolean probes) {
    this.vertx = vertx;
    this.home = ((VertxInternal) vertx).createEventLoopContext();
    this.probes = probes;
  }

  /** Clients for questions: few connections, which traffic never takes. */
  public static UpstreamClients forProbes(Vertx vertx) {
    return new UpstreamClients(vertx, true);
  }

  private record Named(TenantPolicy.Upstream upstream, HttpClient client) {}

  /** The tenant's client; a new one once the tenant's upstream has changed. */
  HttpClient of(TenantPolicy tenant) {
    Named known = clients.get(tenant.id());
    if (known != null && known.upstream().equals(tenant.upstream())) {
      return known.client();
    }
    return clients
        .compute(
            tenant.id(),
            (id, other) -> {
              if (other != null && other.upstream().equals(tenant.upstream())) {
                return other;
              }
              Named fresh = new Named(tenant.upstream(), open(tenant));
              if (other != null) {
                retire(other);
              }
              return fresh;
            })
        .client();
  }

  private static void retire(Named old) {
    // Running exchanges end at abandon at the latest; the old client must not cut them.
    long abandon = old.upstream().timeouts().abandon().toMillis();
    old.client().shutdown(abandon + 1_000, TimeUnit.MILLISECONDS);
  }

  /**
   * To be called before a request is sent: remembers what the upstream says when it leaves. Only a
   * GOAWAY that comes counts; one that we send speaks of the upstream's streams and not of ours.
   */
  void watch(HttpClientRequest out) {
    if (out.version() == HttpVersion.HTTP_2) {
      HttpConnection connection = out.connection();
      connection.goAwayHandler(goAway -> leaving.put(connection, goAway.getLastStreamId()));
    }
  }

  /**
   * Whether an upstream that is leaving a connection has said that it never looked at a stream of
   * it (GOAWAY, RFC 9113 §6.8).
   */
  boolean wasIgnored(HttpConnection connection, int stream) {
    Integer lastSeen = leaving.get(connection);
    return lastSeen != null && stream > lastSeen;
  }

  /** Closes every client at once: to be called when no exchange runs any more. */
  public Future<Void> close() {
    List<Future<Void>> closing =
        clients.values().stream().map(named -> named.client().close()).toList();
    clients.clear();
    return Future.join(closing).mapEmpty();
  }

  private HttpClient open(TenantPolicy tenant) {
    ContextInternal callers = home.beginDispatch();
    try {
      return vertx
          .httpClientBuilder()
          .with(
              UpstreamOptions.client(tenant)
                  .setMetricsName(probes ? tenant.id() + ".probes" : tenant.id()))
          .with(
              probes ? UpstreamOptions.probePool() : UpstreamOptions.pool(tenant.upstream().pool()))
          .build();
    } finally {
      home.endDispatch(callers);
    }
  }
}
