package dev.oncegate.store.postgres;

import io.vertx.sqlclient.Tuple;
import java.time.Duration;

/**
 * The statements of the sweep. Each finds rows by the hint {@code due_at}, a bounded number of them
 * and the longest due first; passes over what somebody else holds, so it waits for no record and no
 * two nodes do the same twice; judges every row by its own times once it is locked; and is one
 * transaction. A row whose hint was wrong (an older node wrote it) gets the right one and is left
 * alone.
 *
 * <p>What is purged, and what is only claimed or unknown, are other parts of the index: however
 * much there is to purge, it delays no lapse and no question.
 */
final class UpkeepSql {
  /**
   * Claimed → unknown, at the moment of the lapse (S11). The token stays. An owner that renewed or
   * settled meanwhile has another row, which is judged as it is once it is locked (C11).
   */
  static final String LAPSE =
      """
      with seen as materialized (
        select *, lease_until <= clock_timestamp() as lapsed
        from (
      """
          + due("claimed", "r.id, r.token, r.lease_until, r.due_at")
          + """
              ) due
          ), looked as (
            update record r set state = case when s.lapsed then 'unknown' else r.state end,
                unknown_since = case when s.lapsed then r.lease_until end,
                unknown_reason = case when s.lapsed then 'the lease lapsed' end,
                questions = 0, last_said = '',
                due_at = case when s.lapsed then clock_timestamp() else r.lease_until end
            from seen s
            where r.id = s.id and r.token = s.token and r.state = 'claimed'
            returning r.id, r.tenant, r.route, r.token, r.state
          ), told as (
            insert into timeline (id, tenant, token, at, kind, by_whom, said)
            select id, tenant, token, clock_timestamp(), 'unknown', 'sweeper', 'the lease lapsed'
            from looked where state = 'unknown'
          )
          select l.id, l.tenant, l.route, l.token, (select count(*) from seen)::integer as seen
          from (select 1) always left join (select * from looked where state = 'unknown') l on true
          """;

  /** Completed → expired, or gone where no tombstone stands any more; the body goes in any case. */
  static final String EXPIRE =
      """
      with seen as materialized (
        select *, deadline <= clock_timestamp() as passed, ends <= clock_timestamp() as ended
        from (
      """
          + due(
              "completed",
              """
              r.id, r.token, r.due_at,
                r.completed_at + r.retention_ms * interval '1 millisecond' as deadline,
                r.completed_at + (r.retention_ms + r.tombstone_ms) * interval '1 millisecond' as ends
              """)
          + """
              ) due
          ), expired as (
            update record r set state = 'expired', head = null, body_kind = null, body = null,
                digest = null, sealed = null, due_at = s.ends
            from seen s
            where r.id = s.id and r.token = s.token and r.state = 'completed'
              and s.passed and not s.ended
            returning r.id, r.tenant, 0 as forgotten
          ), gone as (
            delete from record r using seen s
            where r.id = s.id and r.token = s.token and r.state = 'completed' and s.ended
            returning r.id, r.tenant, 1 as forgotten
          ), hinted as (
            update record r set due_at = s.deadline from seen s
            where r.id = s.id and r.token = s.token and r.state = 'completed'
              and not s.passed and not s.ended
          ), changed as (
            select * from expired union all select * from gone
          ), dropped as (
            delete from body b using changed c where b.id = c.id
          ), counted as (
          """
          + Tally.add("expired, forgotten", "1, forgotten", "changed")
          + """
          )
          select count(*)::integer as changed, (select count(*) from seen)::integer as seen
          from changed
          """;

  /** Expired → absent, once the tombstone has ended (S14). */
  static final String FORGET =
      """
      with seen as materialized (
        select *, ends <= clock_timestamp() as ended
        from (
      """
          + due(
              "expired",
              """
              r.id, r.token, r.due_at,
                r.completed_at + (r.retention_ms + r.tombstone_ms) * interval '1 millisecond' as ends
              """)
          + """
              ) due
          ), gone as (
            delete from record r using seen s
            where r.id = s.id and r.token = s.token and r.state = 'expired' and s.ended
            returning r.id, r.tenant
          ), hinted as (
            update record r set due_at = s.ends from seen s
            where r.id = s.id and r.token = s.token and r.state = 'expired' and not s.ended
          ), dropped as (
            delete from body b using gone g where b.id = g.id
          ), counted as (
          """
          + Tally.add("forgotten", "gone")
          + """
          )
          select count(*)::integer as changed, (select count(*) from seen)::integer as seen
          from gone
          """;

  /** Old entries of records that are gone; those of a record that is there stay with it. */
  static final String TRIM =
      """
      with old as materialized (
        select t.sequence from timeline t
        where t.at <= now() - $2::bigint * interval '1 microsecond'
          and not exists (select from record r where r.id = t.id)
        order by t.at limit $1 for update skip locked
      ), gone as (
        delete from timeline t using old where t.sequence = old.sequence returning t.sequence
      )
      select count(*)::integer as changed from gone
      """;

  /**
   * Unknown records whose question is due, hidden from everybody else for a while. Without a due
   * time a person decides: such a row is never found here.
   */
  static final String TAKE =
      """
      with seen as materialized (
      """
          + due("unknown", "r.id, r.token, r.due_at")
          + """
          ), taken as (
            update record r set due_at = clock_timestamp() + $2::bigint * interval '1 microsecond'
            from seen s
            where r.id = s.id and r.token = s.token and r.state = 'unknown'
            returning
          """
          + RecordRows.FACTS
          + """
              , r.questions, r.last_said, s.due_at as was_due
          )
          select * from taken order by was_due, id
          """;

  static final String CLOCK = "select clock_timestamp() as now";

  /**
   * The books, in one snapshot: a claim and what it adds are one transaction, so they are seen
   * together or not at all. What is open is counted, what has ended was added up.
   */
  static final String BOOKS =
      """
      select tenant, sum(claims)::bigint as claims, sum(completed)::bigint as completed,
        sum(released)::bigint as released, sum(expired)::bigint as expired,
        sum(forgotten)::bigint as forgotten, sum(running)::bigint as running,
        sum(unknown)::bigint as unknown, sum(waiting)::bigint as waiting,
        min(oldest) as oldest, clock_timestamp() as now
      from (
        select tenant, claims, completed, released, expired, forgotten,
          0 as running, 0 as unknown, 0 as waiting, null::timestamptz as oldest
        from tally
        union all
        select tenant, 0, 0, 0, 0, 0, (state = 'claimed')::integer, (state = 'unknown')::integer,
          (state = 'unknown' and due_at is null)::integer,
          case when state = 'unknown' then unknown_since end
        from record where state collate "C" in ('claimed', 'unknown')
      ) as entries
      group by tenant order by tenant
      """;

  private UpkeepSql() {}

  /**
   * The collation is the index's own: nothing else can find rows by state. {@code now()} is the
   * start of this very statement, and, unlike {@code clock_timestamp()}, one value that an index
   * can be asked for.
   */
  private static String due(String state, String columns) {
    return """
        select %s from record r
        where r.state collate "C" = '%s' and r.due_at <= now()
        order by r.due_at limit $1 for update skip locked
    """
        .formatted(columns, state);
  }

  static Tuple limited(int limit) {
    return Tuple.of(limit);
  }

  static Tuple limited(int limit, Duration span) {
    return Tuple.of(limit, ClaimSql.micros(span));
  }
}
