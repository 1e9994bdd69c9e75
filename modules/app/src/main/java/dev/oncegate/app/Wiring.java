package dev.oncegate.app;

import dev.oncegate.app.config.GatewayConfig;
import dev.oncegate.core.Fingerprints;
import dev.oncegate.engine.Audit;
import dev.oncegate.engine.IdempotencyEngine;
import dev.oncegate.engine.Interview;
import dev.oncegate.engine.KeyRing;
import dev.oncegate.engine.PolicyVersions;
import dev.oncegate.engine.ProbeInterview;
import dev.oncegate.engine.ProbeLimits;
import dev.oncegate.engine.Reconciler;
import dev.oncegate.engine.RequestFingerprints;
import dev.oncegate.engine.Resolution;
import dev.oncegate.engine.Sweeper;
import dev.oncegate.engine.Upkeep;
import dev.oncegate.engine.UpstreamKeys;
import dev.oncegate.engine.WaiterCounts;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.Failpoints;
import dev.oncegate.engine.port.PolicyArchive.ArchivedPolicy;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.engine.port.RecordUpkeep.Book;
import dev.oncegate.engine.port.TenantDirectory;
import dev.oncegate.gateway.http.GatewayParts;
import dev.oncegate.gateway.http.GatewayServer;
import dev.oncegate.gateway.http.HttpProber;
import dev.oncegate.gateway.http.HttpUpstream;
import dev.oncegate.gateway.http.Listener;
import dev.oncegate.gateway.http.UpstreamClients;
import dev.oncegate.gateway.http.VertxTime;
import dev.oncegate.ops.AdminToken;
import dev.oncegate.ops.HealthChecks;
import dev.oncegate.ops.OpsApi;
import dev.oncegate.parking.eventbus.Buses;
import dev.oncegate.store.postgres.PgPolicyArchive;
import dev.oncegate.store.postgres.PgRecordStore;
import dev.oncegate.store.postgres.PgUpkeep;
import dev.oncegate.tenants.KeptSecrets;
import dev.oncegate.tenants.ProtocolDocument;
import dev.oncegate.tenants.SecretResolver;
import dev.oncegate.tenants.SecretValues;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The composition root: the only file that makes adapters and puts them together. */
final class Wiring {
  private final GatewayConfig config;
  private final PgConnectOptions postgres;
  private final TenantDirectory tenants;
  private final KeyRing keys;
  private final EngineEvents events;
  private final PgPolicyArchive archive;
  private final PolicyVersions policies;
  private final SecretValues secrets;
  private final UpstreamKeys upstreamKeys;
  private final Failpoints failpoints;
  private final Buses buses;
  private final WaiterCounts waiters = new WaiterCounts();
  private final PgUpkeep upkeep;
  private volatile Supplier<Future<Void>> closeProbes = Future::succeededFuture;
  private final AtomicBoolean draining = new AtomicBoolean();
  private final List<PgRecordStore> stores = new CopyOnWriteArrayList<>();
  private final AtomicReference<@Nullable UpstreamClients> upstreams = new AtomicReference<>();

  /** Random per start and stored nowhere: a restarted node is never taken for its predecessor. */
  private final String process = HexFormat.of().formatHex(new SecureRandom().generateSeed(8));

  Wiring(
      Vertx vertx,
      GatewayConfig config,
      Database database,
      TenantDirectory tenants,
      KeptSecrets kept,
      EngineEvents events,
      Buses buses) {
    this.config = config;
    this.buses = buses;
    this.postgres = database.options();
    this.tenants = tenants;
    this.keys = database.keys();
    this.events = events;
    this.archive = PgPolicyArchive.open(vertx, postgres, config.store().patience());
    this.policies = new PolicyVersions(archive, ProtocolDocument::parse);
    this.secrets = new SecretValues(vertx, () -> kept, SecretResolver.system());
    this.upstreamKeys = new UpstreamKeys(keys, secrets::derivation);
    this.failpoints = FailpointsOfTests.of(vertx, System.getProperty(FailpointsOfTests.PROPERTY));
    this.upkeep = PgUpkeep.open(vertx, postgres, System::nanoTime);
  }

