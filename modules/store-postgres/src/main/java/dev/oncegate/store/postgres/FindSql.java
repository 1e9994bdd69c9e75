package dev.oncegate.store.postgres;

import dev.oncegate.core.RecordId;
import dev.oncegate.engine.port.RecordReader.Query;
import dev.oncegate.engine.port.RecordReader.State;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What people look for. Planned for each question, with its values: a filter that is not given is
 * then not there. Unknown and running records are found by their state and one record by its id;
 * any other question reads the records of all tenants within the time limit of the connection,
 * since an index for it would cost every claim.
 */
final class FindSql {
  private static final String FOUND =
      "select "
          + RecordRows.FACTS
          + """
          , r.unknown_reason, r.questions, r.state = 'unknown' and r.due_at is null as person
          from record r
          """;

  /** Inputs may hold a whole request: a page of them could fill the heap. */
  private static final String LISTED = FOUND.replace("r.inputs", "''::bytea as inputs");

  private static final String DEADLINE =
      "r.completed_at + r.retention_ms * interval '1 millisecond'";

  private static final String END =
      "r.completed_at + (r.retention_ms + r.tombstone_ms) * interval '1 millisecond'";

  static final String SHOW = FOUND + "where r.tenant = $1 and r.id = $2";

  /** In the order in which it was written. */
  static final String TIMELINE =
      """
      select at, token, kind, by_whom, said from timeline
      where tenant = $1 and id = $2 order by sequence
      """;

  private FindSql() {}

  static String find(Optional<State> state) {
    return LISTED
        + """
        where r.tenant = $1
          and ($2::text is null or r.route = $2)
          and ($3::bytea is null or r.id = $3)
          and ($4::timestamptz is null or r.claimed_at >= $4)
          and ($5::timestamptz is null or r.claimed_at < $5)
          and ($6::timestamptz is null or (r.claimed_at, r.id) < ($6, $7::bytea))
          and\
        """
        + " ("
        + state.map(FindSql::is).orElse(IS_THERE)
        + ") order by r.claimed_at desc, r.id desc limit $8";
  }

  /** As {@link dev.oncegate.core.RecordRules#aged} sees it. */
  private static String is(State state) {
    return switch (state) {
      case CLAIMED -> "r.state collate \"C\" = 'claimed' and r.lease_until > clock_timestamp()";
      case UNKNOWN ->
          "r.state collate \"C\" in ('unknown', 'claimed')"
              + " and (r.state = 'unknown' or r.lease_until <= clock_timestamp())";
      case COMPLETED -> "r.state = 'completed' and " + DEADLINE + " > clock_timestamp()";
      case EXPIRED ->
          "r.state in ('completed', 'expired') and "
              + DEADLINE
              + " <= clock_timestamp() and "
              + END
              + " > clock_timestamp()";
    };
  }

  private static final String IS_THERE =
      "r.state in ('claimed', 'unknown') or " + END + " > clock_timestamp()";

  static Tuple find(Query query) {
    return Tuple.tuple()
        .addString(Texts.storable(query.tenant()))
        .addString(query.route().map(Texts::storable).orElse(null))
        .addBuffer(query.id().map(FindSql::buffer).orElse(null))
        .addOffsetDateTime(time(query.claimedFrom()))
        .addOffsetDateTime(time(query.claimedUntil()))
        .addOffsetDateTime(time(query.before().map(position -> position.claimedAt())))
        .addBuffer(query.before().map(position -> buffer(position.id())).orElse(null))
        .addInteger(query.limit());
  }

  static Tuple one(String tenant, RecordId id) {
    return Tuple.of(Texts.storable(tenant), buffer(id));
  }

  private static Buffer buffer(RecordId id) {
    return ClaimSql.buffer(id.digest().array());
  }

  private static @Nullable OffsetDateTime time(Optional<Instant> time) {
    return time.map(at -> at.atOffset(ZoneOffset.UTC)).orElse(null);
  }
}
