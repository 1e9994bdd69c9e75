package dev.oncegate.store.postgres;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Expired;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.RecordRules;
import dev.oncegate.engine.port.RecordStore.StoreUnavailable;
import dev.oncegate.store.postgres.Lane.Reply;
import dev.oncegate.store.postgres.PgFailures.AskAgain;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One claim on its way to an outcome. Whatever is not clear (no answer, a rival in between, a
 * compare-and-set that met a change) is settled by asking the same insert again with the same claim
 * id, never by a plain read: an unfinished commit is invisible to a read (reliability finding 3).
 */
final class ClaimAsk {
  /** Stands for the token that a claim would draw; never used, since strangers are reclaimed. */
  private static final FencingToken ABOVE_ALL = new FencingToken(Long.MAX_VALUE);

  private final Lane lane;
  private final Claim claim;
  private final long deadline;
  private final LongSupplier nanos;
  private boolean mayBeThere;

  ClaimAsk(Lane lane, Claim claim, long deadline, LongSupplier nanos) {
    this.lane = lane;
    this.claim = claim;
    this.deadline = deadline;
    this.nanos = nanos;
  }

  Future<ClaimOutcome> outcome() {
    return Asking.until(deadline, nanos, this::attempt);
  }

  /** Whether a claim that failed may nevertheless have been written. */
  boolean mayBeThere() {
    return mayBeThere;
  }

  private Future<ClaimOutcome> attempt() {
    return ask(ClaimSql.CLAIM, ClaimSql.claim(claim)).compose(this::claimed);
  }

  private Future<ClaimOutcome> claimed(Reply reply) {
    Row row = reply.row();
    BrokenInvariant.require(row != null, "a claim is always answered with a row");
    if (row == null) {
      return Future.failedFuture(new AskAgain("no row"));
    }
    ClaimOutcome.Won won = RecordRows.won(row, claim.retention());
    if (won != null) {
      return durable(won, reply);
    }
    if (!RecordRows.holdsRecord(row)) {
      return Future.failedFuture(new AskAgain("a rival committed meanwhile"));
    }
    return met(RecordRows.record(row), RecordRows.now(row), reply);
  }

  private Future<ClaimOutcome> met(IdempotencyRecord record, Instant now, Reply reply) {
    IdempotencyRecord live = RecordRules.aged(record, now);
    FencingToken token = record.facts().token();
    if (live == null) {
      return ask(ClaimSql.RECLAIM, ClaimSql.reclaim(claim, token)).compose(this::reclaimed);
    }
    Future<Void> physical = Future.succeededFuture();
    if (record instanceof Claimed lapsed && live instanceof Unknown) {
      physical = touch(ClaimSql.LAPSE, ClaimSql.lapse(claim, token, lapsed.leaseUntil()));
    } else if (record instanceof Completed && live instanceof Expired) {
      physical = touch(ClaimSql.EXPIRE, ClaimSql.expire(claim, token));
    }
    return physical.compose(
        done -> {
          ClaimOutcome outcome = RecordRules.claim(live, claim, ABOVE_ALL, now).outcome();
          return outcome instanceof ClaimOutcome.Won mine
              ? durable(mine, reply)
              : Future.succeededFuture(outcome);
        });
  }

  private Future<ClaimOutcome> reclaimed(Reply reply) {
    Row row = reply.row();
    ClaimOutcome.@Nullable Won won = row == null ? null : RecordRows.won(row, claim.retention());
    return won == null
        ? Future.failedFuture(new AskAgain("another claimed the stranger first"))
        : durable(won, reply);
  }

  private Future<ClaimOutcome> durable(ClaimOutcome.Won won, Reply reply) {
    mayBeThere = true;
    return reply.warned()
        ? Future.failedFuture(new StoreUnavailable("the claim was committed with a warning"))
        : Future.succeededFuture(won);
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
  private Future<Reply> ask(String sql, Tuple parameters) {
    return lane.ask(sql, parameters, deadline)
        .onFailure(
            failure -> {
              if (!(failure instanceof LaneFailure.NotAsked)) {
                mayBeThere = true;
              }
            });
  }
}
