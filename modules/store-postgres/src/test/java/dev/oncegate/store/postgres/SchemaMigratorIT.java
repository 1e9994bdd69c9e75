package dev.oncegate.store.postgres;

import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.ClaimOutcome.Won;
import dev.oncegate.engine.port.RecordUpkeep.Book;
import dev.oncegate.store.postgres.MigrationOutcome.Failed;
import dev.oncegate.store.postgres.MigrationOutcome.Migrated;
import dev.oncegate.store.postgres.MigrationOutcome.NoSuchDatabase;
import dev.oncegate.store.postgres.MigrationOutcome.SchemaNewer;
import dev.oncegate.store.postgres.MigrationOutcome.Unreachable;
import dev.oncegate.store.postgres.MigrationOutcome.UpToDate;
import dev.oncegate.store.postgres.MigrationOutcome.WrongCredentials;
import dev.oncegate.testkit.Records;
import dev.oncegate.testkit.TestPostgres;
import dev.oncegate.testkit.TestPostgres.Database;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;

class SchemaMigratorIT {
  private final Database database = TestPostgres.shared().freshDatabase(SchemaMigratorIT.class);

  @Test
  void freshDatabase_isMigratedWithItsPartitions() {
    assertThat(migrate(8)).isEqualTo(new Migrated(0, SchemaMigrator.VERSION));
    assertThat(partitions("record")).isEqualTo("8");
    assertThat(partitions("body")).isEqualTo("8");
  }

  @Test
  void repeated_isUpToDateAndAnotherCountChangesNothing() {
    migrate(2);
    assertThat(migrate(2)).isEqualTo(new UpToDate(SchemaMigrator.VERSION));
    assertThat(migrate(32)).isEqualTo(new UpToDate(SchemaMigrator.VERSION));
    assertThat(partitions("record")).isEqualTo("2");
  }

  @Test
  void nodesThatStartTogether_allSucceed() throws InterruptedException, ExecutionException {
    ExecutorService nodes = Executors.newFixedThreadPool(3);
    try {
      List<Future<MigrationOutcome>> started =
          nodes.invokeAll(List.of(() -> migrate(4), () -> migrate(4), () -> migrate(4)));
      for (Future<MigrationOutcome> one : started) {
        assertThat(one.get()).isInstanceOfAny(Migrated.class, UpToDate.class);
      }
    } finally {
      nodes.shutdown();
    }
    assertThat(database.query("select count(*) from flyway_schema_history where version = '1'"))
        .isEqualTo("1");
  }

  @Test
  void databaseWithOtherTables_isMigratedBesideThem() {
    database.execute("create table theirs (x int)");
    assertThat(migrate(1)).isInstanceOf(Migrated.class);
    assertThat(database.query("select to_regclass('theirs')")).isEqualTo("theirs");
  }

  @Test
  void schemaOfANewerBuild_isRefused() {
    migrate(1);
    database.execute(
        "insert into flyway_schema_history (installed_rank, version, description, type, script,"
            + " installed_by, execution_time, success) values (99, '999', 'later', 'SQL',"
            + " 'V999__later.sql', 'x', 1, true)");
    assertThat(migrate(1)).isEqualTo(new SchemaNewer(999, SchemaMigrator.VERSION));
  }

