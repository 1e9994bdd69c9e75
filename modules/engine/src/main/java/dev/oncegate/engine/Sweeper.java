package dev.oncegate.engine;

import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.Failpoints;
import dev.oncegate.engine.port.Failpoints.Point;
import dev.oncegate.engine.port.RecordUpkeep;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * Makes physical what time has done: lapsed claims become unknown, passed deadlines become
 * tombstones, ended tombstones go. Bounded batches, safe to run twice and on every node at once. It
 * never executes, and it asks nobody (reliability S10, S11): what it moves to unknown is for the
 * {@link Reconciler}.
 */
public final class Sweeper {
  /**
   * Batches of one run and kind, so that purging keeps pace with any admission rate and no run
   * lasts for ever; where all of them were full, the next run follows at once.
   */
  private static final int MOST_ROUNDS = 20;

  /** How long the timeline of a record that is gone can be read. */
  private static final Duration TIMELINE = Duration.ofDays(90);

  /** Every few minutes where a run is each second. */
  private static final int TRIM_EACH = 300;

  private final RecordUpkeep upkeep;
  private final EngineEvents events;
  private final Failpoints failpoints;
  private final int batch;
  private int runs;

  /**
   * A sweeper.
   *
   * @param batch rows of one statement
   */
  public Sweeper(RecordUpkeep upkeep, EngineEvents events, Failpoints failpoints, int batch) {
    this.upkeep = upkeep;
    this.events = events;
    this.failpoints = failpoints;
    this.batch = batch;
  }

  /**
   * What one run did.
   *
   * @param more whether there is more to do now
   */
  public record Counts(int lapsed, int expired, int forgotten, boolean more) {}

  /**
   * One run. Fails where lapsed claims cannot be looked for; what was done until then stays done. A
   * step of the purge that fails keeps nothing else from being done.
   */
  public Future<Counts> runOnce() {
    return rounds(this::lapse).compose(lapsed -> passed(lapsed).compose(passed -> purge(lapsed)));
  }

  private Future<Counts> purge(Rounds lapsed) {
    return step("expire", () -> upkeep.expire(batch))
        .compose(
            expired ->
                step("forget", () -> upkeep.forget(batch))
                    .compose(forgotten -> trim().map(done -> counts(lapsed, expired, forgotten))));
  }

  private Future<Rounds> step(String name, Supplier<Future<Integer>> statement) {
    return rounds(statement)
        .recover(
            failure -> {
              events.storeFailed(name, failure);
              return Future.succeededFuture(new Rounds(0, false));
            });
  }

  /** Now and then: it has to look at the records of all entries that are old. */
  private Future<Rounds> trim() {
    return runs++ % TRIM_EACH == 0
        ? step("trim", () -> upkeep.trimTimelines(TIMELINE, batch))
        : Future.succeededFuture(new Rounds(0, false));
  }

  /** A round in which nothing lapsed does not pass the point: there would be nothing to lose. */
  private Future<Void> passed(Rounds lapsed) {
    return lapsed.rows() == 0
        ? Future.succeededFuture()
        : failpoints.then(Point.SWEEP_EXPIRED, Future::succeededFuture);
  }

  private Future<Integer> lapse() {
    return upkeep
        .lapse(batch)
        .map(
            moved -> {
              moved.forEach(
                  m -> events.markedUnknown(m.tenant(), m.route(), m.id(), "the lease lapsed"));
              return moved.size();
            });
  }

  private Counts counts(Rounds lapsed, Rounds expired, Rounds forgotten) {
    events.swept("lapsed", lapsed.rows());
    events.swept("expired", expired.rows());
    events.swept("forgotten", forgotten.rows());
    boolean more = List.of(lapsed, expired, forgotten).stream().anyMatch(Rounds::more);
    return new Counts(lapsed.rows(), expired.rows(), forgotten.rows(), more);
  }

  private record Rounds(int rows, boolean more) {}

  private Future<Rounds> rounds(Supplier<Future<Integer>> statement) {
    return rounds(statement, 0, MOST_ROUNDS);
  }

  private Future<Rounds> rounds(Supplier<Future<Integer>> statement, int before, int left) {
    return statement
        .get()
        .compose(
            rows -> {
              boolean full = rows >= batch;
              return full && left > 1
                  ? rounds(statement, before + rows, left - 1)
                  : Future.succeededFuture(new Rounds(before + rows, full));
            });
  }
}
