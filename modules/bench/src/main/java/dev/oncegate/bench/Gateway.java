package dev.oncegate.bench;

import dev.oncegate.core.Fingerprints;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.IdempotencyEngine;
import dev.oncegate.engine.KeyRing;
import dev.oncegate.engine.PolicyVersions;
import dev.oncegate.engine.RequestFingerprints;
import dev.oncegate.engine.UpstreamKeys;
import dev.oncegate.engine.WaiterCounts;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.Failpoints;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.gateway.http.GatewayLimits;
import dev.oncegate.gateway.http.GatewayParts;
import dev.oncegate.gateway.http.GatewayServer;
import dev.oncegate.gateway.http.HttpUpstream;
import dev.oncegate.gateway.http.Listener;
import dev.oncegate.gateway.http.UpstreamClients;
import dev.oncegate.gateway.http.VertxTime;
import dev.oncegate.testkit.InMemoryPolicyArchive;
import dev.oncegate.testkit.NoBus;
import dev.oncegate.testkit.SamplePolicies;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One event loop of the gateway as the app wires it, over a store of the caller's. */
final class Gateway {
  private final GatewayServer server;
  private final UpstreamClients clients;

  private Gateway(GatewayServer server, UpstreamClients clients) {
    this.server = server;
    this.clients = clients;
  }

  /** Listens; to be called on the loop that it is to have. */
  static Future<Gateway> start(
      Vertx vertx, Context context, RecordStore store, int upstreamPort, int connections) {
    VertxTime time = new VertxTime(vertx);
    UpstreamClients clients = new UpstreamClients(vertx);
    KeyRing keys = new KeyRing(KeyRing.Secret.of(new byte[32]), List.of());
    PolicyVersions policies =
        new PolicyVersions(
            new InMemoryPolicyArchive(),
            (version, document) -> {
              throw new IllegalStateException("nothing was archived");
            });
    EngineEvents events = new LoggedTrouble();
    List<TenantPolicy> tenants = List.of(tenant(upstreamPort, connections));
    policies.serve(tenants);
    IdempotencyEngine engine =
        new IdempotencyEngine(
            new IdempotencyEngine.Parts(
                store,
                new HttpUpstream(clients, time),
                keys,
                new UpstreamKeys(keys, reference -> Optional.empty()),
                policies,
                time,
                events,
                Failpoints.NONE,
                "bench",
                new NoBus(),
                new WaiterCounts()));
    GatewayParts parts =
        new GatewayParts(
            () -> tenants,
            engine,
            clients,
            events,
            new RequestFingerprints(Fingerprints.production(), keys, policies),
            time,
            Clock.systemUTC(),
            () -> false,
            GatewayLimits.BUILT_IN,
            context);
    return GatewayServer.listen(vertx, Listener.plain("127.0.0.1", 0), parts)
        .map(server -> new Gateway(server, clients));
  }

  int port() {
    return server.port();
  }

  Future<Void> stop() {
    return server.drain(Duration.ZERO).eventually(clients::close);
  }

  private static TenantPolicy tenant(int upstreamPort, int connections) {
    RoutePolicy route =
        SamplePolicies.keyed("create-charge", "POST", "/charges", SamplePolicies.protocol());
    TenantPolicy sample = SamplePolicies.tenant("acme", upstreamPort, route);
    TenantPolicy.Upstream upstream = sample.upstream();
    return new TenantPolicy(
        sample.id(),
        sample.matches(),
        sample.principal(),
        new TenantPolicy.Upstream(
            false,
            upstream.host(),
            upstream.port(),
            "",
            upstream.timeouts(),
            new TenantPolicy.Pool(connections, connections, Duration.ofMinutes(1))),
        sample.unmatched(),
        sample.routes());
  }

  /** What should not happen under load. */
  private static final class LoggedTrouble implements EngineEvents {
    private static final Logger LOG = LoggerFactory.getLogger(LoggedTrouble.class);

    @Override
    public void storeFailed(String operation, Throwable cause) {
      LOG.warn("the store failed to {}: {}", operation, cause.toString());
    }

    @Override
    public void markedUnknown(String tenant, String route, RecordId id, String reason) {
      LOG.warn("marked unknown: {}", reason);
    }

    @Override
    public void broken(String tenant, String route, Throwable cause) {
      LOG.warn("broken", cause);
    }
  }
}
