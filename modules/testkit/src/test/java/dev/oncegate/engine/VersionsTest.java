package dev.oncegate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import dev.oncegate.core.Bytes;
import dev.oncegate.core.CanonicalProjection;
import dev.oncegate.core.FingerprintInput;
import dev.oncegate.core.FingerprintPolicy;
import dev.oncegate.core.Fingerprints;
import dev.oncegate.core.HeaderField;
import dev.oncegate.core.IdempotencyKey;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.Scope;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.port.Failpoints;
import dev.oncegate.engine.port.PolicyArchive;
import dev.oncegate.engine.port.PolicyArchive.ArchivedPolicy;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.testkit.NoBus;
import dev.oncegate.testkit.SamplePolicies;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A live record keeps the policy, form and secret that it was claimed under (contract §7). */
class VersionsTest {
  private static final Fingerprints FIRST = Fingerprints.production();

  /** The second form exists in tests only. */
  private static final Fingerprints SECOND =
      new Fingerprints(
          2,
          Map.of(
              1,
              CanonicalProjection::of,
              2,
              (policy, input) -> {
                CanonicalProjection.Projected first = CanonicalProjection.of(policy, input);
                byte[] marked = ("2" + first.bytes().hex()).getBytes(StandardCharsets.US_ASCII);
                return new CanonicalProjection.Projected(Bytes.wrap(marked), first.fallback());
              }));

  private static final String A = "{\"amount\":1,\"note\":\"first\"}";
  private static final String A_OTHER_NOTE = "{\"amount\":1,\"note\":\"again\"}";
  private static final String B = "{\"amount\":2,\"note\":\"first\"}";

  private final EngineBench bench = new EngineBench();
  private final Map<String, RoutePolicy.Protocol> documents = new HashMap<>();

  private static RoutePolicy.Protocol including(String version, String... pointers) {
    RoutePolicy.Protocol p = SamplePolicies.protocol();
    List<JsonPointer> included = List.of(pointers).stream().map(JsonPointer::compile).toList();
    FingerprintPolicy b = FingerprintPolicy.BUILT_IN;
    FingerprintPolicy fingerprint =
        new FingerprintPolicy(
            new FingerprintPolicy.BodySelection.Include(included),
            b.query(),
            b.headers(),
            b.numbers(),
            b.strings(),
            b.letterCase());
    return new RoutePolicy.Protocol(
        version,
        p.key(),
        fingerprint,
        p.outcome(),
        p.lease(),
        p.maxRequest(),
        p.capture(),
        p.neverStore(),
        p.encrypt(),
        p.retention(),
        p.reconciliation());
  }

  private static final RoutePolicy.Protocol AMOUNT = including("amount", "/amount");
  private static final RoutePolicy.Protocol BOTH = including("both", "/amount", "/note");

  /** One process: its forms, its file, its secrets; the store and the archive are shared. */
  private final class Node {
    private final RoutePolicy route;
    private final TenantPolicy tenant;
    private final RequestFingerprints fingerprints;
    private final IdempotencyEngine engine;
    private Optional<RequestFingerprints.Bench> large = Optional.empty();

    Node(Fingerprints forms, RoutePolicy.Protocol protocol) {
      this(forms, protocol, bench.keys, bench.archive);
    }

    Node(Fingerprints forms, RoutePolicy.Protocol protocol, KeyRing keys, PolicyArchive archive) {
      route = SamplePolicies.keyed("create-charge", "POST", "/charges", protocol);
      tenant = SamplePolicies.tenant("acme", 1, route);
      documents.put(protocol.version(), protocol);
      archive.remember(
          List.of(
              new ArchivedPolicy(protocol.version(), tenant.id(), route.id(), protocol.version())));
      PolicyVersions policies =
          new PolicyVersions(archive, (version, document) -> decode(document));
      policies.serve(List.of(tenant));
      fingerprints = new RequestFingerprints(forms, keys, policies);
      engine =
          new IdempotencyEngine(
              new IdempotencyEngine.Parts(
                  bench.store,
                  bench.upstream,
                  keys,
                  new UpstreamKeys(keys, reference -> Optional.empty()),
                  policies,
                  bench.time,
                  bench.events,
                  Failpoints.NONE,
                  "node",
                  new NoBus(),
                  new WaiterCounts()));
    }

    private RoutePolicy.Protocol decode(String document) {
      RoutePolicy.Protocol known = documents.get(document);
      if (known == null) {
        throw new IllegalArgumentException("no such document");
      }
      return known;
    }

