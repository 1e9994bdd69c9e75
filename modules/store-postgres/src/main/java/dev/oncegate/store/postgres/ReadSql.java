package dev.oncegate.store.postgres;

import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.engine.port.RecordStore.Renewal;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/** Reads, renewals and the health check. */
final class ReadSql {
  static final String READ =
      "select " + RecordRows.COLUMNS + "from record r\n" + RecordRows.WITH_BODY + "where r.id = $1";

  /**
   * Extends every lease of a loop in one statement. Rows are locked in the order of their ids, so
   * two batches cannot deadlock. After the locks are held the row is compared again: with its token
   * and state, since it may have been settled while this waited, and with the clock as it is
   * <em>then</em>, since a lapsed lease is never revived. A lease is never shortened.
   */
  static final String RENEW =
      """
      with asked as (
        select id, token, max(ttl) as ttl
        from unnest($1::bytea[], $2::bigint[], $3::bigint[]) as a(id, token, ttl)
        group by id, token
      ), locked as materialized (
        select r.id, r.token, asked.ttl
        from record r join asked on r.id = asked.id and r.token = asked.token
        where r.state = 'claimed'
        order by r.id
        for update of r
      )
      update record r
      set lease_until = greatest(r.lease_until,
          clock_timestamp() + locked.ttl * interval '1 microsecond'),
        due_at = greatest(r.lease_until,
          clock_timestamp() + locked.ttl * interval '1 microsecond')
      from locked
      where r.id = locked.id and r.token = locked.token and r.state = 'claimed'
        and r.lease_until > clock_timestamp()
      returning r.id, r.token, r.lease_until
      """;

  /** Of many claims those that have not ended: one look-up each, and no lock. */
  static final String STANDING =
      """
      select a.id, a.token from unnest($1::bytea[], $2::bigint[]) as a (id, token)
        cross join lateral (
          select from record r
          where r.id = a.id and r.token = a.token and r.state = 'claimed'
            and r.lease_until > clock_timestamp()
          offset 0
        ) r
      """;

  /** A server that answers but takes no writes is of no use to a claim. */
  static final String PING =
      "select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as refused";

  private ReadSql() {}

  static Tuple read(RecordId id) {
    return Tuple.of(ClaimSql.buffer(id.digest().array()));
  }

  static Tuple standing(List<ClaimRef> claims) {
    return Tuple.tuple()
        .addArrayOfBuffer(ClaimSql.buffers(claims, claim -> claim.id().digest()))
        .addArrayOfLong(ClaimSql.column(claims, Long[]::new, claim -> claim.token().value()));
  }

  /** The claims that rows of {@link #STANDING} and {@link #RENEW} name. */
  static ClaimRef claim(Row row) {
    return new ClaimRef(RecordRows.id(row.getBuffer("id")), new FencingToken(row.getLong("token")));
  }

  /** One claim of a record, by its token. */
  record ClaimRef(RecordId id, FencingToken token) {}

  static Tuple renew(List<Renewal> renewals) {
    Buffer[] ids = new Buffer[renewals.size()];
    Long[] tokens = new Long[renewals.size()];
    Long[] ttls = new Long[renewals.size()];
    for (int i = 0; i < ids.length; i++) {
      Renewal renewal = renewals.get(i);
      ids[i] = ClaimSql.buffer(renewal.id().digest().array());
      tokens[i] = renewal.token().value();
      ttls[i] = ClaimSql.micros(renewal.ttl());
    }
    return Tuple.tuple().addArrayOfBuffer(ids).addArrayOfLong(tokens).addArrayOfLong(ttls);
  }
}
