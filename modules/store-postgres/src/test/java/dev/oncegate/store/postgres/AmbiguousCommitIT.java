package dev.oncegate.store.postgres;

import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.Fingerprint;
import dev.oncegate.core.IdempotencyKey;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.Scope;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.Admission;
import dev.oncegate.engine.Answer;
import dev.oncegate.engine.IdempotencyEngine;
import dev.oncegate.engine.IdempotencyStatus;
import dev.oncegate.engine.KeyRing;
import dev.oncegate.engine.Patience;
import dev.oncegate.engine.PolicyVersions;
import dev.oncegate.engine.UpstreamAnswer;
import dev.oncegate.engine.UpstreamKeys;
import dev.oncegate.engine.UpstreamRequest;
import dev.oncegate.engine.UpstreamResult;
import dev.oncegate.engine.WaiterCounts;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.Failpoints;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.testkit.InMemoryPolicyArchive;
import dev.oncegate.testkit.ManualTime;
import dev.oncegate.testkit.NoBus;
import dev.oncegate.testkit.SamplePolicies;
import dev.oncegate.testkit.SocketCutter;
import dev.oncegate.testkit.SocketCutter.Direction;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A whole request over a link to Postgres that breaks once, within its claim or its completion, in
 * either direction (fault rows 15 and 16). In the long profile after every single byte, which takes
 * five minutes; else after every eleventh ({@link PgLostAnswerIT} has each byte of the claim and of
 * the completion by itself): whatever the store did and whoever learned of it, the request is sent
 * at most once, and nobody is told the contrary.
 */
class AmbiguousCommitIT {
  private static final RoutePolicy ROUTE =
      SamplePolicies.keyed("create-charge", "POST", "/charges", SamplePolicies.protocol());
  private static final TenantPolicy TENANT = SamplePolicies.tenant("acme", 1, ROUTE);

  private static final int STRIDE = Boolean.getBoolean("oncegate.long") ? 1 : 11;

  private static PgFixture fixture;
  private static SocketCutter cutter;
  private static IdempotencyEngine cut;
  private static IdempotencyEngine whole;

  /** What was sent, by key. */
  private static final Map<String, Integer> SENT = new ConcurrentHashMap<>();

  @BeforeAll
  static void open() {
    fixture = new PgFixture(AmbiguousCommitIT.class);
    cutter = SocketCutter.before(fixture.database.host(), fixture.database.port());
    PgStoreSettings one =
        new PgStoreSettings(
            1,
            1,
            1,
            1024,
            PgFixture.PATIENT.patience(),
            PgFixture.PATIENT.lockTimeout(),
            PgFixture.PATIENT.connectTimeout(),
            PgFixture.PATIENT.longestBackoff());
    cut = engine(fixture.open(fixture.options().setHost("127.0.0.1").setPort(cutter.port()), one));
    whole = engine(fixture.open());
  }

  @AfterAll
  static void close() {
    fixture.close();
    cutter.close();
  }

  private static IdempotencyEngine engine(RecordStore store) {
    KeyRing keys =
        new KeyRing(
            KeyRing.Secret.of(
                "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII)),
            List.of());
    PolicyVersions policies =
        new PolicyVersions(
            new InMemoryPolicyArchive(), (version, document) -> SamplePolicies.protocol());
    policies.serve(List.of(TENANT));
    return new IdempotencyEngine(
        new IdempotencyEngine.Parts(
            store,
            (tenant, request, capture, progress) -> {
              SENT.merge(
                  new String(request.body().array(), StandardCharsets.UTF_8), 1, Integer::sum);
              return Future.succeededFuture(
                  new UpstreamResult.Answered(new UpstreamAnswer(201, List.of(), request.body())));
            },
            keys,
            new UpstreamKeys(keys, reference -> Optional.empty()),
            policies,
            new ManualTime(System.nanoTime()),
            new EngineEvents() {},
            Failpoints.NONE,
            "owner",
            new NoBus(),
            new WaiterCounts()));
  }

  private static Admission admission(String key) {
    Bytes body = Bytes.wrap(key.getBytes(StandardCharsets.UTF_8));
    byte[] digest = new byte[32];
    System.arraycopy(body.array(), 0, digest, 0, Math.min(32, body.length()));
    Fingerprint fingerprint = new Fingerprint(1, Bytes.wrap(digest));
    return new Admission(
        TENANT,
        ROUTE,
        new Scope("acme", "create-charge", Scope.SHARED),
        new IdempotencyKey(key),
        fingerprint,
        facts -> facts.fingerprint().equals(fingerprint),
        Map.of(),
        new UpstreamRequest("POST", "/charges", List.of(), body));
  }

  private static Answer send(IdempotencyEngine engine, String key) {
    return get(engine.handle(admission(key), new Patience(Duration.ZERO)));
  }

  @Test
  void c05_cutWithinAWholeRequest_neverASecondSendAndNeverAWrongWord() {
    for (Direction direction : Direction.values()) {
      warmUp();
      long before = cutter.passed(direction);
      send(cut, "sized-" + direction);
      long size = cutter.passed(direction) - before;
      assertThat(size).isGreaterThan(200);
      int cuts = cutter.cuts();
      for (long k = 0; k < size; k += STRIDE) {
        String key = direction + "-" + k;
        warmUp();
        cutter.cutAfter(direction, k);
        Answer first = send(cut, key);
        cutter.cutAfter(direction, -1);
        int sent = SENT.getOrDefault(key, 0);
        assertThat(first.status())
            .as("cut after byte %d %s", k, direction)
            .isIn(IdempotencyStatus.EXECUTED, IdempotencyStatus.REFUSED, IdempotencyStatus.UNKNOWN);
        assertThat(sent)
            .as("sends where the answer was %s, cut after byte %d %s", first, k, direction)
            .isEqualTo(first.status() == IdempotencyStatus.REFUSED ? 0 : 1);
        if (first.status() == IdempotencyStatus.EXECUTED) {
          assertThat(send(whole, key).status()).isEqualTo(IdempotencyStatus.REPLAYED);
        }
        assertThat(SENT.getOrDefault(key, 0)).isEqualTo(sent);
      }
      assertThat(cutter.cuts() - cuts)
          .as("cuts that really came")
          .isGreaterThan((int) (size / STRIDE * 9 / 10));
    }
  }

  private static int warm;

  private static void warmUp() {
    await().until(() -> send(cut, "warm-" + warm++).status() == IdempotencyStatus.EXECUTED);
  }
}
