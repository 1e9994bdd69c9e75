package dev.oncegate.bench;

import dev.oncegate.core.Fingerprints;
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
import dev.oncegate.engine.port.RunningWinners;
import dev.oncegate.engine.port.WaiterBus;
import dev.oncegate.gateway.http.GatewayLimits;
import dev.oncegate.gateway.http.GatewayParts;
import dev.oncegate.gateway.http.GatewayServer;
import dev.oncegate.gateway.http.HttpUpstream;
import dev.oncegate.gateway.http.Listener;
import dev.oncegate.gateway.http.UpstreamClients;
import dev.oncegate.gateway.http.VertxTime;
import dev.oncegate.testkit.InMemoryPolicyArchive;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One event loop of the gateway as the app wires it, over a store of the caller's. */
final class Gateway {
  private final GatewayServer server;
  private final UpstreamClients clients;

  private final IdempotencyEngine engine;

  private Gateway(GatewayServer server, UpstreamClients clients, IdempotencyEngine engine) {
    this.server = server;
    this.clients = clients;
    this.engine = engine;
  }

  /**
   * What differs from one gateway to another.
   *
   * @param owner address of its claims
   */
  record Setup(
      RecordStore store,
      String owner,
      WaiterBus bus,
      EngineEvents events,
      List<TenantPolicy> tenants) {}

  /** Listens; to be called on the loop that it is to have. */
  static Future<Gateway> start(Vertx vertx, Context context, Setup setup) {
    VertxTime time = new VertxTime(vertx);
    UpstreamClients clients = new UpstreamClients(vertx);
    KeyRing keys = new KeyRing(KeyRing.Secret.of(new byte[32]), List.of());
    PolicyVersions policies =
        new PolicyVersions(
            new InMemoryPolicyArchive(),
            (version, document) -> {
              throw new IllegalStateException("nothing was archived");
            });
    policies.serve(setup.tenants());
    IdempotencyEngine engine =
        new IdempotencyEngine(
            new IdempotencyEngine.Parts(
                setup.store(),
                new HttpUpstream(clients, time),
                keys,
                new UpstreamKeys(keys, reference -> Optional.empty()),
                policies,
                time,
                setup.events(),
                Failpoints.NONE,
                setup.owner(),
                setup.bus(),
                new WaiterCounts()));
    GatewayParts parts =
        new GatewayParts(
            setup::tenants,
            engine,
            clients,
            setup.events(),
            new RequestFingerprints(Fingerprints.production(), keys, policies),
            time,
            Clock.systemUTC(),
            () -> false,
            GatewayLimits.BUILT_IN,
            context);
    return GatewayServer.listen(vertx, Listener.plain("127.0.0.1", 0), parts)
        .map(server -> new Gateway(server, clients, engine));
  }

  RunningWinners winners() {
    return engine.winners();
  }

  int port() {
    return server.port();
  }

  Future<Void> stop() {
    return server.drain(Duration.ZERO).eventually(clients::close);
  }
}
