package dev.oncegate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.Claim;
import dev.oncegate.core.HeaderField;
import dev.oncegate.testkit.FaultyRecordStore.Fault;
import dev.oncegate.testkit.FaultyRecordStore.Operation;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Waiting where something goes wrong, or comes at an odd moment: nobody is forgotten. */
class ParkingTroubleTest {
  private final EngineBench bench = new EngineBench();
  private final EngineBench.Loop other = bench.loop("owner-2");

  ParkingTroubleTest() {
    bench.patience = Duration.ofSeconds(30);
  }

  private List<Future<Answer>> waiters(int count) {
    return IntStream.range(0, count).mapToObj(i -> bench.send("k", "A")).toList();
  }

  /** A large body under another policy is compared elsewhere, and the world goes on meanwhile. */
  @Test
  void comparisonThatTakesItsTime_losesNobodyWhoCameMeanwhile() {
    bench.send("k", "A");
    Promise<Void> compared = Promise.promise();
    AtomicBoolean asked = new AtomicBoolean();
    Admission usual = bench.admission("k", "A");
    Claim.FingerprintMatcher slow =
        facts -> {
          if (asked.compareAndSet(false, true)) {
            throw new NotAtHand("a large body", compared::future);
          }
          return usual.matcher().matches(facts);
        };
    Future<Answer> late =
        bench.engine.handle(
            new Admission(
                usual.tenant(),
                usual.route(),
                usual.scope(),
                usual.key(),
                usual.fingerprint(),
                slow,
                usual.pathParameters(),
                usual.request()),
            new Patience(bench.patience));
    bench.upstream.answer(503, "busy");
    bench.store.fault(Operation.CLAIM, Fault.HELD);
    Future<Answer> second = bench.send("k", "A");
    Future<Answer> behind = bench.send("k", "A");
    compared.complete();
    bench.store.heal();
    bench.store.letGo();
    bench.upstream.answer(201, "c1");
    assertThat(second.result().status()).isEqualTo(IdempotencyStatus.EXECUTED);
    assertThat(List.of(late, behind))
        .allSatisfy(
            answer -> assertThat(answer.result().status()).isEqualTo(IdempotencyStatus.REPLAYED));
    assertThat(bench.upstream.sent()).hasSize(2);
  }

  @Test
  void retryAfterAtTheEndOfTime_isADay() {
    bench.send("k", "A");
    List<Future<Answer>> waiters = waiters(3);
    bench.upstream.answer(
        503,
        "closed",
        new HeaderField("Date", "Tue, 01 Dec 2026 00:00:00 GMT"),
        new HeaderField("Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT"));
    assertThat(waiters)
        .allSatisfy(
            answer ->
                assertThat(EngineBench.problem(answer).retryAfter().orElseThrow())
                    .isBetween(Duration.ofDays(1), Duration.ofDays(2)));
  }

  @Test
  void retryAfterAsADate_countsFromTheAnswersOwnDate() {
    bench.send("k", "A");
    List<Future<Answer>> waiters = waiters(1);
    bench.upstream.answer(
        503,
        "busy",
        new HeaderField("Date", "Tue, 01 Dec 2026 00:00:00 GMT"),
        new HeaderField("Retry-After", "Tue, 01 Dec 2026 00:00:20 GMT"));
    assertThat(EngineBench.problem(waiters.get(0)).retryAfter().orElseThrow())
        .isBetween(Duration.ofSeconds(20), Duration.ofSeconds(27));
  }

  @Test
  void answerThatCannotBeWritten_standsBeforeNobodyElses() {
    Future<Answer> winner = bench.send("k", "A");
    winner.onSuccess(
        answer -> {
          throw new IllegalStateException("the winner's writer");
        });
    List<Future<Answer>> waiters = waiters(10);
    waiters
        .get(0)
        .onSuccess(
            answer -> {
              throw new IllegalStateException("a waiter's writer");
            });
    bench.upstream.answer(201, "c1");
    assertThat(waiters)
        .allSatisfy(
            answer -> assertThat(answer.result().status()).isEqualTo(IdempotencyStatus.REPLAYED));
    assertThat(bench.events.lines)
        .contains("broken: the winner's writer", "broken: a waiter's writer");
    assertThat(bench.engine.running()).isZero();
  }

