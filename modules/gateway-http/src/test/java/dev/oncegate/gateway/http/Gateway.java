package dev.oncegate.gateway.http;

import dev.oncegate.core.Fingerprints;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.IdempotencyEngine;
import dev.oncegate.engine.IdempotencyStatus;
import dev.oncegate.engine.KeyRing;
import dev.oncegate.engine.PolicyVersions;
import dev.oncegate.engine.RequestFingerprints;
import dev.oncegate.engine.UpstreamKeys;
import dev.oncegate.engine.WaiterCounts;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.Failpoints;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.engine.port.Time;
import dev.oncegate.testkit.InMemoryPolicyArchive;
import dev.oncegate.testkit.InMemoryRecordStore;
import dev.oncegate.testkit.NoBus;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A gateway on a loopback port: real sockets and engine, records in memory. */
final class Gateway implements AutoCloseable {
  static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(60))
          .build();

  final AtomicReference<List<TenantPolicy>> tenants = new AtomicReference<>(List.of());
  final List<String> answered = new CopyOnWriteArrayList<>();
  final List<Throwable> broken = new CopyOnWriteArrayList<>();

  /** Requests that wait now, and clients that left while theirs did. */
  final AtomicInteger parked = new AtomicInteger();

  final AtomicInteger left = new AtomicInteger();
  final List<String> marked = new CopyOnWriteArrayList<>();
  volatile Duration clockAhead = Duration.ZERO;
  volatile boolean draining;
  final InMemoryRecordStore records = new InMemoryRecordStore(this::now);
  private List<TenantPolicy> served = List.of();
  private final UpstreamClients clients;
  private final GatewayServer server;
  final IdempotencyEngine engine;

  private Gateway(Vertx vertx, Options options) throws Exception {
    Context context = ((VertxInternal) vertx).createEventLoopContext();
    Time time = options.time == null ? new VertxTime(vertx) : options.time;
    RecordStore store = options.store == null ? records : options.store.apply(records);
    KeyRing keys = options.keys;
    PolicyVersions policies = new PolicyVersions(new InMemoryPolicyArchive(), noDocuments());
    clients = options.clients == null ? new UpstreamClients(vertx) : options.clients;
    engine =
        new IdempotencyEngine(
            new IdempotencyEngine.Parts(
                store,
                new HttpUpstream(clients, time),
                keys,
                new UpstreamKeys(keys, reference -> Optional.empty()),
                policies,
                time,
                events(),
                Failpoints.NONE,
                "test",
                new NoBus(),
                new WaiterCounts()));
    GatewayParts parts =
        new GatewayParts(
            () -> serve(policies),
            engine,
            clients,
            events(),
            new RequestFingerprints(Fingerprints.production(), keys, policies),
            time,
            new MovableClock(),
            () -> draining,
            options.limits,
            context);
    server = await(on(context, () -> GatewayServer.listen(vertx, options.listener, parts)));
  }

  /** What differs from the usual gateway. */
  static final class Options {
    /** Uploads end here only where a test is about that. */
    GatewayLimits limits =
        GatewayLimits.BUILT_IN.withUpload(Duration.ofMinutes(5), Duration.ofMinutes(5), 100);

    java.util.function.@org.jspecify.annotations.Nullable Function<RecordStore, RecordStore> store;

    KeyRing keys = new KeyRing(KeyRing.Secret.of(new byte[32]), List.of());
    Listener listener = Listener.plain("127.0.0.1", 0);
    @org.jspecify.annotations.Nullable UpstreamClients clients;
    @org.jspecify.annotations.Nullable Time time;

    /** The upstream clients of another gateway, as the loops of one process have them. */
    Options clientsOf(Gateway other) {
      clients = other.clients;
      return this;
    }

    Options listener(Listener other) {
      listener = other;
      return this;
    }

    Options time(Time other) {
      time = other;
      return this;
    }

    Options keys(KeyRing other) {
      keys = other;
      return this;
    }

    Options limits(GatewayLimits other) {
      limits = other;
      return this;
    }

    Options store(java.util.function.Function<RecordStore, RecordStore> wrapper) {
      store = wrapper;
      return this;
    }
  }

  static Gateway start(Vertx vertx, TenantPolicy... tenants) throws Exception {
    return start(vertx, new Options(), tenants);
  }

  static Gateway start(Vertx vertx, Options options, TenantPolicy... tenants) throws Exception {
    Gateway gateway = new Gateway(vertx, options);
    gateway.tenants.set(List.of(tenants));
    return gateway;
  }

  /** The usual gateway before one upstream: POST /charges with a key. */
  static Gateway before(Vertx vertx, int upstreamPort, RoutePolicy... routes) throws Exception {
    RoutePolicy[] all =
        routes.length == 0
            ? new RoutePolicy[] {Policies.keyed("create-charge", "/charges")}
            : routes;
    return start(
        vertx, Policies.tenant("t1", Policies.upstream(upstreamPort, Policies.TIMEOUTS), all));
  }

  int port() {
    return server.port();
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port() + path);
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(60));
  }

  HttpRequest post(String path, String key, String body) {
    return request(path)
        .header("Idempotency-Key", key)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  HttpResponse<String> charge(String key, String body) throws Exception {
    return send(post("/charges", key, body));
  }

  /** The same from a client that does not wait for another request's outcome. */
  HttpResponse<String> impatient(String key, String body) throws Exception {
    HttpRequest usual = post("/charges", key, body);
    return send(HttpRequest.newBuilder(usual, (n, v) -> true).header("Prefer", "wait=0").build());
  }

  HttpResponse<String> send(HttpRequest request) throws Exception {
    return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
  }

  CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest request) {
    return CLIENT.sendAsync(request, HttpResponse.BodyHandlers.ofString());
  }

  Future<Void> drain(Duration longest) {
    return server.drain(longest);
  }

  private Instant now() {
    return Instant.now().plus(clockAhead);
  }

  /** What tests set is served from the next request on, its policies with it. */
  private List<TenantPolicy> serve(PolicyVersions policies) {
    List<TenantPolicy> set = tenants.get();
    if (set != served) {
      policies.serve(set);
      served = set;
    }
    return set;
  }

  private static PolicyVersions.Decoder noDocuments() {
    return (version, document) -> {
      throw new AssertionError("nothing was archived");
    };
  }

  private EngineEvents events() {
    return new EngineEvents() {
      @Override
      public void answered(String tenant, String route, IdempotencyStatus status) {
        answered.add(tenant + "/" + route + "/" + status.label());
      }

      @Override
      public void parked(String tenant) {
        parked.incrementAndGet();
      }

      @Override
      public void woken(String tenant, WokenBy by, Duration waited) {
        parked.decrementAndGet();
      }

      @Override
      public void left(String tenant) {
        parked.decrementAndGet();
        left.incrementAndGet();
      }

      @Override
      public void broken(String tenant, String route, Throwable cause) {
        broken.add(cause);
      }

      @Override
      public void markedUnknown(
          String tenant, String route, dev.oncegate.core.RecordId id, String reason) {
        marked.add(reason);
      }
    };
  }

  private final class MovableClock extends Clock {
    @Override
    public java.time.ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(java.time.ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now();
    }
  }

  private static <T> Future<T> on(Context context, java.util.function.Supplier<Future<T>> work) {
    return Future.future(result -> context.runOnContext(v -> work.get().onComplete(result)));
  }

  /** What comes of it; gives up only where it hangs. */
  static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws Exception {
    await(server.drain(Duration.ZERO));
    await(clients.close());
  }
}
