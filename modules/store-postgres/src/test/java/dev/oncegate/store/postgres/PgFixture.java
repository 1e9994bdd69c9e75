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
import org.awaitility.Awaitility;

/** A migrated database, a Vert.x and the stores that a test opens on them. */
final class PgFixture implements AutoCloseable {
  /**
   * For all tests but those about patience: on a busy machine a statement may take its time, and a
   * lock is awaited until its rival has surely come. A batch waits for a rival a quarter of the
   * lock's time, here 5 s.
   */
  static final PgStoreSettings PATIENT =
      new PgStoreSettings(
          2,
          2,
          1,
          1024,
          Duration.ofSeconds(60),
          Duration.ofSeconds(20),
          Duration.ofSeconds(30),
          Duration.ofSeconds(1));

  /** For tests that wait until patience is over; long enough for a statement that may pass. */
  static final PgStoreSettings HASTY =
      new PgStoreSettings(
          2,
          2,
          1,
          1024,
          Duration.ofSeconds(5),
          Duration.ofMillis(500),
          Duration.ofSeconds(5),
          Duration.ofSeconds(1));

  final Database database;
  final Vertx vertx = Vertx.vertx();
  private final List<PgRecordStore> stores = new ArrayList<>();
  private final List<PgUpkeep> upkeeps = new ArrayList<>();

  PgFixture(Class<?> owner) {
    this(TestPostgres.shared(), owner);
  }

  PgFixture(TestPostgres server, Class<?> owner) {
    // What is awaited comes, or the test hangs; how soon is no question here.
    Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
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
    return open(options, PATIENT);
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
        store.close().await(60, TimeUnit.SECONDS);
      }
      for (PgUpkeep upkeep : upkeeps) {
        upkeep.close().await(60, TimeUnit.SECONDS);
      }
      vertx.close().await(60, TimeUnit.SECONDS);
    } catch (java.util.concurrent.TimeoutException e) {
      throw new AssertionError(e);
    }
  }
}