  /**
   * Keeps policies before anything is claimed under them, or a record could outlive what it is
   * judged by. Blocks.
   */
  void keep(List<ArchivedPolicy> current) {
    try {
      archive.remember(current).await();
    } catch (RecordStore.StoreUnavailable e) {
      throw StartFailure.unreachable("the policies cannot be kept in Postgres", e);
    }
    policies.serve(tenants.tenants());
  }

  /** From now on not ready, and no keyed request is admitted. */
  void drain() {
    draining.set(true);
  }

  /** Longest wait for running exchanges. */
  Duration drainLimit() {
    return config.drain();
  }

  /** One event loop of traffic; called on its context. */
  Future<GatewayVerticle.Parts> gateway(Vertx vertx, Context context, int loop) {
    VertxTime time = new VertxTime(vertx);
    PgRecordStore store = PgRecordStore.open(vertx, postgres, Tuning.store(config), time::nanos);
    UpstreamClients clients = upstreams(vertx);
    IdempotencyEngine engine =
        new IdempotencyEngine(
            new IdempotencyEngine.Parts(
                store,
                new HttpUpstream(clients, time),
                keys,
                upstreamKeys,
                policies,
                time,
                events,
                failpoints,
                owner(loop),
                buses.bus(context),
                waiters));
    Runnable unserve = buses.serve(owner(loop), context, engine.winners());
    GatewayParts parts =
        new GatewayParts(
            tenants,
            engine,
            clients,
            events,
            new RequestFingerprints(Fingerprints.production(), keys, policies),
            time,
            Clock.systemUTC(),
            draining::get,
            Tuning.limits(config, tenants.tenants()),
            context);
    stores.add(store);
    return GatewayServer.listen(vertx, listener(), parts)
        .map(
            server ->
                new GatewayVerticle.Parts(
                    engine,
                    server,
                    () -> {
                      unserve.run();
                      return store.close();
                    }));
  }

  /** The upkeep of this node; called on its verticle's context. */
  Upkeep upkeep(Vertx vertx, Consumer<List<Book>> books) {
    VertxTime time = new VertxTime(vertx);
    UpstreamClients probes = UpstreamClients.forProbes(vertx);
    closeProbes = probes::close;
    int batch = config.sweeper().batch();
    Interview interview =
        new ProbeInterview(new HttpProber(vertx, probes, time), secrets, keys, time, failpoints);
    return new Upkeep(
        new Sweeper(upkeep, events, failpoints, batch),
        new Reconciler(upkeep, policies, tenants, interview, new ProbeLimits(time), events, batch),
        new Audit(upkeep, events),
        time,
        events,
        config.sweeper().every(),
        books);
  }

  /** After the last who asks. */
  Future<Void> closeUpkeep() {
    return closeProbes.get().eventually(upkeep::close);
  }

  /** One pool per tenant for all loops, since tenants.yaml says how many connections a node has. */
  private UpstreamClients upstreams(Vertx vertx) {
    UpstreamClients made =
        upstreams.updateAndGet(known -> known == null ? new UpstreamClients(vertx) : known);
    return Objects.requireNonNull(made);
  }

  /** To be called after the last exchange of all loops. */
  Future<Void> closeUpstreams() {
    UpstreamClients made = upstreams.get();
    return made == null ? Future.succeededFuture() : made.close();
  }

  private String owner(int loop) {
    return "oncegate.owner." + process + "." + loop;
  }

  private Listener listener() {
    // To Vert.x a negative port is one that the system chooses and all instances share.
    int port = config.gateway().port() == 0 ? -1 : config.gateway().port();
    return new Listener(
        config.gateway().host(),
        port,
        config
            .tls()
            .map(tls -> new Listener.Tls(tls.certificate().toString(), tls.key().toString())),
        config.clearTextHttp2());
  }

  /** What the ops port says about this process. */
  HealthChecks health() {
    return new HealthChecks(
        this::storeAnswers, tenants, draining::get, config.cluster().map(c -> buses::trouble));
  }

  /** What people can see and say of records. */
  OpsApi opsApi(Vertx vertx, AdminToken token) {
    Resolution resolution =
        new Resolution(upkeep, upkeep, policies, keys, new VertxTime(vertx), events);
    return new OpsApi(
        new OpsApi.Parts(token, tenants, upkeep, upkeep::books, resolution, System::nanoTime));
  }

  private Future<Void> storeAnswers() {
    return Future.all(stores.stream().map(store -> store.ping()).toList()).mapEmpty();
  }
}
