package dev.oncegate.store.postgres;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.RecordRules.Decision;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.store.postgres.BatchRow.Told;
import dev.oncegate.store.postgres.PgFailures.AskAgain;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One settle on its way to an outcome; repeated as it is where its answer was lost. */
final class SettleAsk {
  private final BatchLane<SettleRow> batches;
  private final long deadline;
  private final LongSupplier nanos;

  /** Somebody else holds this row: the next try waits for it by itself. */
  private boolean rivalled;

  SettleAsk(BatchLane<SettleRow> batches, long deadline, LongSupplier nanos) {
    this.batches = batches;
    this.deadline = deadline;
    this.nanos = nanos;
  }

  /**
   * Asks and decides.
   *
   * @param rule what the rules say to a record that the statement left as it was
   */
  Future<SettleOutcome> outcome(SettleRow row, Rule rule) {
    return Asking.until(deadline, nanos, () -> attempt(row).compose(told -> settled(told, rule)));
  }

  private Future<Told> attempt(SettleRow row) {
    return (rivalled ? batches.askPatiently(row, deadline) : batches.ask(row, deadline))
        .onFailure(failure -> rivalled |= PgFailures.isLockTimeout(failure));
  }

  private static Future<SettleOutcome> settled(Told told, Rule rule) {
    Row row = told.row();
    BrokenInvariant.require(row != null, "a settle is always answered with a row");
    if (row == null) {
      return Future.failedFuture(new AskAgain("no row"));
    }
    if (Boolean.TRUE.equals(row.getBoolean("settled"))) {
      boolean dated = row.getOffsetDateTime("deadline") != null;
      return Future.succeededFuture(
          new SettleOutcome.Done(dated ? RecordRows.time(row, "deadline") : null));
    }
    IdempotencyRecord met = RecordRows.holdsRecord(row) ? RecordRows.withoutBody(row) : null;
    Decision<SettleOutcome> decision = rule.decide(met, RecordRows.now(row));
    // The rules would have changed this record and the statement did not: the row that it compared
    // was newer than the snapshot's, which is all that came back.
    return decision.next() == met
        ? Future.succeededFuture(decision.outcome())
        : Future.failedFuture(new AskAgain("the record changed meanwhile"));
  }

  /** One of {@link dev.oncegate.core.RecordRules}. */
  @FunctionalInterface
  interface Rule {
    Decision<SettleOutcome> decide(@Nullable IdempotencyRecord record, Instant now);
  }
}
