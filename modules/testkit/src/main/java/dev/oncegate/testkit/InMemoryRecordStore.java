package dev.oncegate.testkit;

import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.RecordRules;
import dev.oncegate.core.RenewOutcome;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.TimelineEntry.Kind;
import dev.oncegate.core.TimelineEntry.Note;
import dev.oncegate.engine.port.RecordStore;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

/** The reference store: {@link RecordRules} on a map, atomic per record. */
public final class InMemoryRecordStore implements RecordStore {
  private static final Note LAPSED = InMemoryRows.lapsed("claim");

  private final InMemoryRows rows;
  private final AtomicLong tokens = new AtomicLong();

  /**
   * An empty store.
   *
   * @param clock what the database's clock says
   */
  public InMemoryRecordStore(Supplier<Instant> clock) {
    this.rows = new InMemoryRows(clock);
  }

  /** What sweeper, reconciler and people do to the same records. */
  public InMemoryUpkeep upkeep() {
    return new InMemoryUpkeep(rows);
  }

  @Override
  public Future<ClaimOutcome> claim(Claim claim) {
    FencingToken token = new FencingToken(tokens.incrementAndGet());
    return Future.succeededFuture(
        rows.decide(
            claim.id(),
            LAPSED,
            record -> RecordRules.claim(record, claim, token, rows.clock.get())));
  }

  @Override
  public Future<SettleOutcome> complete(RecordId id, FencingToken token, StoredAnswer answer) {
    return Future.succeededFuture(
        rows.decide(
            id, LAPSED, record -> RecordRules.complete(record, token, answer, rows.clock.get())));
  }

  @Override
  public Future<SettleOutcome> release(RecordId id, FencingToken token) {
    return Future.succeededFuture(
        rows.decide(id, LAPSED, record -> RecordRules.release(record, token)));
  }

  @Override
  public Future<SettleOutcome> markUnknown(RecordId id, FencingToken token, String reason) {
    return Future.succeededFuture(
        rows.decide(
            id,
            new Note(Kind.UNKNOWN, "owner", reason),
            record -> RecordRules.markUnknown(record, token, rows.clock.get())));
  }

  @Override
  public Future<List<RenewOutcome>> renew(List<Renewal> renewals) {
    return Future.succeededFuture(
        renewals.stream()
            .map(
                r ->
                    rows.decide(
                        r.id(),
                        LAPSED,
                        record -> RecordRules.renew(record, r.token(), r.ttl(), rows.clock.get())))
            .toList());
  }

  @Override
  public Future<Optional<IdempotencyRecord>> read(RecordId id) {
    return Future.succeededFuture(
        rows.row(id)
            .map(InMemoryRows.Row::record)
            .map(record -> RecordRules.aged(record, rows.clock.get())));
  }

  @Override
  public Future<Boolean> standing(RecordId id, FencingToken token) {
    return read(id)
        .map(
            found ->
                found
                    .map(
                        r ->
                            r instanceof IdempotencyRecord.Claimed
                                && r.facts().token().equals(token))
                    .orElse(false));
  }

  @Override
  public void note(RecordId id, String tenant, FencingToken token, Note note) {
    rows.note(id, tenant, token, note);
  }

  /** The row as it is written, not aged: what a checker compares before and after. */
  public Optional<IdempotencyRecord> row(RecordId id) {
    return rows.row(id).map(InMemoryRows.Row::record);
  }

  /** Writes a row past all rules, as a broken store would: for tests of checkers. */
  public void overwrite(RecordId id, Function<IdempotencyRecord, IdempotencyRecord> broken) {
    rows.decide(
        id,
        LAPSED,
        record -> new RecordRules.Decision<>("", record == null ? null : broken.apply(record)));
  }

  /** How many records there are, tombstones too. */
  public int size() {
    return rows.all().size();
  }
}
