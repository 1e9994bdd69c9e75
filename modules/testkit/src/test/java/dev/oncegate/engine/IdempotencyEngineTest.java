package dev.oncegate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.HeaderField;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.testkit.FaultyRecordStore.Fault;
import dev.oncegate.testkit.FaultyRecordStore.Operation;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The order of steps, on one thread and hand-moved time. */
class IdempotencyEngineTest {
  private final EngineBench bench = new EngineBench();

  @Test
  void firstRequest_isSentOnceAndStored() {
    Future<Answer> first = bench.send("k", "A");
    assertThat(first.isComplete()).isFalse();
    bench.upstream.answer(201, "c1", new HeaderField("Location", "/charges/1"));

    assertThat(first.result().status()).isEqualTo(IdempotencyStatus.EXECUTED);
    assertThat(bench.record("k")).get().isInstanceOf(IdempotencyRecord.Completed.class);
    assertThat(bench.upstream.sent()).hasSize(1);
    assertThat(bench.engine.running()).isZero();
    assertThat(bench.time.timers()).as("no timer is left behind").isZero();
  }

  @Test
  void winnersAnswer_waitsForTheCommit() {
    bench.store.fault(Operation.COMPLETE, Fault.HELD);
    Future<Answer> first = bench.send("k", "A");
    bench.upstream.answer(201, "c1");
    assertThat(first.isComplete()).as("not before the commit is acknowledged").isFalse();

    bench.store.letGo();
    assertThat(first.result().status()).isEqualTo(IdempotencyStatus.EXECUTED);
  }

  @Test
  void nothingIsSent_beforeTheClaimIsDurable() {
    bench.store.fault(Operation.CLAIM, Fault.HELD);
    bench.send("k", "A");
    assertThat(bench.upstream.sent()).isEmpty();

    bench.store.letGo();
    assertThat(bench.upstream.sent()).hasSize(1);
  }

  @Test
  void repeat_getsTheStoredAnswer() {
    bench.send("k", "A");
    bench.upstream.answer(
        201, "c1", new HeaderField("Location", "/charges/1"), new HeaderField("Set-Cookie", "a=b"));
    Future<Answer> second = bench.send("k", "A");

    Answer.Replayed replayed = (Answer.Replayed) second.result();
    assertThat(replayed.response().status()).isEqualTo(201);
    assertThat(replayed.response().headers())
        .containsExactly(new HeaderField("Location", "/charges/1"));
    assertThat(EngineBench.bodyOf(second)).isEqualTo("c1");
    assertThat(bench.upstream.sent()).hasSize(1);
  }

  @Test
  void repeatWhileWinnerRuns_isInFlight() {
    bench.send("k", "A");
    bench.time.advance(Duration.ofSeconds(3));

    Problem problem = EngineBench.problem(bench.send("k", "A"));
    assertThat(problem.type()).isEqualTo(Problem.Type.IN_FLIGHT);
    assertThat(problem.retryAfter().orElseThrow())
        .isBetween(Duration.ofSeconds(1), bench.protocol.lease().ttl());
    assertThat(problem.retryDeadline()).isPresent();
  }

  @Test
  void otherPayload_isMismatchInEveryState() {
    bench.send("k", "A");
    assertThat(EngineBench.problem(bench.send("k", "B")).type())
        .as("while the winner runs")
        .isEqualTo(Problem.Type.KEY_REUSED);
    bench.upstream.answer(201, "c1");
    assertThat(EngineBench.problem(bench.send("k", "B")).type())
        .as("once completed")
        .isEqualTo(Problem.Type.KEY_REUSED);
    bench.time.advance(Duration.ofMinutes(61));
    assertThat(EngineBench.problem(bench.send("k", "B")).type())
        .as("as a tombstone")
        .isEqualTo(Problem.Type.KEY_REUSED);
    assertThat(bench.upstream.sent()).hasSize(1);
  }

  @Test
  void afterTheDeadline_isRefusedFromTheTombstone_andAfterThatAStranger() {
    bench.send("k", "A");
    bench.upstream.answer(201, "c1");
    bench.time.advance(Duration.ofMinutes(60));
    assertThat(EngineBench.problem(bench.send("k", "A")).type())
        .isEqualTo(Problem.Type.RETRY_DEADLINE_PASSED);

    bench.time.advance(Duration.ofMinutes(60));
    bench.send("k", "A");
    assertThat(bench.upstream.sent()).hasSize(2);
  }

