package dev.oncegate.store.postgres;

import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.RecordRules;
import dev.oncegate.store.postgres.Lane.Reply;
import dev.oncegate.store.postgres.ReadSql.ClaimRef;
import io.vertx.core.internal.ContextInternal;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The look-ups of one loop's reads lane. */
final class Reading {
  /** A row of a look-up is small and locks nothing, so more of them go into one statement. */
  private static final int ROWS_PER_BATCH_ROW = 4;

  /**
   * Those who wait for somebody else's claim ask again and again, each for a record of its own, and
   * one that waits here takes about a hundred bytes.
   */
  private static final int ASKERS_PER_PLACE = 8;

  private Reading() {}

  /** Whole records, a statement each, since a body may be large. */
  static LookUps<RecordId, Optional<IdempotencyRecord>> records(
      ContextInternal context, Lane lane, PgStoreSettings settings) {
    return new LookUps<>(
        context,
        lane,
        new Records(),
        new LookUps.Limits(settings.queue(), 1, settings.readConnections()));
  }

  /** Claims that others wait for: one statement at a time. */
  static LookUps<ClaimRef, Boolean> standing(
      ContextInternal context, Lane lane, PgStoreSettings settings) {
    return new LookUps<>(
        context,
        lane,
        new Standing(),
        new LookUps.Limits(
            settings.queue() * ASKERS_PER_PLACE, settings.batchRows() * ROWS_PER_BATCH_ROW, 1));
  }

  private record Records() implements LookUps.Shape<RecordId, Optional<IdempotencyRecord>> {
    @Override
    public String sql() {
      return ReadSql.READ;
    }

    @Override
    public Tuple parameters(List<RecordId> ids) {
      return ReadSql.read(ids.get(0));
    }

    @Override
    public Function<RecordId, Optional<IdempotencyRecord>> answers(Reply reply) {
      Row row = reply.row();
      return id ->
          Optional.ofNullable(
              row == null ? null : RecordRules.aged(RecordRows.record(row), RecordRows.now(row)));
    }
  }

  private record Standing() implements LookUps.Shape<ClaimRef, Boolean> {
    @Override
    public String sql() {
      return ReadSql.STANDING;
    }

    @Override
    public Tuple parameters(List<ClaimRef> claims) {
      return ReadSql.standing(claims);
    }

    @Override
    public Function<ClaimRef, Boolean> answers(Reply reply) {
      Set<ClaimRef> standing = new HashSet<>();
      reply.rows().forEach(row -> standing.add(ReadSql.claim(row)));
      return standing::contains;
    }
  }
}
