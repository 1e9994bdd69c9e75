package dev.oncegate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.engine.port.Failpoints.Point;
import dev.oncegate.testkit.FaultyRecordStore.Fault;
import dev.oncegate.testkit.FaultyRecordStore.Operation;
import io.vertx.core.Future;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A byte leaves under a lease that surely stands, or not at all (reliability S8, finding 2). */
class SendLimitTest {
  private final EngineBench bench = new EngineBench();

  @Test
  void renewedLease_maySendHoweverLongItWaitedForAConnection() {
    bench.send("k", "A");
    bench.time.advance(Duration.ofMinutes(10));
    assertThat(bench.upstream.maySend()).isTrue();
  }

  @Test
  void leaseThatCouldNotBeRenewed_maySendUntilAMarginBeforeItsEnd() {
    bench.send("k", "A");
    bench.store.fault(Operation.RENEW, Fault.DOWN);
    bench.time.advance(Duration.ofMillis(40_400));
    assertThat(bench.upstream.maySend()).isTrue();
    bench.time.advance(Duration.ofMillis(100));
    assertThat(bench.upstream.maySend()).isFalse();
  }

  @Test
  void renewalWhoseAnswerCameLate_countsFromWhenItWasAsked() {
    bench.send("k", "A");
    bench.store.fault(Operation.RENEW, Fault.HELD);
    bench.time.advance(Duration.ofSeconds(44));
    bench.store.letGo();
    bench.time.advance(Duration.ofSeconds(11));
    assertThat(bench.upstream.maySend()).isTrue();
    bench.time.advance(Duration.ofSeconds(1));
    assertThat(bench.upstream.maySend()).isFalse();
  }

  @Test
  void ownerThatLearnsThatItsLeaseIsLost_sendsNothing_andTheKeyIsFree() {
    Future<Answer> first = bench.send("k", "A");
    bench.time.advanceDatabaseOnly(Duration.ofSeconds(45));
    bench.time.advance(Duration.ofSeconds(16));
    assertThat(bench.upstream.maySend()).isFalse();
    bench.upstream.end(new UpstreamResult.NotSent("the lease was lost"));
    assertThat(first.result().status()).isEqualTo(IdempotencyStatus.RELEASED);
    assertThat(bench.record("k")).isEmpty();
  }

  @Test
  void failureBeforeTheSend_refusesAndReleases() {
    for (Point point : new Point[] {Point.CLAIM_BEFORE, Point.CLAIM_AFTER, Point.FORWARD_BEFORE}) {
      bench.failing = point;
      Problem problem = EngineBench.problem(bench.send("k", "A"));
      assertThat(problem.type()).as("%s", point).isEqualTo(Problem.Type.INTERNAL_ERROR);
      assertThat(problem.status()).as("%s", point).isEqualTo(IdempotencyStatus.REFUSED);
      assertThat(bench.record("k")).as("%s", point).isEmpty();
    }
    assertThat(bench.upstream.sent()).isEmpty();
  }

  @Test
  void failureAfterTheSend_isUnknown() {
    Future<Answer> first = bench.send("k", "A");
    bench.failing = Point.FORWARD_AFTER;
    bench.upstream.left();
    bench.upstream.answer(201, "c1");
    assertThat(first.result().status()).isEqualTo(IdempotencyStatus.UNKNOWN);
    assertThat(bench.record("k")).get().isInstanceOf(Unknown.class);
  }

  @Test
  void failureBeforeTheCompletion_leavesTheRecordToItsLease() {
    Future<Answer> first = bench.send("k", "A");
    bench.failing = Point.COMPLETE_BEFORE;
    bench.upstream.answer(201, "c1");
    assertThat(EngineBench.problem(first).status()).isEqualTo(IdempotencyStatus.UNKNOWN);
    assertThat(bench.record("k")).get().isInstanceOf(Claimed.class);
    bench.time.advance(Duration.ofSeconds(45));
    assertThat(bench.record("k")).get().isInstanceOf(Unknown.class);
  }

  @Test
  void failureAfterTheCompletion_isReplayedToTheRetry() {
    for (Point point : new Point[] {Point.COMPLETE_AFTER, Point.REPLY_BEFORE}) {
      bench.failing = point;
      Future<Answer> first = bench.send("k" + point, "A");
      bench.upstream.answer(201, "c1");
      assertThat(EngineBench.problem(first).status()).isEqualTo(IdempotencyStatus.UNKNOWN);
      assertThat(bench.record("k" + point)).get().isInstanceOf(Completed.class);
      assertThat(EngineBench.bodyOf(bench.send("k" + point, "A"))).isEqualTo("c1");
    }
  }
}
