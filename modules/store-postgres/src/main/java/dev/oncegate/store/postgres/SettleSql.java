package dev.oncegate.store.postgres;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.Bytes;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.StoredBody;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writes that end claims. Each statement compares token and from-states where it changes a row
 * (S7), and answers with one row for each that was asked, at its position {@code n}: {@code
 * settled} says whether it changed, and if not, the record as the snapshot had it follows, without
 * its body, for {@link dev.oncegate.core.RecordRules} to say what that means. From unknown too: an
 * answer that was truly received is the truth.
 *
 * <p>{@code locked} takes the rows in the order of their ids, one look-up each, and compares token
 * and state once it holds the lock; so two statements cannot deadlock, and of two that want one row
 * the later sees what the earlier did. No id is there twice.
 */
final class SettleSql {
  private static final String CLAIMED_OR_UNKNOWN = "('claimed', 'unknown')";

  private static final String SETTLED =
      """
      , met as materialized (
        select a.id as missed,
      """
          + RecordRows.FACTS
          + """
            , null::bytea as body, null::bytea as body_bytes
            from asked a
              left join lateral (select * from record r where r.id = a.id offset 0) r on true
            where a.id not in (select id from settled)
          )
          select true as settled, deadline, settled.id as asked, nothing.*
          from settled left join met nothing on false
          union all
          select false, null, met.missed, met.* from met
          """;

  /**
   * A body goes into its own table in the same statement, so there is no moment with one and
   * without the other. A body row that is already there belongs to nobody (it is deleted with its
   * record): the winner's bytes replace it.
   */
  static final String COMPLETE =
      """
      with asked as materialized (
        select * from unnest($1::bytea[], $2::bigint[], $3::smallint[], $4::bytea[], $5::text[],
            $6::bytea[], $7::bytea[], $8::boolean[], $9::bytea[])
          as a (id, token, status, head, body_kind, body, digest, sealed, reference)
      ),
      """
          + locked(CLAIMED_OR_UNKNOWN)
          + """
          , settled as (
            update record r set state = 'completed', status = a.status, head = a.head,
                body_kind = a.body_kind, body = a.body, digest = a.digest, sealed = a.sealed,
                completed_at = clock_timestamp(),
                due_at = clock_timestamp() + r.retention_ms * interval '1 millisecond'
            from locked a
            where r.id = a.id and r.token = a.token and r.state in ('claimed', 'unknown')
            returning r.id, r.tenant,
              completed_at + retention_ms * interval '1 millisecond' as deadline
          ), kept as (
            insert into body (id, bytes)
            select id, reference from locked
            where reference is not null and id in (select id from settled) order by id
            on conflict (id) do update set bytes = excluded.bytes
          ), counted as (
          """
          + Tally.add("completed", "settled")
          + ")"
          + SETTLED;

  /** Deletes rows; a record that can be released has no body row yet. */
  static final String RELEASE =
      """
      with asked as materialized (
        select * from unnest($1::bytea[], $2::bigint[]) as a (id, token)
      ),
      """
          + locked(CLAIMED_OR_UNKNOWN)
          + """
          , settled as (
            delete from record r using locked a
            where r.id = a.id and r.token = a.token and r.state in ('claimed', 'unknown')
            returning r.id, r.tenant, null::timestamptz as deadline
          ), counted as (
          """
          + Tally.add("released", "settled")
          + ")"
          + SETTLED;

  /**
   * The token stays: the owner may still complete with an answer that comes late. Due at once:
   * whoever asks about unknown outcomes decides when.
   */
  static final String MARK_UNKNOWN =
      """
      with asked as materialized (
        select * from unnest($1::bytea[], $2::bigint[], $3::text[]) as a (id, token, reason)
      ),
      """
          + locked("('claimed')")
          + """
          , settled as (
            update record r set state = 'unknown', unknown_since = clock_timestamp(),
                unknown_reason = a.reason, due_at = clock_timestamp(), questions = 0,
                last_said = ''
            from locked a
            where r.id = a.id and r.token = a.token and r.state = 'claimed'
            returning r.id, r.tenant, r.token, r.unknown_reason, null::timestamptz as deadline
          ), told as (
            insert into timeline (id, tenant, token, at, kind, by_whom, said)
            select id, tenant, token, clock_timestamp(), 'unknown', 'owner', unknown_reason
            from settled order by id
          )
          """
          + SETTLED;

  private SettleSql() {}

  private static String locked(String from) {
    return """
    locked as materialized (
      select a.*
      from (select * from asked order by id) a
        cross join lateral (
          select r.id from record r
          where r.id = a.id and r.token = a.token and r.state in %s
          for update
        ) r
    )
    """
        .formatted(from);
  }

  static Tuple complete(List<SettleRow> rows) {
    return idsAndTokens(rows)
        .addArrayOfShort(ClaimSql.column(rows, Short[]::new, r -> (short) r.answer().status()))
        .addArrayOfBuffer(ClaimSql.buffers(rows, r -> r.answer().head()))
        .addArrayOfString(ClaimSql.column(rows, String[]::new, r -> kind(r.answer().body())))
        .addArrayOfBuffer(ClaimSql.buffers(rows, r -> inline(r.answer())))
        .addArrayOfBuffer(ClaimSql.buffers(rows, r -> r.answer().digest()))
        .addArrayOfBoolean(ClaimSql.column(rows, Boolean[]::new, r -> r.answer().sealed()))
        .addArrayOfBuffer(ClaimSql.buffers(rows, r -> reference(r.answer())));
  }

  static Tuple release(List<SettleRow> rows) {
    return idsAndTokens(rows);
  }

  static Tuple markUnknown(List<SettleRow> rows) {
    return idsAndTokens(rows)
        .addArrayOfString(ClaimSql.column(rows, String[]::new, SettleRow::reason));
  }

  private static Tuple idsAndTokens(List<SettleRow> rows) {
    return Tuple.tuple()
        .addArrayOfBuffer(ClaimSql.buffers(rows, r -> r.id().digest()))
        .addArrayOfLong(ClaimSql.column(rows, Long[]::new, r -> r.token().value()));
  }

  static String kind(StoredBody body) {
    if (body instanceof StoredBody.Inline) {
      return RecordRows.INLINE;
    } else if (body instanceof StoredBody.ByReference) {
      return RecordRows.REFERENCE;
    } else if (body instanceof StoredBody.NotKept) {
      return RecordRows.NONE;
    }
    throw new BrokenInvariant("no such body: " + body.getClass());
  }

  static @Nullable Bytes inline(StoredAnswer answer) {
    return answer.body() instanceof StoredBody.Inline kept ? kept.bytes() : null;
  }

  static @Nullable Bytes reference(StoredAnswer answer) {
    return answer.body() instanceof StoredBody.ByReference kept ? kept.bytes() : null;
  }
}