  @Test
  void storeDownAtTheClaim_refusesAndSendsNothing() {
    bench.store.fault(Operation.CLAIM, Fault.DOWN);
    Problem problem = EngineBench.problem(bench.send("k", "A"));
    assertThat(problem.type()).isEqualTo(Problem.Type.STORE_UNAVAILABLE);
    assertThat(problem.status()).isEqualTo(IdempotencyStatus.REFUSED);
    assertThat(problem.retryAfter()).isPresent();
    assertThat(bench.upstream.sent()).isEmpty();
  }

  @Test
  void unreadableRow_isNeitherServedNorExecuted() {
    bench.store.fault(Operation.CLAIM, Fault.DAMAGED);
    Problem problem = EngineBench.problem(bench.send("k", "A"));
    assertThat(problem.type()).isEqualTo(Problem.Type.RECORD_DAMAGED);
    assertThat(problem.status()).isEqualTo(IdempotencyStatus.UNKNOWN);
    assertThat(bench.upstream.sent()).isEmpty();
    assertThat(bench.events.lines).singleElement().asString().startsWith("damaged");
  }

  @Test
  void claimThatTookMoreThanHalfTheLease_isReleasedAndNotSent() {
    bench.store.fault(Operation.CLAIM, Fault.HELD);
    Future<Answer> first = bench.send("k", "A");
    bench.time.advance(Duration.ofSeconds(23));
    bench.store.letGo();

    assertThat(EngineBench.problem(first).type()).isEqualTo(Problem.Type.STORE_UNAVAILABLE);
    assertThat(bench.upstream.sent()).isEmpty();
    assertThat(bench.record("k")).isEmpty();
  }

  @Test
  void forget_makesTheKeyAStrangerAtTheDeadline() {
    bench.protocol =
        new RoutePolicy.Protocol(
            "forgetting",
            bench.protocol.key(),
            bench.protocol.fingerprint(),
            bench.protocol.outcome(),
            bench.protocol.lease(),
            bench.protocol.maxRequest(),
            bench.protocol.capture(),
            List.of(),
            true,
            new dev.oncegate.core.Retention(Duration.ofHours(1), Duration.ZERO),
            bench.protocol.reconciliation());
    bench.send("k", "A");
    bench.upstream.answer(201, "c1");
    bench.time.advance(Duration.ofMinutes(60));
    bench.send("k", "A");
    assertThat(bench.upstream.sent()).hasSize(2);
  }

  @Test
  void answerOverTheCap_isCommittedAsNotKept_thenStreamed() {
    Future<Answer> first = bench.send("k", "A");
    Unkept body = new Unkept();
    bench.upstream.end(
        new UpstreamResult.AnsweredUnkept(
            201, List.of(new HeaderField("Location", "/charges/1")), body));

    assertThat(first.result()).isInstanceOf(Answer.Streamed.class);
    assertThat(first.result().status()).isEqualTo(IdempotencyStatus.EXECUTED);
    assertThat(body.discarded).isFalse();
    Problem problem = EngineBench.problem(bench.send("k", "A"));
    assertThat(problem.type()).isEqualTo(Problem.Type.RESPONSE_NOT_KEPT);
    assertThat(problem.status()).isEqualTo(IdempotencyStatus.REPLAYED);
    assertThat(problem.original()).contains(new Problem.Original(201, Optional.of("/charges/1")));
  }

  @Test
  void unkeptAnswerThatComesTooLateForItsClient_isStoredAndLetGo() {
    Future<Answer> first = bench.send("k", "A");
    bench.time.advance(Duration.ofSeconds(31));
    Unkept body = new Unkept();
    bench.upstream.end(new UpstreamResult.AnsweredUnkept(200, List.of(), body));

    assertThat(EngineBench.problem(first).type()).isEqualTo(Problem.Type.UPSTREAM_TIMEOUT);
    assertThat(body.discarded).isTrue();
    assertThat(bench.record("k")).get().isInstanceOf(IdempotencyRecord.Completed.class);
  }

  @Test
  void idle_waitsForTheLastExchange() {
    assertThat(bench.engine.idle().succeeded()).isTrue();
    bench.send("k1", "A");
    bench.send("k2", "A");
    Future<Void> idle = bench.engine.idle();
    bench.upstream.answer(201, "1");
    assertThat(idle.isComplete()).isFalse();
    bench.upstream.answer(201, "2");
    assertThat(idle.succeeded()).isTrue();
  }

  private static final class Unkept implements UpstreamResult.UnkeptBody {
    private boolean discarded;

    @Override
    public io.vertx.core.streams.ReadStream<io.vertx.core.buffer.Buffer> stream() {
      throw new UnsupportedOperationException("nobody reads it here");
    }

    @Override
    public void discard() {
      discarded = true;
    }
  }
}
