package dev.oncegate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.engine.port.RecordUpkeep.Book;
import dev.oncegate.testkit.InMemoryUpkeep;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UpkeepTest {
  private final EngineBench bench = new EngineBench();
  private final InMemoryUpkeep store = bench.memory.upkeep();
  private final List<List<Book>> books = new ArrayList<>();
  private final Promise<Interview.Finding> question = Promise.promise();
  private RuntimeException thrown;
  private final Upkeep upkeep =
      new Upkeep(
          new Sweeper(
              store,
              bench.events,
              point -> {
                if (thrown != null) {
                  throw thrown;
                }
                return Future.succeededFuture();
              },
              100),
          new Reconciler(
              store,
              bench.policies,
              () -> List.of(bench.tenant()),
              (due, protocol, tenant) -> question.future(),
              new ProbeLimits(bench.time),
              bench.events,
              100),
          new Audit(store, bench.events),
          bench.time,
          bench.events,
          Duration.ofSeconds(1),
          books::add);

  @Test
  void lapsedClaim_isUnknownWithinTwoRounds_andTheBooksAreReadNowAndThen() {
    bench.send("k", "A");
    upkeep.start();
    bench.time.advanceDatabaseOnly(Duration.ofSeconds(45));
    bench.time.advance(Duration.ofMillis(2_500));
    assertThat(bench.events.lines).contains("unknown: the lease lapsed");
    assertThat(bench.record("k")).get().isInstanceOf(Unknown.class);
    bench.time.advance(Duration.ofSeconds(60));
    assertThat(books).hasSizeBetween(4, 7);
  }

  @Test
  void roundThatThrows_isFollowedByAnother() {
    thrown = new IllegalStateException("bug");
    upkeep.start();
    bench.send("first", "A");
    bench.time.advanceDatabaseOnly(Duration.ofSeconds(45));
    bench.time.advance(Duration.ofSeconds(5));
    assertThat(bench.events.lines).contains("store failed: upkeep");
    thrown = null;
    bench.events.lines.clear();
    bench.send("k", "A");
    bench.time.advanceDatabaseOnly(Duration.ofSeconds(45));
    bench.time.advance(Duration.ofMillis(2_500));
    assertThat(bench.events.lines).contains("unknown: the lease lapsed");
  }

  @Test
  void questionThatHangs_keepsNobodyElsesClaimFromLapsing() {
    bench.protocol = ReconcilerTest.probed();
    bench.send("first", "A");
    upkeep.start();
    bench.time.advanceDatabaseOnly(Duration.ofSeconds(45));
    bench.time.advance(Duration.ofMillis(2_500));
    bench.events.lines.clear();
    bench.send("k", "A");
    bench.time.advanceDatabaseOnly(Duration.ofSeconds(45));
    bench.time.advance(Duration.ofMillis(2_500));
    assertThat(bench.events.lines).contains("unknown: the lease lapsed");
    Future<Void> stopped = upkeep.stop();
    assertThat(stopped.isComplete()).isFalse();
    question.complete(new Interview.Finding.Undecided(false, "too late"));
    assertThat(stopped.succeeded()).isTrue();
  }

  @Test
  void stopped_isTheLastRound() {
    upkeep.start();
    bench.time.advance(Duration.ofSeconds(3));
    assertThat(upkeep.stop().succeeded()).isTrue();
    int timers = bench.time.timers();
    bench.time.advance(Duration.ofSeconds(30));
    assertThat(bench.time.timers()).isLessThanOrEqualTo(timers);
  }
}