  @Test
  void thousands_areAnsweredInTurns() {
    bench.park(Duration.ofSeconds(30), 2_000, 2_000);
    bench.send("k", "A");
    List<Future<Answer>> waiters = waiters(1_000);
    bench.upstream.answer(201, "c1");
    assertThat(waiters.stream().filter(Future::isComplete)).hasSizeBetween(100, 900);
    bench.time.advance(Duration.ofMillis(10));
    assertThat(waiters)
        .allSatisfy(
            answer -> assertThat(answer.result().status()).isEqualTo(IdempotencyStatus.REPLAYED));
    assertThat(bench.waiters.waiting("acme")).isZero();
    assertThat(bench.time.timers()).isZero();
  }

  /** Nobody will tell of the end: the polls do not back off. */
  @Test
  void ownerThatIsNeverReached_isPolledForAtAConstantPace() {
    other.bus.deafLater = true;
    bench.send("k", "A");
    other.send("k", "A");
    bench.time.advance(Duration.ofSeconds(10));
    assertThat(bench.store.calls(Operation.STANDING)).isBetween(14L, 32L);
  }

  @Test
  void wakeUpWhoseReadFails_isMadeUpForByTheNextPoll() {
    bench.send("k", "A");
    Future<Answer> waiter = other.send("k", "A");
    bench.time.advance(Duration.ofSeconds(9));
    bench.store.fault(Operation.READ, Fault.DOWN);
    bench.upstream.answer(201, "c1");
    bench.store.heal();
    assertThat(waiter.isComplete()).isFalse();
    bench.time.advance(Duration.ofMillis(700));
    assertThat(waiter.result().status()).isEqualTo(IdempotencyStatus.REPLAYED);
  }

  @Test
  void whatALaterClaimOfTheSameRequestHasStored_isReplayedToThoseWhoWaitedForTheFirst() {
    other.bus.deaf = true;
    bench.send("k", "A");
    Future<Answer> waiter = other.send("k", "A");
    bench.upstream.answer(503, "busy");
    bench.send("k", "A");
    bench.upstream.answer(201, "second");
    bench.time.advance(Duration.ofMillis(700));
    assertThat(EngineBench.bodyOf(waiter)).isEqualTo("second");
  }

  @Test
  void whatALaterClaimOfAnotherRequestHasStored_isNotReplayed() {
    other.bus.deaf = true;
    bench.send("k", "A");
    Future<Answer> waiter = other.send("k", "A");
    bench.upstream.answer(503, "busy");
    bench.send("k", "B");
    bench.upstream.answer(201, "other payload");
    bench.time.advance(Duration.ofMillis(700));
    assertThat(EngineBench.problem(waiter).type()).isEqualTo(Problem.Type.ATTEMPT_RELEASED);
  }

  @Test
  void drain_waitsForTheReadThatIsUnderWay() {
    bench.send("k", "A");
    Future<Answer> waiter = other.send("k", "A");
    bench.store.fault(Operation.READ, Fault.HELD);
    bench.upstream.answer(201, "c1");
    Future<Void> drained = other.engine.answerWaiters();
    assertThat(drained.isComplete()).isFalse();
    bench.store.heal();
    bench.store.letGo();
    assertThat(drained.succeeded()).isTrue();
    assertThat(waiter.result().status()).isEqualTo(IdempotencyStatus.REPLAYED);
  }

  @Test
  void newcomerWhoMeetsTheClaimThatAGroupIsLookingAt_joinsThatGroup() {
    bench.send("k", "A");
    List<Future<Answer>> waiters = new ArrayList<>(List.of(other.send("k", "A")));
    bench.store.fault(Operation.READ, Fault.HELD);
    other.bus.forge();
    waiters.add(other.send("k", "A"));
    bench.store.heal();
    bench.store.letGo();
    bench.upstream.answer(201, "c1");
    bench.time.advance(Duration.ofSeconds(1));
    assertThat(waiters)
        .allSatisfy(
            answer -> assertThat(answer.result().status()).isEqualTo(IdempotencyStatus.REPLAYED));
    assertThat(bench.time.timers()).isZero();
  }

  @Test
  void storeThatIsDown_isToldToAllWhoWaitedForTheSameClaim() {
    bench.store.fault(Operation.CLAIM, Fault.HELD);
    List<Future<Answer>> all = waiters(5);
    bench.store.failHeld();
    assertThat(all)
        .allSatisfy(
            answer ->
                assertThat(EngineBench.problem(answer).type())
                    .isEqualTo(Problem.Type.STORE_UNAVAILABLE));
    assertThat(bench.store.calls(Operation.CLAIM)).isEqualTo(1);
  }
}
