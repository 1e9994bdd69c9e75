package dev.oncegate.store.postgres;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.Claim;
import dev.oncegate.core.FencingToken;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The statements of claims, each one transaction. Every {@code where} says why it is there. */
final class ClaimSql {
  private ClaimSql() {}

  /**
   * Inserts claims or brings back the records that were met, in one round trip and one commit; at
   * most one row for each that was {@code asked}. No id is there twice.
   *
   * <p>{@code turn}: only a key without a visible record is inserted, so a replay writes nothing,
   * locks nothing and draws no token. The advisory lock makes drawing the token and inserting the
   * row one step per key: otherwise a claim that draws its token first and inserts it after a rival
   * was claimed <em>and</em> released would bring a smaller token after a greater one. A batch only
   * tries the lock: it never waits for another batch, so two cannot deadlock, and a rival that
   * stalls ({@code busy}) costs nobody else a moment. A row that is asked alone ({@code $15}) waits
   * for it: that is how it learns of a rival, or of its own lost predecessor, that is not yet
   * committed.
   *
   * <p>{@code on conflict do nothing}: the unique index decides. Never {@code do update}: it would
   * lock and write on every replay. Inserted in the order of the ids, as every lock of several rows
   * is taken: a rival without the advisory lock is waited for here, so long ({@code $16}).
   *
   * <p>Three cases: {@code won_token} is there; or {@code id} is there (met); or neither, and no
   * row at all, where a rival committed after this statement's snapshot: ask again. Both cannot be:
   * {@code won} needs that the same snapshot holds no row, and {@code met} leaves out what was won,
   * whatever else was released while the statement ran.
   *
   * <p>{@code offset 0} keeps each look-up a look-up by index in the one partition: as a join it
   * could be planned as a scan of a table that was still empty when the plan was made. Bodies by
   * reference and large ones stay behind, or one answer could bring 64 of them: {@link
   * ReadSql#READ} fetches each by itself.
   */
  static final String CLAIM =
      """
      with asked as materialized (
        select * from unnest($1::bytea[], $2::text[], $3::text[], $4::bytea[], $5::integer[],
            $6::bytea[], $7::text[], $8::text[], $9::uuid[], $10::text[], $11::bigint[],
            $12::bigint[], $13::bigint[], $14::bytea[])
          as a (id, tenant, route, principal_tag, fingerprint_version,
            fingerprint, policy, secret_id, claim_id, owner, lease,
            retention_ms, tombstone_ms, inputs)
      ), seen as materialized (
        select
      """
          + RecordRows.FACTS
          + """
                  , case when big.it then null else r.body end as body, null::bytea as body_bytes,
                    big.it as large
                from asked a
                  cross join lateral (select * from record r where r.id = a.id offset 0) r
                  cross join lateral (select coalesce(octet_length(r.body) > 16384, false)
                    or r.state = 'completed' and coalesce(r.body_kind = 'reference', false) as it) big
              ), patience as materialized (
                select set_config('lock_timeout', $16::text, true) as set
              ), turn as materialized (
            select absent.*, case when $15::boolean then pg_advisory_xact_lock(key) is not null
                else pg_try_advisory_xact_lock(key) end as mine
            from (
              select *, ('x' || encode(substr(id, 1, 8), 'hex'))::bit(64)::bigint as key
              from asked where id not in (select id from seen) order by id
            ) as absent cross join patience
            where patience.set is not null
          ), won as (
            insert into record (id, state, tenant, route, principal_tag, fingerprint_version,
                fingerprint, policy, secret_id, claim_id, owner, retention_ms, tombstone_ms, inputs,
                token, claimed_at, lease_until, due_at)
            select id, 'claimed', tenant, route, principal_tag, fingerprint_version,
                fingerprint, policy, secret_id, claim_id, owner, retention_ms, tombstone_ms, inputs,
                token, at, at + lease * interval '1 microsecond',
                at + lease * interval '1 microsecond'
            from (
              select *, next_token() as token, clock_timestamp() as at
              from turn where mine order by id
            ) as drawn
            on conflict (id) do nothing
            returning id, tenant, token, claimed_at, lease_until
          ), counted as (
          """
          + Tally.add("claims", "won")
          + """
          )
          select won.id as asked, won.token as won_token, won.claimed_at as won_at,
            won.lease_until as won_until,
            false as busy, nothing.*
          from won left join seen nothing on false
          union all
          select turn.id, null, null, null, true, nothing.* from turn left join seen nothing on false
          where not turn.mine
          union all
          select met.id, null, null, null, false, met.* from seen met
          where met.id not in (select id from won)
          """;

