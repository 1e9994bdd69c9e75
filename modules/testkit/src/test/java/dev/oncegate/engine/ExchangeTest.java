package dev.oncegate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.RecordId;
import dev.oncegate.engine.port.Failpoints;
import dev.oncegate.testkit.FaultyRecordStore.Fault;
import dev.oncegate.testkit.FaultyRecordStore.Operation;
import dev.oncegate.testkit.NoBus;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an exchange ends in, whatever goes wrong around it. */
class ExchangeTest {
  private final EngineBench bench = new EngineBench();

  @ParameterizedTest
  @ValueSource(ints = {401, 407, 408, 423, 425, 429, 500, 501, 503, 505, 599})
  void c25_transientStatus_isPassedThroughAndReleased(int status) {
    Future<Answer> first = bench.send("k", "A");
    bench.upstream.answer(status, "not now");

    assertThat(first.result()).isInstanceOf(Answer.PassedThrough.class);
    assertThat(first.result().status()).isEqualTo(IdempotencyStatus.RELEASED);
    assertThat(bench.record("k")).isEmpty();
    Future<Answer> second = bench.send("k", "A");
    bench.upstream.answer(201, "c1");
    assertThat(second.result().status()).isEqualTo(IdempotencyStatus.EXECUTED);
  }

  @ParameterizedTest
  @ValueSource(ints = {502, 504})
  void c25_ambiguousStatus_isPassedThroughAndUnknown(int status) {
    Future<Answer> first = bench.send("k", "A");
    bench.upstream.answer(status, "gateway says");

    assertThat(first.result().status()).isEqualTo(IdempotencyStatus.UNKNOWN);
    assertThat(EngineBench.problem(bench.send("k", "A")).type())
        .isEqualTo(Problem.Type.OUTCOME_UNKNOWN);
    assertThat(bench.upstream.sent()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 204, 299, 301, 304, 400, 402, 403, 404, 409, 412, 422, 451})
  void terminalStatus_isStored(int status) {
    Future<Answer> first = bench.send("k", "A");
    bench.upstream.answer(status, "");
    assertThat(first.result().status()).isEqualTo(IdempotencyStatus.EXECUTED);
    assertThat(bench.send("k", "A").result().status()).isEqualTo(IdempotencyStatus.REPLAYED);
  }

  @Test
  void notSent_isReleased() {
    Future<Answer> first = bench.send("k", "A");
    bench.upstream.end(new UpstreamResult.NotSent("connection refused"));

    Problem problem = EngineBench.problem(first);
    assertThat(problem.type()).isEqualTo(Problem.Type.UPSTREAM_UNREACHABLE);
    assertThat(problem.status()).isEqualTo(IdempotencyStatus.RELEASED);
    assertThat(problem.retryDeadline()).as("no record is left").isEmpty();
    assertThat(bench.record("k")).isEmpty();
  }

  @Test
  void c17f_faultOfOurOwnBeforeTheFirstByte_isRefusedAndReleased() {
    Future<Answer> first = bench.send("k", "A");
    bench.upstream.end(new UpstreamResult.NotSent("bug", new IllegalStateException("bug")));

    Problem problem = EngineBench.problem(first);
    assertThat(problem.type()).isEqualTo(Problem.Type.INTERNAL_ERROR);
    assertThat(problem.status()).isEqualTo(IdempotencyStatus.REFUSED);
    assertThat(bench.record("k")).isEmpty();
    assertThat(bench.events.lines).contains("broken: bug");
  }

  @Test
  void brokenAnswer_isUnknown() {
    Future<Answer> first = bench.send("k", "A");
    bench.upstream.end(new UpstreamResult.Broken("connection reset", false));

    Problem problem = EngineBench.problem(first);
    assertThat(problem.type()).isEqualTo(Problem.Type.UPSTREAM_RESET);
    assertThat(problem.status()).isEqualTo(IdempotencyStatus.UNKNOWN);
    assertThat(bench.record("k")).get().isInstanceOf(IdempotencyRecord.Unknown.class);
  }

  @Test
  void brokenAdapter_isTakenAsSent() {
    Future<Answer> first = bench.send("k", "A");
    bench.upstream.fail(new IllegalStateException("bug"));
    assertThat(first.result().status()).isEqualTo(IdempotencyStatus.UNKNOWN);
    assertThat(bench.record("k")).get().isInstanceOf(IdempotencyRecord.Unknown.class);
  }

