package dev.oncegate.store.postgres;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import java.util.ArrayList;
import java.util.List;

/**
 * What a server promises of itself, read at start. The application decides what it refuses.
 *
 * @param serverVersion {@code server_version_num}, 170002 for 17.2
 * @param synchronousCommit {@code on}, {@code off}, {@code local}, {@code remote_write}, {@code
 *     remote_apply}, as it holds for our sessions
 */
public record PgGuard(
    int serverVersion,
    boolean fsync,
    boolean fullPageWrites,
    String synchronousCommit,
    boolean inRecovery,
    boolean readOnly) {

  private static final String READ =
      """
      select current_setting('server_version_num')::integer as server_version,
        current_setting('fsync')::boolean as fsync,
        current_setting('full_page_writes')::boolean as full_page_writes,
        current_setting('synchronous_commit') as synchronous_commit,
        pg_is_in_recovery() as in_recovery,
        current_setting('transaction_read_only')::boolean as read_only
      """;

  /** Asks over a connection of its own; fails as the connection fails. */
  public static Future<PgGuard> read(Vertx vertx, PgConnectOptions options) {
    return PgConnection.connect(vertx, options)
        .compose(
            connection ->
                connection
                    .query(READ)
                    .execute()
                    .map(rows -> guard(rows.iterator().next()))
                    .eventually(connection::close));
  }

  /** Why no claim on this server would be durable, in words for an operator; empty if it would. */
  public List<String> objections() {
    List<String> objections = new ArrayList<>();
    if (serverVersion / 10_000 < SchemaMigrator.OLDEST_SERVER) {
      objections.add("it is older than Postgres " + SchemaMigrator.OLDEST_SERVER);
    }
    if (!fsync) {
      objections.add("fsync is off");
    }
    if (!fullPageWrites) {
      objections.add("full_page_writes is off");
    }
    if (synchronousCommit.equals("off")) {
      objections.add("synchronous_commit is off");
    }
    if (inRecovery) {
      objections.add("it is a standby");
    } else if (readOnly) {
      objections.add("it is read-only");
    }
    return objections;
  }

  private static PgGuard guard(Row row) {
    return new PgGuard(
        row.getInteger("server_version"),
        row.getBoolean("fsync"),
        row.getBoolean("full_page_writes"),
        row.getString("synchronous_commit"),
        row.getBoolean("in_recovery"),
        row.getBoolean("read_only"));
  }
}
