package dev.oncegate.store.postgres;

import dev.oncegate.core.Claim;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;

/** A claim as a row of {@link ClaimSql#CLAIM}. */
final class ClaimRow extends BatchRow {
  /** Ids, digests, numbers and the names that are configured. */
  private static final int FIXED_BYTES = 400;

  private final Claim claim;

  ClaimRow(Claim claim) {
    super(claim.id());
    this.claim = claim;
  }

  @Override
  int bytes() {
    return FIXED_BYTES + claim.inputs().length();
  }

  /**
   * How claims become a statement.
   *
   * @param lockTimeout of the connection; a batch waits a quarter of it, since all its rows do, and
   *     only for strangers: rivals of our kind are met at a lock that it does not wait for
   */
  record Shape(Duration lockTimeout) implements BatchLane.Shape<ClaimRow> {
    @Override
    public String sql() {
      return ClaimSql.CLAIM;
    }

    @Override
    public Tuple parameters(List<ClaimRow> rows, boolean patient) {
      long wait = Math.max(1, patient ? lockTimeout.toMillis() : lockTimeout.toMillis() / 4);
      return ClaimSql.claims(rows.stream().map(row -> row.claim).toList(), patient)
          .addString(Long.toString(wait));
    }
  }
}