  @Test
  void adapterThatThrows_isTakenAsSentToo_andLeavesNothingRunning() {
    IdempotencyEngine engine =
        new IdempotencyEngine(
            new IdempotencyEngine.Parts(
                bench.store,
                (tenant, request, capture, late) -> {
                  throw new IllegalStateException("bug");
                },
                bench.keys,
                new UpstreamKeys(bench.keys, reference -> Optional.empty()),
                bench.policies,
                bench.time,
                bench.events,
                Failpoints.NONE,
                "owner-1",
                new NoBus(),
                new WaiterCounts()));
    Future<Answer> first = engine.handle(bench.admission("k", "A"), new Patience(Duration.ZERO));
    assertThat(first.result().status()).isEqualTo(IdempotencyStatus.UNKNOWN);
    assertThat(bench.record("k")).get().isInstanceOf(IdempotencyRecord.Unknown.class);
    assertThat(engine.running()).isZero();
  }

  @Test
  void c24_totalPasses_clientGetsInFlight_lateAnswerCompletes() {
    Future<Answer> first = bench.send("k", "A");
    bench.time.advance(Duration.ofSeconds(30));

    Problem problem = EngineBench.problem(first);
    assertThat(problem.type()).isEqualTo(Problem.Type.UPSTREAM_TIMEOUT);
    assertThat(problem.status()).isEqualTo(IdempotencyStatus.IN_FLIGHT);
    assertThat(EngineBench.problem(bench.send("k", "A")).type()).isEqualTo(Problem.Type.IN_FLIGHT);
    bench.time.advance(Duration.ofSeconds(20));
    bench.upstream.answer(201, "late");
    Future<Answer> later = bench.send("k", "A");
    assertThat(EngineBench.bodyOf(later)).isEqualTo("late");
    assertThat(bench.upstream.sent()).hasSize(1);
  }

  @Test
  void firstByteIsLate_clientGetsInFlight_lateAnswerCompletes() {
    Future<Answer> first = bench.send("k", "A");
    bench.upstream.late();

    Problem problem = EngineBench.problem(first);
    assertThat(problem.type()).isEqualTo(Problem.Type.UPSTREAM_TIMEOUT);
    assertThat(problem.status()).isEqualTo(IdempotencyStatus.IN_FLIGHT);
    assertThat(bench.record("k")).get().isInstanceOf(IdempotencyRecord.Claimed.class);
    bench.upstream.answer(201, "late");
    assertThat(EngineBench.bodyOf(bench.send("k", "A"))).isEqualTo("late");
    assertThat(bench.upstream.sent()).hasSize(1);
  }

  @Test
  void c24_abandoned_isUnknown() {
    Future<Answer> first = bench.send("k", "A");
    bench.time.advance(Duration.ofSeconds(60));
    bench.upstream.end(new UpstreamResult.Broken("no answer", true));

    assertThat(EngineBench.problem(first).status()).isEqualTo(IdempotencyStatus.IN_FLIGHT);
    assertThat(EngineBench.problem(bench.send("k", "A")).type())
        .isEqualTo(Problem.Type.OUTCOME_UNKNOWN);
  }

  @Test
  void abandonedWhileTheClientWaits_promisesNoLateAnswer() {
    Future<Answer> first = bench.send("k", "A");
    bench.upstream.end(new UpstreamResult.Broken("no answer", true));

    Problem problem = EngineBench.problem(first);
    assertThat(problem.type()).isEqualTo(Problem.Type.UPSTREAM_TIMEOUT);
    assertThat(problem.status()).isEqualTo(IdempotencyStatus.UNKNOWN);
    assertThat(problem.detail()).contains("given up").doesNotContain("when it comes");
  }

  @Test
  void leaseIsRenewed_asLongAsTheExchangeRuns() {
    bench.send("k", "A");
    bench.time.advance(Duration.ofMinutes(5));
    assertThat(bench.record("k")).get().isInstanceOf(IdempotencyRecord.Claimed.class);
    assertThat(bench.store.calls(Operation.RENEW)).isBetween(18L, 20L);

    bench.upstream.answer(201, "c1");
    long renewals = bench.store.calls(Operation.RENEW);
    bench.time.advance(Duration.ofMinutes(5));
    assertThat(bench.store.calls(Operation.RENEW)).isEqualTo(renewals);
  }

  @Test
  void oneMissedRenewal_doesNoHarm() {
    bench.send("k", "A");
    bench.store.fault(Operation.RENEW, Fault.DOWN);
    bench.time.advance(Duration.ofSeconds(31));
    bench.store.heal();
    bench.time.advance(Duration.ofSeconds(30));
    assertThat(bench.record("k")).get().isInstanceOf(IdempotencyRecord.Claimed.class);
  }

