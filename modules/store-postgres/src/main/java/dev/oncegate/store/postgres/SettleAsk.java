package dev.oncegate.store.postgres;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.RecordRules.Decision;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.store.postgres.Lane.Reply;
import dev.oncegate.store.postgres.PgFailures.AskAgain;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One settle on its way to an outcome; repeated as it is where its answer was lost. */
final class SettleAsk {
  private final Lane lane;
  private final long deadline;
  private final LongSupplier nanos;

  SettleAsk(Lane lane, long deadline, LongSupplier nanos) {
    this.lane = lane;
    this.deadline = deadline;
    this.nanos = nanos;
  }

  /**
   * Asks and decides.
   *
   * @param rule what the rules say to a record that the statement left as it was
   */
  Future<SettleOutcome> outcome(String sql, Tuple parameters, Rule rule) {
    return Asking.until(
        deadline,
        nanos,
        () -> lane.ask(sql, parameters, deadline).compose(reply -> settled(reply, rule)));
  }

  private static Future<SettleOutcome> settled(Reply reply, Rule rule) {
    Row row = reply.row();
    BrokenInvariant.require(row != null, "a settle is always answered with a row");
    if (row == null) {
      return Future.failedFuture(new AskAgain("no row"));
    }
    if (Boolean.TRUE.equals(row.getBoolean("settled"))) {
      boolean dated = row.getColumnIndex("deadline") >= 0;
      return Future.succeededFuture(
          new SettleOutcome.Done(dated ? RecordRows.time(row, "deadline") : null));
    }
    IdempotencyRecord met = RecordRows.holdsRecord(row) ? RecordRows.record(row) : null;
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
