package dev.oncegate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.HeaderField;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.engine.port.EngineEvents.WokenBy;
import dev.oncegate.testkit.FaultyRecordStore.Fault;
import dev.oncegate.testkit.FaultyRecordStore.Operation;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Waiting for a winner of the same loop, and of another, on one thread and hand-moved time. */
class ParkingTest {
  private static final Duration WAIT = Duration.ofSeconds(10);

  private final EngineBench bench = new EngineBench();
  private final EngineBench.Loop other = bench.loop("owner-2");

  ParkingTest() {
    bench.patience = WAIT;
  }

  /** Requests of both loops, half and half. */
  private List<Future<Answer>> duplicates(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> i % 2 == 0 ? bench.send("k", "A") : other.send("k", "A"))
        .toList();
  }

  private static void assertStatus(List<Future<Answer>> answers, IdempotencyStatus status) {
    assertThat(answers)
        .allSatisfy(
            answer -> {
              assertThat(answer.isComplete()).isTrue();
              assertThat(answer.result().status()).isEqualTo(status);
            });
  }

  @Test
  void c01_duplicatesOfBothLoops_getTheWinnersAnswer() {
    Future<Answer> winner = bench.send("k", "A");
    List<Future<Answer>> duplicates = duplicates(20);
    assertThat(duplicates).noneMatch(Future::isComplete);
    assertThat(bench.waiters.waiting("acme")).isEqualTo(20);

    bench.upstream.answer(201, "c1", new HeaderField("Location", "/charges/1"));
    assertThat(winner.result().status()).isEqualTo(IdempotencyStatus.EXECUTED);
    assertStatus(duplicates, IdempotencyStatus.REPLAYED);
    assertThat(duplicates)
        .allSatisfy(
            answer -> {
              assertThat(EngineBench.bodyOf(answer)).isEqualTo("c1");
              assertThat(((Answer.Replayed) answer.result()).response().headers())
                  .containsExactly(new HeaderField("Location", "/charges/1"));
            });
    assertThat(bench.upstream.sent()).hasSize(1);
    assertNothingIsLeft();
  }

  @Test
  void duplicatesOfTheWinnersLoop_doNotTouchTheStore_andThoseOfAnotherCostThreeStatements() {
    bench.send("k", "A");
    assertThat(bench.store.calls()).isEqualTo(1);
    duplicates(200);
    assertThat(bench.store.calls()).as("a claim that met its rival, and a look").isEqualTo(3);

    bench.upstream.answer(201, "c1");
    assertThat(bench.store.calls()).as("the completion, and one read").isEqualTo(5);
  }

  @Test
  void requestsThatComeWhileTheClaimIsUnderWay_costNoStatement() {
    bench.store.fault(Operation.CLAIM, Fault.HELD);
    List<Future<Answer>> all = IntStream.range(0, 30).mapToObj(i -> bench.send("k", "A")).toList();
    assertThat(bench.store.calls(Operation.CLAIM)).isEqualTo(1);
    bench.store.heal();
    bench.store.letGo();
    bench.upstream.answer(201, "c1");
    assertThat(all.get(0).result().status()).isEqualTo(IdempotencyStatus.EXECUTED);
    assertStatus(all.subList(1, 30), IdempotencyStatus.REPLAYED);
    assertThat(bench.store.calls(Operation.CLAIM)).isEqualTo(1);
  }

  @Test
  void claimThatFails_letsThoseBehindItClaimForThemselves() {
    bench.store.fault(Operation.CLAIM, Fault.HELD);
    Future<Answer> first = bench.send("k", "A");
    Future<Answer> second = bench.send("k", "A");
    bench.store.fault(Operation.CLAIM, Fault.DOWN);
    bench.store.failHeld();
    assertThat(EngineBench.problem(first).type()).isEqualTo(Problem.Type.STORE_UNAVAILABLE);
    assertThat(EngineBench.problem(second).type()).isEqualTo(Problem.Type.STORE_UNAVAILABLE);
    bench.store.heal();
    bench.send("k2", "A");
    assertThat(bench.upstream.sent()).hasSize(1);
  }

  @Test
  void attachThatComesBeforeTheOwnerHasItsOwnClaim_isKept() {
    bench.store.fault(Operation.CLAIM, Fault.HELD);
    bench.send("k", "A");
    bench.store.heal();
    // The row is there for everybody to see; its owner has not been told.
    Future<Answer> duplicate = other.send("k", "A");
    bench.store.letGo();
    bench.upstream.answer(201, "c1");
    assertThat(duplicate.result().status()).isEqualTo(IdempotencyStatus.REPLAYED);
    assertThat(bench.events.woken).containsExactly(WokenBy.LOCAL);
  }

  @Test
  void c04_anotherPayload_isRefusedAtOnce_onBothLoops() {
    bench.send("k", "A");
    duplicates(4);
    assertThat(EngineBench.problem(bench.send("k", "B")).type()).isEqualTo(Problem.Type.KEY_REUSED);
    assertThat(EngineBench.problem(other.send("k", "B")).type()).isEqualTo(Problem.Type.KEY_REUSED);
  }

  @Test
  void c06_release_answersAllAtOnceWithTheWinnersStatus() {
    Future<Answer> winner = bench.send("k", "A");
    List<Future<Answer>> duplicates = duplicates(19);
    bench.upstream.answer(503, "busy", new HeaderField("Retry-After", "1"));

    assertThat(winner.result().status()).isEqualTo(IdempotencyStatus.RELEASED);
    assertStatus(duplicates, IdempotencyStatus.RELEASED);
    assertThat(duplicates)
        .allSatisfy(
            answer -> {
              Problem problem = EngineBench.problem(answer);
              assertThat(problem.type()).isEqualTo(Problem.Type.ATTEMPT_RELEASED);
              assertThat(problem.code()).isEqualTo(503);
              assertThat(problem.original().orElseThrow().status()).isEqualTo(503);
              assertThat(problem.newKeySafe()).isFalse();
              assertThat(problem.retryAfter().orElseThrow())
                  .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(4));
            });
    assertThat(duplicates.stream().map(a -> EngineBench.problem(a).retryAfter()).distinct())
        .as("jittered")
        .hasSizeGreaterThan(5);
    assertThat(bench.upstream.sent()).as("nobody takes over").hasSize(1);
    assertThat(bench.record("k")).isEmpty();
    assertNothingIsLeft();
  }

  @Test
  void c06_releaseWhoseMessagesAreLost_isFoundByAPoll_withoutTheWinnersStatus() {
    other.bus.deaf = true;
    bench.send("k", "A");
    Future<Answer> duplicate = other.send("k", "A");
    bench.upstream.answer(429, "slow down", new HeaderField("Retry-After", "7"));
    assertThat(duplicate.isComplete()).isFalse();
    bench.time.advance(Duration.ofMillis(625));

    Problem problem = EngineBench.problem(duplicate);
    assertThat(problem.type()).isEqualTo(Problem.Type.ATTEMPT_RELEASED);
    assertThat(problem.code()).isEqualTo(503);
    assertThat(problem.original()).isEmpty();
    assertThat(bench.events.woken).containsExactly(WokenBy.POLL);
  }

  @Test
  void c06_notSent_waitersGetTheWinnersStatusToo() {
    bench.send("k", "A");
    List<Future<Answer>> duplicates = duplicates(2);
    bench.upstream.end(new UpstreamResult.NotSent("refused", null));
    assertThat(duplicates)
        .extracting(answer -> EngineBench.problem(answer).code())
        .containsExactly(502, 502);
  }

  @Test
  void releasedAndClaimedAgainMeanwhile_isStillAReleaseToThoseWhoWaited() {
    other.bus.deaf = true;
    bench.send("k", "A");
    Future<Answer> duplicate = other.send("k", "A");
    bench.upstream.answer(503, "busy");
    bench.send("k", "A");
    bench.time.advance(Duration.ofMillis(625));
    assertThat(EngineBench.problem(duplicate).type()).isEqualTo(Problem.Type.ATTEMPT_RELEASED);
    assertThat(bench.upstream.sent()).hasSize(2);
  }

  @Test
  void c08_winnerThatEndsBetweenTheClaimAndTheAttach_isFoundByTheLookAfterIt() {
    bench.send("k", "A");
    other.bus.deaf = true;
    other.bus.beforeSeats = () -> bench.upstream.answer(201, "c1");
    Future<Answer> duplicate = other.send("k", "A");
    assertThat(duplicate.result().status()).isEqualTo(IdempotencyStatus.REPLAYED);
    assertThat(bench.events.woken).containsExactly(WokenBy.POLL);
  }

  @Test
  void unknownOutcome_isToldAtOnce() {
    bench.send("k", "A");
    List<Future<Answer>> duplicates = duplicates(4);
    bench.upstream.end(new UpstreamResult.Broken("reset", false));
    assertStatus(duplicates, IdempotencyStatus.UNKNOWN);
    assertThat(EngineBench.problem(duplicates.get(0)).type())
        .isEqualTo(Problem.Type.OUTCOME_UNKNOWN);
    assertThat(EngineBench.problem(duplicates.get(1)).type())
        .isEqualTo(Problem.Type.OUTCOME_UNKNOWN);
  }

  @Test
  void c10_leaseThatLapses_turnsWaitersAway_onTheOwnersLoopOnceItIsFenced() {
    bench.send("k", "A");
    List<Future<Answer>> duplicates = duplicates(2);
    bench.time.advanceDatabaseOnly(bench.protocol.lease().ttl());
    bench.time.advance(Duration.ofSeconds(1));
    assertThat(duplicates.get(1).result().status()).isEqualTo(IdempotencyStatus.UNKNOWN);
    assertThat(duplicates.get(0).isComplete()).as("its owner knows of nothing yet").isFalse();
  }

  @Test
  void fencedOwner_sendsItsWaitersToTheRow() {
    bench.patience = Duration.ofSeconds(20);
    bench.send("k", "A");
    Future<Answer> duplicate = bench.send("k", "A");
    bench.time.advanceDatabaseOnly(bench.protocol.lease().ttl());
    bench.time.advance(bench.protocol.lease().renewEvery().plusMillis(200));
    assertThat(duplicate.result().status()).isEqualTo(IdempotencyStatus.UNKNOWN);
  }

  @Test
  void c24_winnersClientThatWaitedTooLong_leavesTheOthersWaiting() {
    bench.patience = Duration.ofSeconds(60);
    Future<Answer> winner = bench.send("k", "A");
    bench.time.advance(Duration.ofSeconds(31));
    assertThat(EngineBench.problem(winner).type()).isEqualTo(Problem.Type.UPSTREAM_TIMEOUT);
    List<Future<Answer>> duplicates = duplicates(2);
    bench.time.advance(Duration.ofSeconds(5));
    bench.upstream.answer(201, "late");
    assertStatus(duplicates, IdempotencyStatus.REPLAYED);
  }

  @Test
  void limit_isKept_withAnEstimateOfWhatIsLeft() {
    bench.send("k", "A");
    List<Future<Answer>> duplicates = duplicates(2);
    bench.time.advance(WAIT.minusMillis(1));
    assertThat(duplicates).noneMatch(Future::isComplete);
    bench.time.advance(Duration.ofMillis(1));
    assertStatus(duplicates, IdempotencyStatus.IN_FLIGHT);
    Duration retryAfter = EngineBench.problem(duplicates.get(0)).retryAfter().orElseThrow();
    assertThat(retryAfter).isEqualTo(Duration.ofSeconds(5));
    assertThat(bench.events.woken).containsExactly(WokenBy.TIMEOUT, WokenBy.TIMEOUT);
    assertThat(bench.waiters.waiting("acme")).isZero();
    bench.upstream.answer(201, "c1");
    assertNothingIsLeft();
  }

  @Test
  void noPatience_isAnsweredAtOnce() {
    bench.send("k", "A");
    bench.patience = Duration.ZERO;
    assertStatus(duplicates(2), IdempotencyStatus.IN_FLIGHT);
    assertThat(bench.events.parked).isZero();
  }

  @Test
  void unknownEnd_afterSomebodyWhoDidNotWait_leavesNobodyWhoPolls() {
    bench.send("k", "A");
    bench.patience = Duration.ZERO;
    assertThat(EngineBench.problem(bench.send("k", "A")).type()).isEqualTo(Problem.Type.IN_FLIGHT);
    bench.upstream.end(new UpstreamResult.Broken("connection lost", false));
    assertNothingIsLeft();
  }

  @Test
  void clientThatHangsUp_isGoneAtOnce_andLeavesItsPlace() {
    bench.park(WAIT, 2, 100);
    bench.send("k", "A");
    Patience[] patience = {new Patience(WAIT), new Patience(WAIT)};
    bench.engine.handle(bench.admission("k", "A"), patience[0]);
    other.engine.handle(bench.admission("k", "A"), patience[1]);
    assertThat(EngineBench.problem(bench.send("k", "A")).type()).isEqualTo(Problem.Type.IN_FLIGHT);

    Stream.of(patience).forEach(Patience::leave);
    assertThat(bench.waiters.waiting("acme")).isZero();
    assertThat(bench.events.left).isEqualTo(2);
    List<Future<Answer>> next = duplicates(2);
    assertThat(next).noneMatch(Future::isComplete);
    assertThat(EngineBench.problem(other.send("k", "A")).type()).isEqualTo(Problem.Type.IN_FLIGHT);
  }

  @Test
  void perKeyLimit_countsBothLoops() {
    bench.park(WAIT, 5, 100);
    bench.send("k", "A");
    List<Future<Answer>> duplicates = duplicates(10);
    assertThat(duplicates.stream().filter(Future::isComplete)).hasSize(5);
    bench.upstream.answer(201, "c1");
    assertThat(duplicates.stream().filter(a -> a.result().status() == IdempotencyStatus.REPLAYED))
        .hasSize(5);
    assertNothingIsLeft();
  }

  @Test
  void perTenantLimit_countsAllKeysOfTheNode() {
    bench.park(WAIT, 5, 6);
    bench.send("k", "A");
    bench.send("k2", "A");
    List<Future<Answer>> all = new ArrayList<>(duplicates(4));
    for (int i = 0; i < 4; i++) {
      all.add(bench.send("k2", "A"));
    }
    assertThat(all.stream().filter(Future::isComplete)).hasSize(2);
    assertThat(EngineBench.problem(all.get(7)).type()).isEqualTo(Problem.Type.IN_FLIGHT);
  }

  @Test
  void refusalForTheTenantsLimit_takesNoPlaceOfTheKeys() {
    bench.park(WAIT, 3, 2);
    bench.send("k", "A");
    List<Future<Answer>> parked = List.of(bench.send("k", "A"), bench.send("k", "A"));
    assertThat(EngineBench.problem(bench.send("k", "A")).type()).isEqualTo(Problem.Type.IN_FLIGHT);

    bench.park(WAIT, 3, 100);
    assertThat(other.send("k", "A").isComplete()).as("the third of three").isFalse();
    assertThat(parked).noneMatch(Future::isComplete);
  }

  @Test
  void limitWithoutAnOwnerToAsk_holdsPerLoop() {
    other.bus.deaf = true;
    bench.park(WAIT, 3, 100);
    bench.send("k", "A");
    List<Future<Answer>> duplicates = duplicates(10);
    assertThat(duplicates.stream().filter(Future::isComplete)).hasSize(4);
  }

  @Test
  void polls_backOffWhileTheBusIsWell_andComeFastWhileItIsNot() {
    bench.patience = Duration.ofSeconds(60);
    bench.send("k", "A");
    other.send("k", "A");
    long before = bench.store.calls(Operation.STANDING);
    bench.time.advance(Duration.ofSeconds(20));
    assertThat(bench.store.calls(Operation.STANDING) - before)
        .as("0.5, 1, 2, 4, then 5 s apart")
        .isBetween(5L, 9L);
    other.bus.healthy = false;
    bench.time.advance(Duration.ofSeconds(7));
    before = bench.store.calls(Operation.STANDING);
    bench.time.advance(Duration.ofSeconds(1));
    assertThat(bench.store.calls(Operation.STANDING) - before).isBetween(8L, 14L);
  }

  @Test
  void forgedHints_onlyMakeItLookAgain() {
    bench.send("k", "A");
    Future<Answer> duplicate = other.send("k", "A");
    other.bus.forge();
    assertThat(duplicate.isComplete()).isFalse();
    assertThat(bench.upstream.sent()).hasSize(1);
    bench.upstream.answer(201, "c1");
    bench.time.advance(Duration.ofSeconds(1));
    assertThat(duplicate.result().status()).isEqualTo(IdempotencyStatus.REPLAYED);
  }

  @Test
  void storeThatCannotBeRead_isAskedAgain() {
    bench.send("k", "A");
    Future<Answer> duplicate = other.send("k", "A");
    bench.store.fault(Operation.READ, Fault.DOWN);
    bench.upstream.answer(201, "c1");
    assertThat(duplicate.isComplete()).isFalse();
    bench.time.advance(Duration.ofSeconds(1));
    bench.store.heal();
    bench.time.advance(Duration.ofSeconds(2));
    assertThat(duplicate.result().status()).isEqualTo(IdempotencyStatus.REPLAYED);
  }

  @Test
  void rowThatCannotBeRead_isAnAlarmAndAnEnd() {
    bench.send("k", "A");
    Future<Answer> duplicate = other.send("k", "A");
    bench.store.fault(Operation.READ, Fault.DAMAGED);
    bench.upstream.answer(201, "c1");
    assertThat(EngineBench.problem(duplicate).type()).isEqualTo(Problem.Type.RECORD_DAMAGED);
  }

  @Test
  void drain_answersEverybody_withWhatIsStoredByNow() {
    other.bus.deaf = true;
    bench.send("k", "A");
    bench.send("k2", "A");
    Future<Answer> stored = other.send("k", "A");
    Future<Answer> running = other.send("k2", "A");
    Future<Answer> own = bench.send("k2", "A");
    bench.upstream.answer(201, "c1");

    assertThat(other.engine.answerWaiters().succeeded()).isTrue();
    assertThat(bench.engine.answerWaiters().succeeded()).isTrue();
    assertThat(stored.result().status()).isEqualTo(IdempotencyStatus.REPLAYED);
    assertThat(EngineBench.problem(running).type()).isEqualTo(Problem.Type.IN_FLIGHT);
    assertThat(EngineBench.problem(own).type()).isEqualTo(Problem.Type.IN_FLIGHT);
    assertThat(EngineBench.problem(own).retryAfter()).isPresent();
    assertThat(EngineBench.problem(bench.send("k2", "A")).type())
        .as("nobody waits any more")
        .isEqualTo(Problem.Type.IN_FLIGHT);
  }

  @Test
  void answerThatIsNotKept_isToldToWaitersAsSuch() {
    bench.send("k", "A");
    List<Future<Answer>> duplicates = duplicates(2);
    bench.upstream.end(new UpstreamResult.AnsweredUnkept(201, List.of(), new EngineBench.NoBody()));
    assertThat(duplicates)
        .extracting(answer -> EngineBench.problem(answer).type())
        .containsExactly(Problem.Type.RESPONSE_NOT_KEPT, Problem.Type.RESPONSE_NOT_KEPT);
  }

  private void assertNothingIsLeft() {
    assertThat(bench.time.timers()).as("timers").isZero();
    assertThat(bench.waiters.waiting("acme")).isZero();
    assertThat(bench.events.parked).isEqualTo(bench.events.woken.size() + bench.events.left);
    assertThat(bench.record("k").filter(IdempotencyRecord.Claimed.class::isInstance)).isEmpty();
  }
}
