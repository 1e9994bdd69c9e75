package dev.oncegate.engine;

import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimFacts;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A claim whose exchange runs on this loop, and those who wait for its end. */
final class Winner {
  /** Beyond it a loop is told to look by itself. */
  private static final int MOST_LOOPS = 4_096;

  private final IdempotencyRecord.Claimed record;
  private final LeaseKeeper.Held lease;
  private final long asked;
  private final Seats seats;
  private final Guard guard;
  private final Map<String, Promise<Hint>> attached = new LinkedHashMap<>();
  private @Nullable Consumer<Ending> group;
  private boolean ended;

  /**
   * A claim that was just won.
   *
   * @param asked monotonic time just before the claim left
   * @param seats for its waiters on all loops together
   */
  Winner(
      Claim claim,
      ClaimOutcome.Won won,
      LeaseKeeper.Held lease,
      long asked,
      Seats seats,
      Guard guard) {
    ClaimFacts facts = claim.facts(won.token(), won.deadline().minus(claim.retention()));
    this.record = new IdempotencyRecord.Claimed(facts, won.leaseUntil());
    this.lease = lease;
    this.asked = asked;
    this.seats = seats;
    this.guard = guard;
  }

  /** As it was won; the lease has been renewed since. */
  IdempotencyRecord.Claimed record() {
    return record;
  }

  FencingToken token() {
    return record.facts().token();
  }

  Instant deadline() {
    return record.publishedDeadline();
  }

  /** How long it has run. */
  Duration running(long now) {
    return Duration.ofNanos(now - asked);
  }

  /** Whether what this loop knows of the claim can be relied on. */
  boolean holds() {
    return !ended && lease.stands();
  }

  /** Where the waiters of this loop are told of the end. */
  void tell(Consumer<Ending> ending) {
    group = ending;
  }

  Future<Hint> attach(Waiting waiting) {
    if (attached.size() >= MOST_LOOPS && !attached.containsKey(waiting.loop())) {
      return Future.succeededFuture(new Hint.LookAgain());
    }
    Promise<Hint> told = Promise.promise();
    attached.put(waiting.loop(), told);
    return told.future();
  }

  /** How many of a loop's own may wait. */
  int room(String loop, long now) {
    return seats.room(loop, now);
  }

  int seats(String loop, int wanted, long until, long now) {
    return seats.grant(loop, wanted, until, now);
  }

  /**
   * The end, of which the first counts. Other loops are told before anything else: a few messages,
   * while this loop's waiters may be thousands. They come last, when the winner has its answer.
   */
  void end(Ending ending, Runnable answerWinner) {
    boolean first = !ended;
    ended = true;
    if (first) {
      List<Promise<Hint>> told = List.copyOf(attached.values());
      attached.clear();
      told.forEach(loop -> guard.run(() -> loop.complete(ending.hint())));
    }
    guard.run(answerWinner);
    Consumer<Ending> waiting = group;
    if (first && waiting != null) {
      guard.run(() -> waiting.accept(ending));
    }
  }
}