  /**
   * Claims a stranger's row anew: past deadline and tombstone by the database's clock, and still
   * under the token that was read, so of many who try one wins and the others ask again. The old
   * answer goes in the same statement. Locked first, to know what it was: the books tell an answer
   * that expired from a tombstone that ended.
   */
  static final String RECLAIM =
      """
      with stranger as materialized (
        select r.id, r.token, r.state, t.at
        from (select clock_timestamp() as at) as t, record r
        where r.id = $1 and r.token = $15 and r.state in ('completed', 'expired')
          and r.completed_at + (r.retention_ms + r.tombstone_ms) * interval '1 millisecond' <= t.at
        for update of r
      ), won as (
        update record r
        set state = 'claimed', tenant = $2, route = $3, principal_tag = $4, fingerprint_version = $5,
            fingerprint = $6, policy = $7, secret_id = $8, claim_id = $9, owner = $10,
            retention_ms = $12, tombstone_ms = $13, inputs = $14, token = next_token(),
            claimed_at = s.at, lease_until = s.at + $11::bigint * interval '1 microsecond',
            due_at = s.at + $11::bigint * interval '1 microsecond', questions = 0, last_said = '',
            unknown_since = null, unknown_reason = null, status = null, head = null,
            body_kind = null, body = null, digest = null, sealed = null, completed_at = null,
            reconstructed = false
        from stranger s
        where r.id = s.id and r.token = s.token and r.state in ('completed', 'expired')
        returning r.id, r.tenant, r.token, r.claimed_at, r.lease_until, s.state as was
      ), dropped as (
        delete from body using won where body.id = won.id
      ), counted as (
      """
          + Tally.add(
              "claims, expired, forgotten",
              "1, case when was = 'completed' then 1 else 0 end, 1",
              "won")
          + """
          )
          select token as won_token, claimed_at as won_at, lease_until as won_until from won
          """;

  /**
   * Makes a lapse physical before anyone is told of it. A lease renewed since it was read has
   * another end, and a settled record another state: then nothing changes. Whoever asks about
   * unknown outcomes may ask about this one at once.
   */
  static final String LAPSE =
      """
      with lapsed as (
        update record set state = 'unknown', unknown_since = lease_until,
            unknown_reason = 'the lease lapsed', due_at = clock_timestamp(), questions = 0,
            last_said = ''
        where id = $1 and token = $2 and state = 'claimed' and lease_until = $3
          and lease_until <= clock_timestamp()
        returning id, tenant, token
      ), told as (
        insert into timeline (id, tenant, token, at, kind, by_whom, said)
        select id, tenant, token, clock_timestamp(), 'unknown', 'claim', 'the lease lapsed'
        from lapsed
      )
      select id from lapsed
      """;

  /** Makes a passed deadline physical: the answer goes, the tombstone stays. */
  static final String EXPIRE =
      """
      with expired as (
        update record set state = 'expired', head = null, body_kind = null, body = null,
            digest = null, sealed = null,
            due_at = completed_at + (retention_ms + tombstone_ms) * interval '1 millisecond'
        where id = $1 and token = $2 and state = 'completed'
          and completed_at + retention_ms * interval '1 millisecond' <= clock_timestamp()
        returning id, tenant
      ), dropped as (
        delete from body using expired where body.id = expired.id
      ), counted as (
      """
          + Tally.add("expired", "expired")
          + """
          )
          select id from expired
          """;

