package dev.oncegate.bench;

import dev.oncegate.engine.port.RecordStore.StoreUnavailable;
import dev.oncegate.store.postgres.PgRecordStore;
import dev.oncegate.store.postgres.PgStoreSettings;
import dev.oncegate.store.postgres.SchemaMigrator;
import dev.oncegate.testkit.TestPostgres;
import dev.oncegate.testkit.TestPostgres.Database;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;

/** A database of the measurement's own, on the Postgres of the tests. */
final class BenchDatabase {
  /** As many as the installation default. */
  private static final int PARTITIONS = 16;

  private final Database database = TestPostgres.shared().freshDatabase(BenchDatabase.class);

  BenchDatabase() {
    new SchemaMigrator(options(), PARTITIONS).migrate();
  }

  /** Removes all records; what was written before is not left for a checkpoint to come. */
  void empty() {
    database.execute("truncate record, body");
    database.execute("checkpoint");
  }

  /** A store of one loop, connected. */
  PgRecordStore open(Vertx vertx, Context loop, PgStoreSettings settings) {
    PgRecordStore store =
        Loops.on(
            loop,
            () ->
                Future.succeededFuture(
                    PgRecordStore.open(vertx, options(), settings, System::nanoTime)));
    Loops.await(
        store
            .ping()
            .recover(
                late ->
                    late instanceof StoreUnavailable ? store.ping() : Future.failedFuture(late)));
    return store;
  }

  /** The server and its most telling settings, for the record. */
  String server() {
    return "Postgres %s, fsync=%s, synchronous_commit=%s, commit_delay=%s"
        .formatted(
            database.query("show server_version"),
            database.query("show fsync"),
            database.query("show synchronous_commit"),
            database.query("show commit_delay"));
  }

  private PgConnectOptions options() {
    return new PgConnectOptions()
        .setHost(database.host())
        .setPort(database.port())
        .setDatabase(database.name())
        .setUser(database.user())
        .setPassword(database.password());
  }
}