    Future<Answer> send(String key, String json) {
      Bytes body = Bytes.wrap(json.getBytes(StandardCharsets.UTF_8));
      List<HeaderField> headers = List.of(new HeaderField("Content-Type", "application/json"));
      FingerprintInput input =
          new FingerprintInput("POST", route.id(), Map.of(), null, headers, body);
      RoutePolicy.Protocol protocol = route.protocol();
      Fingerprints.Taken taken = fingerprints.take("acme", protocol.fingerprint(), input);
      return engine.handle(
          new Admission(
              tenant,
              route,
              new Scope("acme", route.id(), Scope.SHARED),
              new IdempotencyKey(key),
              taken.fingerprint(),
              fingerprints.matcher(
                  new RequestFingerprints.Request("acme", protocol, input, taken, large)),
              Map.of(),
              new UpstreamRequest("POST", "/charges", headers, body)),
          new Patience(Duration.ZERO));
    }
  }

  private static IdempotencyStatus status(Future<Answer> answer) {
    return answer.result().status();
  }

  @Test
  void c45a_recordOfAnOlderForm_isReplayedByANewerRelease() {
    new Node(FIRST, AMOUNT).send("K", A);
    bench.upstream.answer(201, "done");
    Node newer = new Node(SECOND, AMOUNT);

    assertThat(status(newer.send("K", A))).isEqualTo(IdempotencyStatus.REPLAYED);
    assertThat(status(newer.send("K", B))).isEqualTo(IdempotencyStatus.MISMATCH);
    assertThat(bench.upstream.sent()).hasSize(1);
    newer.send("K-new", A);
    assertThat(bench.memory.read(bench.admission("K-new", "").id()).result())
        .hasValueSatisfying(
            record -> assertThat(record.facts().fingerprint().version()).isEqualTo(2));
  }

  @Test
  void c45b_waiterOfANewerRelease_isInFlightAndThenReplayed() {
    Future<Answer> winner = new Node(FIRST, AMOUNT).send("K2", A);
    Node newer = new Node(SECOND, AMOUNT);

    assertThat(EngineBench.problem(newer.send("K2", A)).type()).isEqualTo(Problem.Type.IN_FLIGHT);
    assertThat(status(newer.send("K2", B))).isEqualTo(IdempotencyStatus.MISMATCH);
    bench.upstream.answer(201, "done");

    assertThat(status(winner)).isEqualTo(IdempotencyStatus.EXECUTED);
    assertThat(EngineBench.bodyOf(newer.send("K2", A))).isEqualTo("done");
    assertThat(bench.upstream.sent()).hasSize(1);
  }

  @Test
  void c45c_changedIncludeList_judgesALiveRecordByTheListItWasClaimedUnder() {
    new Node(FIRST, AMOUNT).send("K3", A);
    bench.upstream.answer(201, "done");
    Node changed = new Node(FIRST, BOTH);

    assertThat(status(changed.send("K3", A))).isEqualTo(IdempotencyStatus.REPLAYED);
    assertThat(status(changed.send("K3", A_OTHER_NOTE))).isEqualTo(IdempotencyStatus.REPLAYED);
    assertThat(status(changed.send("K3", B))).isEqualTo(IdempotencyStatus.MISMATCH);
    assertThat(bench.upstream.sent()).hasSize(1);
    assertThat(bench.archive.finds()).as("fetched once").isEqualTo(1);

    changed.send("K4", A);
    bench.upstream.answer(201, "done");
    assertThat(status(changed.send("K4", A_OTHER_NOTE)))
        .as("a new record is judged by the new list")
        .isEqualTo(IdempotencyStatus.MISMATCH);
  }

  @Test
  void changeByAReload_needsNoArchive() {
    PolicyVersions policies =
        new PolicyVersions(
            bench.archive,
            (version, document) -> {
              throw new AssertionError("not asked");
            });
    policies.serve(List.of(tenantWith(AMOUNT)));
    policies.serve(List.of(tenantWith(BOTH)));

    assertThat(policies.of("amount")).isEqualTo(AMOUNT);
    assertThat(policies.of("both")).isEqualTo(BOTH);
  }

  private static TenantPolicy tenantWith(RoutePolicy.Protocol protocol) {
    return SamplePolicies.tenant(
        "acme", 1, SamplePolicies.keyed("create-charge", "POST", "/charges", protocol));
  }