  @Test
  void lapsedLease_isUnknown_butAnAnswerTrulyReceivedCompletesIt() {
    Future<Answer> first = bench.send("k", "A");
    bench.store.fault(Operation.RENEW, Fault.DOWN);
    bench.time.advance(Duration.ofSeconds(50));
    assertThat(EngineBench.problem(bench.send("k", "A")).type())
        .isEqualTo(Problem.Type.OUTCOME_UNKNOWN);

    bench.upstream.answer(201, "c1");
    assertThat(first.isComplete()).isTrue();
    assertThat(EngineBench.bodyOf(bench.send("k", "A"))).isEqualTo("c1");
  }

  @Test
  void acknowledgementOfTheCompletionLost_isAskedAgainAndExecuted() {
    bench.store.fault(Operation.COMPLETE, Fault.ACKNOWLEDGEMENT_LOST);
    Future<Answer> first = bench.send("k", "A");
    bench.upstream.answer(201, "c1");
    assertThat(first.isComplete()).isFalse();
    bench.store.heal();
    bench.time.advance(Duration.ofSeconds(1));
    assertThat(first.result().status()).isEqualTo(IdempotencyStatus.EXECUTED);
  }

  @Test
  void completionThatCannotBeCommitted_isNotAnsweredAsExecuted_andIsStoredLater() {
    bench.store.fault(Operation.COMPLETE, Fault.DOWN);
    Future<Answer> first = bench.send("k", "A");
    bench.upstream.answer(201, "c1");
    bench.time.advance(Duration.ofSeconds(10));

    Problem problem = EngineBench.problem(first);
    assertThat(problem.type()).isEqualTo(Problem.Type.OUTCOME_NOT_STORED);
    assertThat(problem.status()).isEqualTo(IdempotencyStatus.UNKNOWN);
    bench.time.advance(Duration.ofMinutes(10));
    bench.store.heal();
    bench.time.advance(Duration.ofSeconds(3));
    assertThat(EngineBench.bodyOf(bench.send("k", "A"))).isEqualTo("c1");
    assertThat(bench.engine.running()).isZero();
  }

  @Test
  void releaseThatCannotBeCommitted_isNotCalledReleased() {
    bench.store.fault(Operation.RELEASE, Fault.DOWN);
    Future<Answer> unreachable = bench.send("k1", "A");
    bench.upstream.end(new UpstreamResult.NotSent("connection refused"));
    Future<Answer> transientAnswer = bench.send("k2", "A");
    bench.upstream.answer(503, "later");
    bench.time.advance(Duration.ofSeconds(11));

    assertThat(EngineBench.problem(unreachable).type()).isEqualTo(Problem.Type.STORE_UNAVAILABLE);
    Problem notReleased = EngineBench.problem(transientAnswer);
    assertThat(notReleased.type()).isEqualTo(Problem.Type.OUTCOME_NOT_STORED);
    assertThat(notReleased.detail()).contains("answered 503").doesNotContain("was executed");
  }

  @Test
  void c13_lateOwner_isFencedAndTellsItsClientWhatTheRecordSays() {
    Future<Answer> old = bench.send("k", "A");
    bench.time.advanceDatabaseOnly(Duration.ofMinutes(1));
    RecordId id = bench.admission("k", "A").id();
    FencingToken first = bench.record("k").orElseThrow().facts().token();
    // somebody settled the unknown record as not applied, and another node took the key
    bench.memory.markUnknown(id, first, "lapsed");
    bench.memory.release(id, first);
    IdempotencyEngine other =
        new IdempotencyEngine(
            new IdempotencyEngine.Parts(
                bench.store,
                bench.upstream,
                bench.keys,
                new UpstreamKeys(bench.keys, reference -> Optional.empty()),
                bench.policies,
                bench.time,
                bench.events,
                Failpoints.NONE,
                "owner-2",
                new NoBus(),
                new WaiterCounts()));
    Future<Answer> fresh = other.handle(bench.admission("k", "A"), new Patience(Duration.ZERO));

    bench.upstream.answer(201, "old");
    assertThat(EngineBench.problem(old).type())
        .as("while the other runs")
        .isEqualTo(Problem.Type.IN_FLIGHT);
    assertThat(bench.events.lines).contains("stale");
    bench.upstream.answer(201, "new");
    assertThat(EngineBench.bodyOf(fresh)).isEqualTo("new");
    assertThat(EngineBench.bodyOf(bench.send("k", "A"))).isEqualTo("new");
    assertThat(bench.record("k").orElseThrow().facts().token()).isGreaterThan(first);
  }

  @Test
  void ownerOfARecordThatIsGone_neverSaysExecuted() {
    Future<Answer> old = bench.send("k", "A");
    bench.memory.release(
        bench.admission("k", "A").id(), bench.record("k").orElseThrow().facts().token());
    bench.upstream.answer(201, "old");
    assertThat(EngineBench.problem(old).type()).isEqualTo(Problem.Type.OUTCOME_NOT_STORED);
    assertThat(bench.events.lines).contains("stale");
  }
}
