package dev.oncegate.store.postgres;

import dev.oncegate.core.FencingToken;
import dev.oncegate.engine.port.RecordUpkeep.Moved;
import dev.oncegate.store.postgres.Lane.Reply;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** The sweeping statements, repeated while they only meet rows whose hint was wrong. */
final class Sweeps {
  /**
   * Further looks where one saw only rows whose hint was wrong: after a migration, or beside nodes
   * that write none, what is really due stands behind thousands of those.
   */
  private static final int MOST_HINTED = 50;

  private final BiFunction<String, Tuple, Future<Reply>> write;

  Sweeps(BiFunction<String, Tuple, Future<Reply>> write) {
    this.write = write;
  }

  Future<List<Moved>> lapse(int limit) {
    return lapse(limit, List.of(), MOST_HINTED);
  }

  private Future<List<Moved>> lapse(int limit, List<Moved> before, int more) {
    return write
        .apply(UpkeepSql.LAPSE, UpkeepSql.limited(limit))
        .compose(
            reply -> {
              List<Moved> moved = moved(reply);
              List<Moved> all = Stream.concat(before.stream(), moved.stream()).toList();
              return more > 0 && moved.size() < limit && seen(reply) >= limit
                  ? lapse(limit - moved.size(), all, more - 1)
                  : Future.succeededFuture(all);
            });
  }

  /** Rows that changed or went; {@code sql} is one of those that count them. */
  Future<Integer> purge(String sql, int limit) {
    return purge(sql, limit, 0, MOST_HINTED);
  }

  private Future<Integer> purge(String sql, int limit, int before, int more) {
    return write
        .apply(sql, UpkeepSql.limited(limit))
        .compose(
            reply -> {
              int changed = PgUpkeep.changed(reply);
              return more > 0 && changed < limit && seen(reply) >= limit
                  ? purge(sql, limit - changed, before + changed, more - 1)
                  : Future.succeededFuture(before + changed);
            });
  }

  private static int seen(Reply reply) {
    return PgUpkeep.theRow(reply).getInteger("seen");
  }

  private static List<Moved> moved(Reply reply) {
    return PgUpkeep.rows(reply)
        .filter(row -> row.getBuffer("id") != null)
        .map(Sweeps::moved)
        .toList();
  }

  private static Moved moved(Row row) {
    return new Moved(
        row.getString("tenant"),
        row.getString("route"),
        RecordRows.id(row.getBuffer("id")),
        new FencingToken(row.getLong("token")));
  }
}
