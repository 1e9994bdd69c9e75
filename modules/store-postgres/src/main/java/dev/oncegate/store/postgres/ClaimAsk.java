package dev.oncegate.store.postgres;

import dev.oncegate.core.Claim;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Expired;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.RecordRules;
import dev.oncegate.store.postgres.BatchRow.Told;
import dev.oncegate.store.postgres.Lane.Reply;
import dev.oncegate.store.postgres.PgFailures.AskAgain;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * One claim on its way to a record: its own or the one it met. Whatever is not clear (no answer, a
 * rival in between, a compare-and-set that met a change) is settled by asking the same insert again
 * with the same claim id, never by a plain read: an unfinished commit is invisible to a read
 * (reliability finding 3).
 */
final class ClaimAsk {
  private final Lane lane;
  private final BatchLane<ClaimRow> batches;
  private final Claim claim;
  private final ClaimRow row;
  private final long deadline;
  private final LongSupplier nanos;
  private boolean mayBeThere;

  /** Somebody else holds this key's lock: the next try waits for it, by itself. */
  private boolean rivalled;

  ClaimAsk(Lane lane, BatchLane<ClaimRow> batches, Claim claim, long deadline, LongSupplier nanos) {
    this.lane = lane;
    this.batches = batches;
    this.claim = claim;
    this.row = new ClaimRow(claim);
    this.deadline = deadline;
    this.nanos = nanos;
  }

  /**
   * The record as the database has it after the claim, aged.
   *
   * @param now the database's clock at which it was so
   * @param warned whether a commit came with a warning: nothing that it wrote may be durable
   */
  record Known(IdempotencyRecord record, Instant now, boolean warned) {}

  Future<Known> record() {
    return Asking.until(deadline, nanos, this::attempt);
  }

  /** Whether anything was sent: who comes now may have come after the database looked. */
  boolean sent() {
    return row.sent();
  }

  /** Whether a claim that failed may nevertheless have been written. */
  boolean mayBeThere() {
    return mayBeThere;
  }

  private Future<Known> attempt() {
    return noting(rivalled ? batches.askPatiently(row, deadline) : batches.ask(row, deadline))
        .compose(this::claimed);
  }

  private Future<Known> claimed(Told told) {
    Row answer = told.row();
    if (answer == null) {
      rivalled = false;
      return Future.failedFuture(new AskAgain("a rival committed meanwhile"));
    }
    Claimed won = RecordRows.won(answer, claim);
    if (won != null) {
      mayBeThere = true;
      return Future.succeededFuture(new Known(won, won.facts().claimedAt(), told.warned()));
    }
    if (Boolean.TRUE.equals(answer.getBoolean("busy"))) {
      rivalled = true;
      return Future.failedFuture(new AskAgain("a rival has not committed"));
    }
    return Boolean.TRUE.equals(answer.getBoolean("large"))
        ? lane.ask(ReadSql.READ, ReadSql.read(claim.id()), deadline).compose(this::read)
        : met(RecordRows.record(answer), RecordRows.now(answer), told.warned());
  }

  /** A met record with a large body: what is read now is as true as what was met. */
  private Future<Known> read(Reply reply) {
    Row answer = reply.row();
    return answer == null
        ? Future.failedFuture(new AskAgain("the record is gone"))
        : met(RecordRows.record(answer), RecordRows.now(answer), reply.warned());
  }

  private Future<Known> met(IdempotencyRecord record, Instant now, boolean warned) {
    IdempotencyRecord live = RecordRules.aged(record, now);
    FencingToken token = record.facts().token();
    if (live == null) {
      return noting(lane.ask(ClaimSql.RECLAIM, ClaimSql.reclaim(claim, token), deadline))
          .compose(this::reclaimed);
    }
    Future<Void> physical = Future.succeededFuture();
    if (record instanceof Claimed lapsed && live instanceof Unknown) {
      physical = touch(ClaimSql.LAPSE, ClaimSql.lapse(claim, token, lapsed.leaseUntil()));
    } else if (record instanceof Completed && live instanceof Expired) {
      physical = touch(ClaimSql.EXPIRE, ClaimSql.expire(claim, token));
    }
    return physical.map(done -> new Known(live, now, warned));
  }

  private Future<Known> reclaimed(Reply reply) {
    Row answer = reply.row();
    Claimed won = answer == null ? null : RecordRows.won(answer, claim);
    if (won == null) {
      return Future.failedFuture(new AskAgain("another claimed the stranger first"));
    }
    mayBeThere = true;
    return Future.succeededFuture(new Known(won, won.facts().claimedAt(), reply.warned()));
  }

  private Future<Void> touch(String sql, Tuple parameters) {
    return lane.ask(sql, parameters, deadline)
        .compose(
            reply ->
                reply.row() == null
                    ? Future.failedFuture(new AskAgain("the record changed meanwhile"))
                    : Future.succeededFuture());
  }

  /** Remembers that a row may be there, unless the statement surely wrote none. */
  private <T> Future<T> noting(Future<T> asked) {
    return asked.onFailure(
        failure -> {
          mayBeThere |= !(failure instanceof LaneFailure.NotAsked);
          rivalled |= PgFailures.isLockTimeout(failure);
        });
  }
}
