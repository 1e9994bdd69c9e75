package dev.oncegate.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.testkit.TestPostgres;
import dev.oncegate.testkit.TestPostgres.Database;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnectOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A migrated database, a Vert.x and the stores that a test opens on them. */
final class PgFixture implements AutoCloseable {
  final Database database;
  final Vertx vertx = Vertx.vertx();
  private final List<PgRecordStore> stores = new ArrayList<>();
  private final List<PgUpkeep> upkeeps = new ArrayList<>();

  PgFixture(Class<?> owner) {
    this(TestPostgres.shared(), owner);
  }

  PgFixture(TestPostgres server, Class<?> owner) {
    database = server.freshDatabase(owner);
    assertThat(new SchemaMigrator(options(), 4).migrate())
        .isEqualTo(new MigrationOutcome.Migrated(0, SchemaMigrator.VERSION));
  }

  PgConnectOptions options() {
    return options(database);
  }

  static PgConnectOptions options(Database database) {
    return new PgConnectOptions(new JsonObject())
        .setHost(database.host())
        .setPort(database.port())
        .setDatabase(database.name())
        .setUser(database.user())
        .setPassword(database.password());
  }

  PgRecordStore open() {
    return open(options());
  }

  PgRecordStore open(PgConnectOptions options) {
    return open(options, PgStoreSettings.DEFAULTS);
  }

  PgRecordStore open(PgConnectOptions options, PgStoreSettings settings) {
    PgRecordStore store = PgRecordStore.open(vertx, options, settings, System::nanoTime);
    stores.add(store);
    return store;
  }

  PgUpkeep openUpkeep() {
    PgUpkeep upkeep = PgUpkeep.open(vertx, options(), System::nanoTime);
    upkeeps.add(upkeep);
    return upkeep;
  }

  /** Lets time pass: every row's times go back. */
  void elapse(Duration duration) {
    String by = duration.toMillis() + " * interval '1 millisecond'";
    database.execute(
        "update record set claimed_at = claimed_at - %1$s, lease_until = lease_until - %1$s,"
                .formatted(by)
            + " unknown_since = unknown_since - %1$s, completed_at = completed_at - %1$s,"
                .formatted(by)
            + " due_at = due_at - %1$s".formatted(by));
    database.execute("update timeline set at = at - " + by);
  }

  @Override
  public void close() {
    try {
      for (PgRecordStore store : stores) {
        store.close().await(10, TimeUnit.SECONDS);
      }
      for (PgUpkeep upkeep : upkeeps) {
        upkeep.close().await(10, TimeUnit.SECONDS);
      }
      vertx.close().await(10, TimeUnit.SECONDS);
    } catch (java.util.concurrent.TimeoutException e) {
      throw new AssertionError(e);
    }
  }
}
