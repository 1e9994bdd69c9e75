package dev.oncegate.store.postgres;

import dev.oncegate.core.Claim;
import dev.oncegate.core.FencingToken;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

/** The statements of a claim, each one transaction. Every {@code where} says why it is there. */
final class ClaimSql {
  private ClaimSql() {}

  /**
   * Inserts the claim or brings back the record that was met, in one round trip; always one row.
   *
   * <p>{@code turn}: only a key without a visible record is inserted, so a replay writes nothing,
   * locks nothing and draws no token. The advisory lock makes drawing the token and inserting the
   * row one step per key: otherwise a claim that draws its token first and inserts it after a rival
   * was claimed <em>and</em> released would bring a smaller token after a greater one. It is also
   * what a claim waits for while a rival, or its own lost predecessor, is not yet committed.
   *
   * <p>{@code on conflict do nothing}: the unique index decides. Never {@code do update}: it would
   * lock and write on every replay.
   *
   * <p>Three cases: {@code won_token} is there; or {@code id} is there (met); or neither, where a
   * rival committed after this statement's snapshot: ask again. Both cannot be, since {@code won}
   * needs that the same snapshot holds no row.
   */
  static final String CLAIM =
      """
      with turn as materialized (
        select pg_advisory_xact_lock(('x' || encode(substr($1::bytea, 1, 8), 'hex'))::bit(64)::bigint)
        where not exists (select from record where id = $1)
      ), drawn as materialized (
        select next_token() as token, clock_timestamp() as at from turn
      ), won as (
        insert into record (id, state, tenant, route, principal_tag, fingerprint_version, fingerprint,
            policy, secret_id, claim_id, owner, retention_ms, tombstone_ms, inputs,
            token, claimed_at, lease_until)
        select $1, 'claimed', $2, $3, $4, $5, $6, $7, $8, $9, $10, $12, $13, $14,
            token, at, at + $11::bigint * interval '1 microsecond'
        from drawn
        on conflict (id) do nothing
        returning token, claimed_at, lease_until
      )
      select won.token as won_token, won.claimed_at as won_at, won.lease_until as won_until,
      """
          + RecordRows.COLUMNS
          + """
          from (select 1) as always
            left join won on true
            left join record r on r.id = $1
          """
          + RecordRows.WITH_BODY;

  /**
   * Claims a stranger's row anew: past deadline and tombstone by the database's clock, and still
   * under the token that was read, so of many who try one wins and the others ask again. The old
   * answer goes in the same statement.
   */
  static final String RECLAIM =
      """
      with won as (
        update record r
        set state = 'claimed', tenant = $2, route = $3, principal_tag = $4, fingerprint_version = $5,
            fingerprint = $6, policy = $7, secret_id = $8, claim_id = $9, owner = $10,
            retention_ms = $12, tombstone_ms = $13, inputs = $14, token = next_token(),
            claimed_at = t.at, lease_until = t.at + $11::bigint * interval '1 microsecond',
            unknown_since = null, unknown_reason = null, status = null, head = null,
            body_kind = null, body = null, digest = null, sealed = null, completed_at = null,
            reconstructed = false
        from (select clock_timestamp() as at) as t
        where r.id = $1 and r.token = $15 and r.state in ('completed', 'expired')
          and r.completed_at + (r.retention_ms + r.tombstone_ms) * interval '1 millisecond' <= t.at
        returning r.id, r.token, r.claimed_at, r.lease_until
      ), dropped as (
        delete from body using won where body.id = won.id
      )
      select token as won_token, claimed_at as won_at, lease_until as won_until from won
      """;

  /**
   * Makes a lapse physical before anyone is told of it. A lease renewed since it was read has
   * another end, and a settled record another state: then nothing changes.
   */
  static final String LAPSE =
      """
      update record set state = 'unknown', unknown_since = lease_until,
          unknown_reason = 'the lease lapsed'
      where id = $1 and token = $2 and state = 'claimed' and lease_until = $3
        and lease_until <= clock_timestamp()
      returning id
      """;

  /** Makes a passed deadline physical: the answer goes, the tombstone stays. */
  static final String EXPIRE =
      """
      with expired as (
        update record set state = 'expired', head = null, body_kind = null, body = null,
            digest = null, sealed = null
        where id = $1 and token = $2 and state = 'completed'
          and completed_at + retention_ms * interval '1 millisecond' <= clock_timestamp()
        returning id
      ), dropped as (
        delete from body using expired where body.id = expired.id
      )
      select id from expired
      """;

  /**
   * Takes back a claim that was never reported as won, so nothing was sent under it: from unknown
   * as well, where others have noticed its lapse before the store could be reached again.
   */
  static final String WITHDRAW =
      """
      delete from record where id = $1 and claim_id = $2 and state in ('claimed', 'unknown')
      returning id
      """;

  static Tuple claim(Claim claim) {
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
        .addBuffer(buffer(claim.inputs().array()));
  }

  static Tuple reclaim(Claim claim, FencingToken old) {
    return claim(claim).addLong(old.value());
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
}
