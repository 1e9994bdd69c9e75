package dev.oncegate.engine;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.Fingerprint;
import dev.oncegate.core.Hkdf;
import dev.oncegate.core.IdempotencyKey;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.Scope;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.Failpoints;
import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.RunningWinners;
import dev.oncegate.engine.port.WaiterBus;
import dev.oncegate.engine.port.Waiting;
import dev.oncegate.testkit.FaultyRecordStore;
import dev.oncegate.testkit.HeldUpstream;
import dev.oncegate.testkit.InMemoryPolicyArchive;
import dev.oncegate.testkit.InMemoryRecordStore;
import dev.oncegate.testkit.ManualTime;
import dev.oncegate.testkit.SamplePolicies;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One engine on hand-moved time, a faulty in-memory store and an upstream that waits. */
final class EngineBench {
  static final KeyRing.Secret SECRET =
      KeyRing.Secret.of("0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII));

  final ManualTime time = new ManualTime();
  final InMemoryRecordStore memory = new InMemoryRecordStore(time::now);
  final FaultyRecordStore store = new FaultyRecordStore(memory);
  final HeldUpstream upstream = new HeldUpstream();
  final Seen events = new Seen();
  final KeyRing keys = new KeyRing(SECRET, List.of());
  final InMemoryPolicyArchive archive = new InMemoryPolicyArchive();
  final PolicyVersions policies = new PolicyVersions(archive, (version, document) -> this.decoded);
  final WaiterCounts waiters = new WaiterCounts();
  private final Map<String, RunningWinners> owners = new HashMap<>();
  private final Loop first = new Loop("owner-1");
  final IdempotencyEngine engine = first.engine;
  RoutePolicy.Protocol protocol = SamplePolicies.protocol();
  RoutePolicy.Protocol decoded = SamplePolicies.protocol();
  private RoutePolicy.Park park = new RoutePolicy.Park(Duration.ofSeconds(10), 1_000, 2_000);
  boolean honoursKey;

  /** Of every client; zero: duplicates do not wait. */
  Duration patience = Duration.ZERO;

  Failpoints.@Nullable Point failing;
  double probesPerSecond = TenantPolicy.Upstream.PROBES_PER_SECOND;

  /** Another event loop, or another node, on the same store. */
  Loop loop(String owner) {
    return new Loop(owner);
  }

  /** One event loop: an engine and its way to the others. */
  final class Loop {
    final Line bus = new Line();
    final IdempotencyEngine engine;

    private Loop(String owner) {
      engine =
          new IdempotencyEngine(
              new IdempotencyEngine.Parts(
                  store,
                  upstream,
                  keys,
                  new UpstreamKeys(keys, reference -> Optional.empty()),
                  policies,
                  time,
                  events,
                  point ->
                      point == failing
                          ? Future.failedFuture(new IllegalStateException("failpoint"))
                          : Future.succeededFuture(),
                  owner,
                  bus,
                  waiters));
      owners.put(owner, engine.winners());
    }

    Future<Answer> send(String key, String payload) {
      return engine.handle(admission(key, payload), new Patience(patience));
    }
  }

  /** A bus that hands over at once, or does not. */
  final class Line implements WaiterBus {
    boolean deaf;

    /** Whether an attach fails a moment later, as one over a network does. */
    boolean deafLater;

    boolean healthy = true;
    Runnable beforeSeats = () -> {};
    private final List<Promise<Hint>> attached = new ArrayList<>();

    @Override
    public Future<Hint> attach(String owner, Waiting waiting) {
      if (deaf) {
        return Future.failedFuture("deaf");
      }
      Promise<Hint> hint = Promise.promise();
      if (deafLater) {
        time.after(Duration.ofMillis(1), () -> hint.fail("deaf"));
        return hint.future();
      }
      attached.add(hint);
      owners.get(owner).attach(waiting).onSuccess(hint::tryComplete);
      return hint.future();
    }

    @Override
    public Future<Integer> seats(String owner, Waiting waiting, int wanted) {
      Runnable before = beforeSeats;
      beforeSeats = () -> {};
      before.run();
      return deaf ? Future.failedFuture("deaf") : owners.get(owner).seats(waiting, wanted);
    }

    @Override
    public boolean isLocal(String owner) {
      return true;
    }

    @Override
    public boolean healthy() {
      return healthy;
    }

    /** Somebody says of every claim that it was released. */
    void forge() {
      attached.forEach(hint -> hint.tryComplete(new Hint.Released(500, Optional.empty())));
    }
  }

  /** How duplicates wait from now on. */
  void park(Duration maxWait, int perKey, int perTenant) {
    park = new RoutePolicy.Park(maxWait, perKey, perTenant);
  }

  /** A body that is not kept. */
  static final class NoBody implements UpstreamResult.UnkeptBody {
    @Override
    public ReadStream<Buffer> stream() {
      throw new UnsupportedOperationException("nobody reads it here");
    }

    @Override
    public void discard() {}
  }

  /** What the engine reported. */
  static final class Seen implements EngineEvents {
    final List<String> lines = new ArrayList<>();
    final List<WokenBy> woken = new ArrayList<>();
    int parked;
    int left;

    @Override
    public void parked(String tenant) {
      parked++;
    }

    @Override
    public void woken(String tenant, WokenBy by, Duration waited) {
      woken.add(by);
    }

    @Override
    public void left(String tenant) {
      left++;
    }

    @Override
    public void staleCompletion(String tenant, String route, RecordId id) {
      lines.add("stale");
    }

    @Override
    public void gaveUp(String tenant, String route, RecordId id) {
      lines.add("gave up");
    }

    @Override
    public void markedUnknown(String tenant, String route, RecordId id, String reason) {
      lines.add("unknown: " + reason);
    }

    @Override
    public void recordDamaged(String tenant, String route, RecordId id, String what) {
      lines.add("damaged: " + what);
    }

    @Override
    public void storeFailed(String operation, Throwable cause) {
      lines.add("store failed: " + operation);
    }

    @Override
    public void broken(String tenant, String route, Throwable cause) {
      lines.add("broken: " + cause.getMessage());
    }
  }

  Future<Answer> send(String key, String payload) {
    return first.send(key, payload);
  }

  Admission admission(String key, String payload) {
    RoutePolicy sample = SamplePolicies.keyed("create-charge", "POST", "/charges", protocol);
    RoutePolicy route =
        new RoutePolicy(
            sample.id(), sample.mode(), sample.methods(), sample.path(), protocol, park);
    TenantPolicy tenant = tenant(route);
    policies.serve(List.of(tenant));
    Bytes body = Bytes.wrap(payload.getBytes(StandardCharsets.UTF_8));
    Fingerprint fingerprint =
        new Fingerprint(1, Bytes.wrap(Hkdf.hmac(new byte[] {1}, body.array())));
    return new Admission(
        tenant,
        route,
        new Scope("acme", "create-charge", Scope.SHARED),
        new IdempotencyKey(key),
        fingerprint,
        facts -> facts.fingerprint().equals(fingerprint),
        Map.of(),
        new UpstreamRequest("POST", "/charges", List.of(), body));
  }

  /** The tenant of all admissions. */
  TenantPolicy tenant(RoutePolicy... routes) {
    TenantPolicy t = SamplePolicies.tenant("acme", 1, routes);
    TenantPolicy.Upstream u = t.upstream();
    return new TenantPolicy(
        t.id(),
        t.matches(),
        t.principal(),
        new TenantPolicy.Upstream(
            u.tls(),
            u.host(),
            u.port(),
            u.basePath(),
            u.timeouts(),
            u.pool(),
            u.tlsSettings(),
            honoursKey,
            probesPerSecond),
        t.unmatched(),
        t.routes());
  }

  Optional<IdempotencyRecord> record(String key) {
    return memory.read(admission(key, "").id()).result();
  }

  /** The problem in an answer that is one. */
  static Problem problem(Future<Answer> answer) {
    return ((Answer.Refusal) answer.result()).problem();
  }

  static String bodyOf(Future<Answer> answer) {
    Bytes body =
        answer.result() instanceof Answer.Executed executed
            ? executed.answer().body()
            : ((Answer.Replayed) answer.result()).response().body().orElseThrow();
    return new String(body.array(), StandardCharsets.UTF_8);
  }
}