  /**
   * Takes back a claim that was never reported as won, so nothing was sent under it: from unknown
   * as well, where others have noticed its lapse before the store could be reached again.
   */
  static final String WITHDRAW =
      """
      with withdrawn as (
        delete from record where id = $1 and claim_id = $2 and state in ('claimed', 'unknown')
        returning id, tenant
      ), counted as (
      """
          + Tally.add("released", "withdrawn")
          + """
          )
          select id from withdrawn
          """;

  static Tuple claims(List<Claim> claims, boolean patient) {
    return Tuple.tuple()
        .addArrayOfBuffer(buffers(claims, c -> c.id().digest()))
        .addArrayOfString(column(claims, String[]::new, Claim::tenant))
        .addArrayOfString(column(claims, String[]::new, Claim::route))
        .addArrayOfBuffer(buffers(claims, Claim::principalTag))
        .addArrayOfInteger(column(claims, Integer[]::new, c -> c.fingerprint().version()))
        .addArrayOfBuffer(buffers(claims, c -> c.fingerprint().digest()))
        .addArrayOfString(column(claims, String[]::new, Claim::policy))
        .addArrayOfString(column(claims, String[]::new, Claim::secretId))
        .addArrayOfUUID(column(claims, UUID[]::new, Claim::claimId))
        .addArrayOfString(column(claims, String[]::new, Claim::owner))
        .addArrayOfLong(column(claims, Long[]::new, c -> micros(c.leaseTtl())))
        .addArrayOfLong(column(claims, Long[]::new, c -> c.retention().toMillis()))
        .addArrayOfLong(column(claims, Long[]::new, c -> c.tombstone().toMillis()))
        .addArrayOfBuffer(buffers(claims, Claim::inputs))
        .addBoolean(patient);
  }

  static Tuple reclaim(Claim claim, FencingToken old) {
    return Tuple.tuple()
        .addBuffer(buffer(claim.id().digest().array()))
        .addString(claim.tenant())
        .addString(claim.route())
        .addBuffer(buffer(claim.principalTag().array()))
        .addInteger(claim.fingerprint().version())
        .addBuffer(buffer(claim.fingerprint().digest().array()))
        .addString(claim.policy())
        .addString(claim.secretId())
        .addUUID(claim.claimId())
        .addString(claim.owner())
        .addLong(micros(claim.leaseTtl()))
        .addLong(claim.retention().toMillis())
        .addLong(claim.tombstone().toMillis())
        .addBuffer(buffer(claim.inputs().array()))
        .addLong(old.value());
  }

  static Tuple lapse(Claim claim, FencingToken token, Instant leaseUntil) {
    return Tuple.of(
        buffer(claim.id().digest().array()), token.value(), leaseUntil.atOffset(ZoneOffset.UTC));
  }

  static Tuple expire(Claim claim, FencingToken token) {
    return Tuple.of(buffer(claim.id().digest().array()), token.value());
  }

  static Tuple withdraw(Claim claim) {
    return Tuple.of(buffer(claim.id().digest().array()), claim.claimId());
  }

  /** The resolution of the database's clock. */
  static long micros(Duration duration) {
    return duration.toNanos() / 1000;
  }

  static Buffer buffer(byte[] bytes) {
    return Buffer.buffer(bytes);
  }

  static @Nullable Buffer nullable(@Nullable Bytes bytes) {
    return bytes == null ? null : buffer(bytes.array());
  }

  static <T> Buffer[] buffers(List<T> rows, Function<T, @Nullable Bytes> value) {
    return column(rows, Buffer[]::new, row -> nullable(value.apply(row)));
  }

  /** One array parameter: that value of every row. */
  static <T, V> V[] column(List<T> rows, IntFunction<V[]> array, Function<T, @Nullable V> value) {
    return rows.stream().map(value).toArray(array);
  }
}
