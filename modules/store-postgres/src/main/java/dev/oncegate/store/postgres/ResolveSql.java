package dev.oncegate.store.postgres;

import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.TimelineEntry.Kind;
import dev.oncegate.core.TimelineEntry.Note;
import dev.oncegate.core.Verdict;
import io.vertx.sqlclient.Tuple;
import java.time.ZoneOffset;
import java.util.List;

/**
 * Verdicts, each with its entries in the timeline in one statement. {@code met} locks the record
 * and compares token and state once it holds the lock, so a verdict that was decided on what is no
 * longer true changes nothing (C11); no row then. A claim whose lease has lapsed is unknown since
 * then, whether or not that was written down, and its timeline says so first.
 */
final class ResolveSql {
  private static final String MET =
      """
      with met as materialized (
        select r.id, r.state,
          case when r.state = 'unknown' then r.unknown_since else r.lease_until end as since
        from record r
        where r.id = $1 and r.token = $2
          and (r.state = 'unknown' or r.state = 'claimed' and r.lease_until <= clock_timestamp())
        for update
      ), settled as (
      """;

  private static final String TOLD =
      """
      ), told as (
        insert into timeline (id, tenant, token, at, kind, by_whom, said)
        select s.id, s.tenant, s.token, clock_timestamp(), n.kind, n.by_whom, n.said
        from settled s cross join (
          select 'unknown' as kind, 'sweeper' as by_whom, 'the lease lapsed' as said, 0 as place
          from met where state = 'claimed'
          union all
          select n.kind, n.by_whom, n.said, n.place
          from unnest($3::text[], $4::text[], $5::text[])
            with ordinality as n (kind, by_whom, said, place)
        ) as n
        order by n.place
      )
      """;

  /** Whether it changed; and if not, since when the record is unknown. */
  private static final String ANSWER =
      """
      select met.since, settled.id is not null as settled, settled.deadline
      from met left join settled on true
      """;

  static final String APPLIED =
      MET
          + """
            update record r set state = 'completed', status = $6, head = $7, body_kind = $8,
                body = $9, digest = $10, sealed = $11, completed_at = clock_timestamp(),
                reconstructed = true,
                due_at = clock_timestamp() + r.retention_ms * interval '1 millisecond'
            from met
            where r.id = met.id and r.token = $2 and r.state in ('claimed', 'unknown')
            returning r.id, r.tenant, r.token,
              completed_at + retention_ms * interval '1 millisecond' as deadline
          ), kept as (
            insert into body (id, bytes)
            select id, $12::bytea from settled where $12::bytea is not null
            on conflict (id) do update set bytes = excluded.bytes
          ), counted as (
          """
          + Tally.add("completed", "settled")
          + TOLD
          + ANSWER;

  /** Only what was asked after the quarantine: before it, the request may still have arrived. */
  static final String NOT_APPLIED =
      MET
          + """
            delete from record r using met
            where r.id = met.id and r.token = $2 and r.state in ('claimed', 'unknown')
              and met.since + $7::bigint * interval '1 microsecond' <= $6::timestamptz
            returning r.id, r.tenant, r.token, null::timestamptz as deadline
          ), counted as (
          """
          + Tally.add("released", "settled")
          + TOLD
          + ANSWER;

  /** Without a next question a person decides: no due time, so nobody takes it again. */
  static final String UNDECIDED =
      MET
          + """
            update record r set state = 'unknown', unknown_since = met.since,
                unknown_reason = case when met.state = 'unknown' then r.unknown_reason
                  else 'the lease lapsed' end,
                due_at = clock_timestamp() + $6::bigint * interval '1 microsecond',
                questions = r.questions + $8::integer, last_said = coalesce($7::text, r.last_said)
            from met
            where r.id = met.id and r.token = $2 and r.state in ('claimed', 'unknown')
            returning r.id, r.tenant, r.token, null::timestamptz as deadline
          """
          + TOLD
          + ANSWER;

  private ResolveSql() {}

  static Tuple applied(RecordId id, FencingToken token, StoredAnswer answer, List<Note> notes) {
    return met(id, token, notes)
        .addShort((short) answer.status())
        .addBuffer(ClaimSql.buffer(answer.head().array()))
        .addString(SettleSql.kind(answer.body()))
        .addBuffer(ClaimSql.nullable(SettleSql.inline(answer)))
        .addBuffer(ClaimSql.buffer(answer.digest().array()))
        .addBoolean(answer.sealed())
        .addBuffer(ClaimSql.nullable(SettleSql.reference(answer)));
  }

  static Tuple notApplied(
      RecordId id, FencingToken token, Verdict.NotApplied verdict, List<Note> notes) {
    return met(id, token, notes)
        .addOffsetDateTime(verdict.askedAt().atOffset(ZoneOffset.UTC))
        .addLong(ClaimSql.micros(verdict.quarantine()));
  }

  static Tuple undecided(
      RecordId id, FencingToken token, Verdict.Undecided verdict, List<Note> notes) {
    return met(id, token, notes)
        .addLong(verdict.askAgain().map(ClaimSql::micros).orElse(null))
        .addString(
            notes.stream()
                .filter(note -> note.kind() == Kind.PROBED)
                .map(note -> Texts.bounded(note.text()))
                .reduce((earlier, later) -> later)
                .orElse(null))
        .addInteger(verdict.asked() ? 1 : 0);
  }

  private static Tuple met(RecordId id, FencingToken token, List<Note> notes) {
    return Tuple.tuple()
        .addBuffer(ClaimSql.buffer(id.digest().array()))
        .addLong(token.value())
        .addArrayOfString(ClaimSql.column(notes, String[]::new, note -> note.kind().label()))
        .addArrayOfString(ClaimSql.column(notes, String[]::new, note -> Texts.bounded(note.by())))
        .addArrayOfString(
            ClaimSql.column(notes, String[]::new, note -> Texts.bounded(note.text())));
  }
}
