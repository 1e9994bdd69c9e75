package dev.oncegate.store.postgres;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.StoredBody;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;

/**
 * The writes that end a claim. Each is one statement that compares token and from-states where it
 * changes the row (S7), and always answers with one row: {@code settled} says whether it changed,
 * and if not, the record as the snapshot had it follows, for {@link dev.oncegate.core.RecordRules}
 * to say what that means. From unknown too: an answer that was truly received is the truth.
 */
final class SettleSql {
  private static final String OR_MET =
      "settled.id is not null as settled,"
          + RecordRows.COLUMNS
          + """
          from (select 1) as always
            left join settled on true
            left join record r on r.id = $1 and settled.id is null
          """
          + RecordRows.WITH_BODY;

  /**
   * The body goes into its own table in the same statement, so there is no moment with one and
   * without the other. A body row that is already there belongs to nobody (it is deleted with its
   * record): the winner's bytes replace it.
   */
  static final String COMPLETE =
      """
      with settled as (
        update record set state = 'completed', status = $3, head = $4, body_kind = $5, body = $6,
            digest = $7, sealed = $8, completed_at = clock_timestamp()
        where id = $1 and token = $2 and state in ('claimed', 'unknown')
        returning id, completed_at + retention_ms * interval '1 millisecond' as deadline
      ), kept as (
        insert into body (id, bytes) select id, $9::bytea from settled where $9::bytea is not null
        on conflict (id) do update set bytes = excluded.bytes
      )
      select settled.deadline,
      """
          + OR_MET;

  /** Deletes the row; a record that can be released has no body row yet. */
  static final String RELEASE =
      """
      with settled as (
        delete from record where id = $1 and token = $2 and state in ('claimed', 'unknown')
        returning id
      )
      select
      """
          + OR_MET;

  /** The token stays: the owner may still complete with an answer that comes late. */
  static final String MARK_UNKNOWN =
      """
      with settled as (
        update record set state = 'unknown', unknown_since = clock_timestamp(), unknown_reason = $3
        where id = $1 and token = $2 and state = 'claimed'
        returning id
      )
      select
      """
          + OR_MET;

  private SettleSql() {}

  static Tuple complete(RecordId id, FencingToken token, StoredAnswer answer) {
    StoredBody body = answer.body();
    Buffer inline = null;
    Buffer reference = null;
    String kind;
    if (body instanceof StoredBody.Inline kept) {
      kind = RecordRows.INLINE;
      inline = ClaimSql.buffer(kept.bytes().array());
    } else if (body instanceof StoredBody.ByReference kept) {
      kind = RecordRows.REFERENCE;
      reference = ClaimSql.buffer(kept.bytes().array());
    } else if (body instanceof StoredBody.NotKept) {
      kind = RecordRows.NONE;
    } else {
      throw new BrokenInvariant("no such body: " + body.getClass());
    }
    return Tuple.tuple()
        .addBuffer(ClaimSql.buffer(id.digest().array()))
        .addLong(token.value())
        .addShort((short) answer.status())
        .addBuffer(ClaimSql.buffer(answer.head().array()))
        .addString(kind)
        .addBuffer(inline)
        .addBuffer(ClaimSql.buffer(answer.digest().array()))
        .addBoolean(answer.sealed())
        .addBuffer(reference);
  }

  static Tuple release(RecordId id, FencingToken token) {
    return Tuple.of(ClaimSql.buffer(id.digest().array()), token.value());
  }

  static Tuple markUnknown(RecordId id, FencingToken token, String reason) {
    return Tuple.of(ClaimSql.buffer(id.digest().array()), token.value(), reason);
  }
}