  /** What the version before has left is swept and counted like everything else. */
  @Test
  void schemaOfTheVersionBefore_keepsItsRowsAndBeginsItsBooksBalanced() {
    Flyway.configure()
        .dataSource(database.jdbcUrl(), database.user(), database.password())
        .locations("classpath:db/migration")
        .placeholders(Map.of("partitions", "4"))
        .target("2")
        .load()
        .migrate();
    database.execute(Seeds.completed("acme", 300, "1 minute", 3_600_000, 3_600_000));
    database.execute(Seeds.completed("old", 200, "1 day", 3_600_000, 3_600_000));
    database.execute(Seeds.claimed(Records.anyId(), "0 seconds"));
    assertThat(migrate(4)).isEqualTo(new Migrated(2, SchemaMigrator.VERSION));

    Vertx vertx = Vertx.vertx();
    PgUpkeep upkeep = PgUpkeep.open(vertx, PgFixture.options(database), System::nanoTime);
    assertThat(get(upkeep.books())).extracting(Book::imbalance).containsExactly(0L, 0L);
    assertThat(get(upkeep.lapse(100))).hasSize(1);
    assertThat(get(upkeep.expire(1000))).isEqualTo(200);
    List<Book> books = get(upkeep.books());
    assertThat(books).extracting(Book::claims).containsExactly(301L, 200L);
    assertThat(books).extracting(Book::live).containsExactly(300L, 0L);
    assertThat(books).extracting(Book::unknown).containsExactly(1L, 0L);
    assertThat(books).extracting(Book::imbalance).containsExactly(0L, 0L);

    // A node of the version before counts nothing; once it is gone the books begin anew.
    database.execute(Seeds.claimed(Records.anyId(), "1 hour"));
    assertThat(get(upkeep.books()).get(0).imbalance()).isEqualTo(-1);
    database.execute("select begin_books()");
    assertThat(get(upkeep.books()).get(0).imbalance()).isZero();
    get(upkeep.close());
    get(vertx.close());
  }

  @Test
  void schemaNamedBySearchPath_isUsedByMigrationAndStore() {
    database.execute("create schema gate");
    PgConnectOptions options = PgFixture.options(database).addProperty("search_path", "gate");
    assertThat(new SchemaMigrator(options, 2).migrate()).isInstanceOf(Migrated.class);
    assertThat(database.query("select to_regclass('gate.record')")).isEqualTo("gate.record");
    Vertx vertx = Vertx.vertx();
    PgRecordStore store = PgRecordStore.open(vertx, options, PgFixture.PATIENT, System::nanoTime);
    assertThat(get(store.claim(Records.claim(Records.anyId())))).isInstanceOf(Won.class);
    get(store.close());
    get(vertx.close());
  }

  @Test
  void nothingListens_isUnreachable() {
    assertThat(new SchemaMigrator(PgFixture.options(database).setPort(1), 1).migrate())
        .isInstanceOf(Unreachable.class);
  }

  @Test
  void hostWithoutAddress_isUnreachable() {
    assertThat(
            new SchemaMigrator(PgFixture.options(database).setHost("nowhere.invalid"), 1).migrate())
        .isInstanceOf(Unreachable.class);
  }

  @Test
  void unknownUser_isWrongCredentials() {
    assertThat(new SchemaMigrator(PgFixture.options(database).setUser("nobody"), 1).migrate())
        .isInstanceOf(WrongCredentials.class);
  }

  @Test
  void unknownDatabase_isSaidSo() {
    assertThat(new SchemaMigrator(PgFixture.options(database).setDatabase("no such"), 1).migrate())
        .isInstanceOf(NoSuchDatabase.class);
  }

  @Test
  void userWithoutRights_isFailedWithTheReason() {
    database.execute("create role weak" + database.name() + " login password 'weak'");
    try {
      MigrationOutcome outcome =
          new SchemaMigrator(
                  PgFixture.options(database).setUser("weak" + database.name()).setPassword("weak"),
                  1)
              .migrate();
      assertThat(outcome).isInstanceOf(Failed.class);
      assertThat(((Failed) outcome).why()).isNotBlank();
    } finally {
      database.execute("drop role weak" + database.name());
    }
  }

  @Test
  void guard_readsWhatTheServerPromises() {
    Vertx vertx = Vertx.vertx();
    PgGuard guard = get(PgGuard.read(vertx, PgFixture.options(database)));
    assertThat(guard.objections()).isEmpty();
    assertThat(guard.serverVersion()).isGreaterThanOrEqualTo(140_000);

    database.execute("alter database " + database.name() + " set synchronous_commit = off");
    database.execute(
        "alter database " + database.name() + " set default_transaction_read_only = on");
    assertThat(get(PgGuard.read(vertx, PgFixture.options(database))).objections())
        .containsExactly("synchronous_commit is off", "it is read-only");
    get(vertx.close());
  }

  private MigrationOutcome migrate(int partitions) {
    return new SchemaMigrator(PgFixture.options(database), partitions).migrate();
  }

  private String partitions(String table) {
    return database.query(
        "select count(*) from pg_inherits where inhparent = '" + table + "'::regclass");
  }
}
