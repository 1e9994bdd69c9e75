package dev.oncegate.store.postgres;

import dev.oncegate.engine.port.PolicyArchive;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The archived policies in Postgres, on a small pool of their own: asked at start, and once per
 * version that a record of the past names. One for all event loops.
 */
public final class PgPolicyArchive implements PolicyArchive {
  private static final int CONNECTIONS = 2;

  /** Requests that wait for a policy at one time; beyond them a claim is refused as unavailable. */
  private static final int MOST_WAITING = 256;

  private static final String REMEMBER =
      """
      insert into policy (version, tenant, route, document)
      select version, tenant, route, document
      from unnest($1::text[], $2::text[], $3::text[], $4::text[])
        as p(version, tenant, route, document)
      -- nodes that start together insert the same rows: in one order they cannot deadlock
      order by version, tenant, route
      on conflict do nothing
      """;

  private static final String FIND = "select document from policy where version = $1 limit 1";

  private final Pool pool;
  private final Duration patience;

  private PgPolicyArchive(Pool pool, Duration patience) {
    this.pool = pool;
    this.patience = patience;
  }

  /**
   * An archive; connects when it is asked.
   *
   * @param options where Postgres is; the schema must be migrated ({@link SchemaMigrator})
   * @param patience longest wait for an answer
   */
  public static PgPolicyArchive open(Vertx vertx, PgConnectOptions options, Duration patience) {
    PoolOptions size =
        new PoolOptions()
            .setName("oncegate policies")
            .setMaxSize(CONNECTIONS)
            .setMaxWaitQueueSize(MOST_WAITING)
            .setConnectionTimeout(Math.toIntExact(patience.toMillis()))
            .setConnectionTimeoutUnit(TimeUnit.MILLISECONDS);
    PgConnectOptions named =
        new PgConnectOptions(options).addProperty("application_name", "oncegate policies");
    return new PgPolicyArchive(
        PgBuilder.pool().with(size).connectingTo(named).using(vertx).build(), patience);
  }

  @Override
  public Future<Void> remember(List<ArchivedPolicy> policies) {
    if (policies.isEmpty()) {
      return Future.succeededFuture();
    }
    Tuple parameters =
        Tuple.of(
            policies.stream().map(ArchivedPolicy::version).toArray(String[]::new),
            policies.stream().map(ArchivedPolicy::tenant).toArray(String[]::new),
            policies.stream().map(ArchivedPolicy::route).toArray(String[]::new),
            policies.stream().map(ArchivedPolicy::document).toArray(String[]::new));
    return ask(REMEMBER, parameters).mapEmpty();
  }

  @Override
  public Future<Optional<String>> find(String version) {
    return ask(FIND, Tuple.of(version))
        .map(rows -> rows.size() == 0 ? Optional.empty() : Optional.of(document(rows)));
  }

  private static String document(RowSet<Row> rows) {
    return rows.iterator().next().getString("document");
  }

  /** Closes the connections. */
  public Future<Void> close() {
    return pool.close();
  }

  private Future<RowSet<Row>> ask(String sql, Tuple parameters) {
    return pool.preparedQuery(sql)
        .execute(parameters)
        .timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
        .recover(failure -> Future.failedFuture(PgFailures.unavailable(failure)));
  }
}