  @Test
  void secretFormAndPolicyChangedTogether_areComparedAsTheRecordWasMade() {
    new Node(FIRST, AMOUNT).send("K", A);
    bench.upstream.answer(201, "done");
    KeyRing rotated =
        new KeyRing(
            KeyRing.Secret.of("another secret of 32 bytes, or so".getBytes(StandardCharsets.UTF_8)),
            List.of(EngineBench.SECRET));
    Node newer = new Node(SECOND, BOTH, rotated, bench.archive);

    assertThat(EngineBench.bodyOf(newer.send("K", A_OTHER_NOTE))).isEqualTo("done");
    assertThat(status(newer.send("K", B))).isEqualTo(IdempotencyStatus.MISMATCH);
  }

  @Test
  void formThatAnOlderReleaseDoesNotKnow_isDamagedToIt_andNeverExecuted() {
    new Node(SECOND, AMOUNT).send("K", A);
    bench.upstream.answer(201, "done");

    assertDamaged(new Node(FIRST, AMOUNT).send("K", A), "fingerprints of form 2 are unknown");
  }

  @Test
  void policyThatTheArchiveDoesNotHave_isDamaged_andNeverExecuted() {
    new Node(FIRST, AMOUNT, bench.keys, forgetful()).send("K", A);
    bench.upstream.answer(201, "done");

    assertDamaged(new Node(FIRST, BOTH).send("K", A), "its policy is not in the archive");
  }

  @Test
  void policyThatCannotBeRead_isDamaged_andNeverExecuted() {
    new Node(FIRST, AMOUNT).send("K", A);
    bench.upstream.answer(201, "done");
    documents.clear();

    assertDamaged(new Node(FIRST, BOTH).send("K", A), "its policy in the archive cannot be read");
  }

  private void assertDamaged(Future<Answer> answer, String why) {
    assertThat(EngineBench.problem(answer).type()).isEqualTo(Problem.Type.RECORD_DAMAGED);
    assertThat(bench.events.lines).containsExactly("damaged: " + why);
    assertThat(bench.upstream.sent()).hasSize(1);
  }

  @Test
  void archiveOutOfReach_isUnavailable_andTriedAgainByTheNextRequest() {
    new Node(FIRST, AMOUNT).send("K", A);
    bench.upstream.answer(201, "done");
    boolean[] down = {true};
    PolicyArchive flaky =
        new PolicyArchive() {
          @Override
          public Future<Void> remember(List<ArchivedPolicy> policies) {
            return bench.archive.remember(policies);
          }

          @Override
          public Future<Optional<String>> find(String version) {
            return down[0]
                ? Future.failedFuture(new RecordStore.StoreUnavailable("down"))
                : bench.archive.find(version);
          }
        };
    Node changed = new Node(FIRST, BOTH, bench.keys, flaky);

    assertThat(EngineBench.problem(changed.send("K", A)).type())
        .isEqualTo(Problem.Type.STORE_UNAVAILABLE);
    down[0] = false;
    assertThat(status(changed.send("K", A))).isEqualTo(IdempotencyStatus.REPLAYED);
    assertThat(bench.upstream.sent()).hasSize(1);
  }

  private static PolicyArchive forgetful() {
    return new PolicyArchive() {
      @Override
      public Future<Void> remember(List<ArchivedPolicy> policies) {
        return Future.succeededFuture();
      }

      @Override
      public Future<Optional<String>> find(String version) {
        return Future.succeededFuture(Optional.empty());
      }
    };
  }

  @Test
  void largeBody_isProjectedAgainOnTheBench_onceAndNeverInTheComparison() {
    KeyRing.Secret old = KeyRing.Secret.of(new byte[32]);
    byte[] other = new byte[32];
    other[0] = 1;
    KeyRing rotated = new KeyRing(KeyRing.Secret.of(other), List.of(old));
    Node before = new Node(FIRST, AMOUNT, new KeyRing(old, List.of()), bench.archive);
    before.send("k", A);
    bench.upstream.answer(201, "c1");

    Node after = new Node(SECOND, BOTH, rotated, bench.archive);
    int[] projections = new int[1];
    after.large =
        Optional.of(
            projection -> {
              projections[0]++;
              try {
                return Future.succeededFuture(projection.call());
              } catch (Exception e) {
                return Future.failedFuture(e);
              }
            });
    assertThat(status(after.send("k", A_OTHER_NOTE))).isEqualTo(IdempotencyStatus.REPLAYED);
    assertThat(projections[0]).isEqualTo(1);
    assertThat(status(after.send("k", B))).isEqualTo(IdempotencyStatus.MISMATCH);
    assertThat(projections[0]).isEqualTo(2);
    assertThat(bench.upstream.sent()).hasSize(1);
  }
}
