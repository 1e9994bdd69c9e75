package dev.oncegate.store.postgres;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.store.postgres.MigrationOutcome.Failed;
import dev.oncegate.store.postgres.MigrationOutcome.Migrated;
import dev.oncegate.store.postgres.MigrationOutcome.NoSuchDatabase;
import dev.oncegate.store.postgres.MigrationOutcome.SchemaNewer;
import dev.oncegate.store.postgres.MigrationOutcome.ServerTooOld;
import dev.oncegate.store.postgres.MigrationOutcome.Unreachable;
import dev.oncegate.store.postgres.MigrationOutcome.UpToDate;
import dev.oncegate.store.postgres.MigrationOutcome.WrongCredentials;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/**
 * Brings the schema to this build's version. Blocking: called once per process at start, off the
 * event loops. Nodes that start together wait for each other. Versions only add, since old and new
 * nodes overlap in a rollout.
 */
public final class SchemaMigrator {
  /** Contract §10. */
  static final int OLDEST_SERVER = 14;

  /** The last of {@code db/migration}; a test compares. */
  static final int VERSION = 3;

  /** Any number that nobody else in the database locks: "once" in ASCII. */
  private static final long TURN = 0x6f6e6365L;

  private static final String HISTORY = "flyway_schema_history";
  private static final int MOST_PARTITIONS = 1024;

  private final String url;
  private final Properties login;
  private final int partitions;

  /**
   * For the database that the store will use, in its default schema.
   *
   * @param partitions into how many parts records are split, 1 to 1024; counts at install only
   */
  public SchemaMigrator(PgConnectOptions options, int partitions) {
    BrokenInvariant.require(
        partitions >= 1 && partitions <= MOST_PARTITIONS, "1 to 1024 partitions");
    this.partitions = partitions;
    url =
        "jdbc:postgresql://%s:%d/%s"
            .formatted(
                options.getHost().contains(":") ? "[" + options.getHost() + "]" : options.getHost(),
                options.getPort(),
                java.net.URLEncoder.encode(
                    options.getDatabase(), java.nio.charset.StandardCharsets.UTF_8));
    login = new Properties();
    login.setProperty("user", options.getUser());
    if (options.getPassword() != null) {
      login.setProperty("password", options.getPassword());
    }
    SslMode ssl = options.getSslMode() == null ? SslMode.DISABLE : options.getSslMode();
    login.setProperty("sslmode", ssl.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    login.setProperty("connectTimeout", "10");
    login.setProperty("loginTimeout", "10");
    String schema = options.getProperties().get("search_path");
    if (schema != null) {
      login.setProperty("currentSchema", schema);
    }
  }

  /** Migrates where that is needed. */
  public MigrationOutcome migrate() {
    try (Connection connection = DriverManager.getConnection(url, login)) {
      int major = connection.getMetaData().getDatabaseMajorVersion();
      if (major < OLDEST_SERVER) {
        return new ServerTooOld(connection.getMetaData().getDatabaseProductVersion());
      }
      int found = version(connection);
      if (found > VERSION) {
        return new SchemaNewer(found, VERSION);
      }
      // Loading Flyway takes longer than everything else here; the common start does without.
      return found == VERSION ? new UpToDate(found) : migrateAlone(connection);
    } catch (SQLException e) {
      return refused(e);
    }
  }

  /**
   * Flyway locks each script, but two that begin on an empty schema at once disturb each other
   * while they make the history: the second finds it there and empty, and gives up. The lock ends
   * with this connection.
   */
  private MigrationOutcome migrateAlone(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("select pg_advisory_lock(" + TURN + ")");
    }
    int found = version(connection);
    return found == VERSION ? new UpToDate(found) : migrate(connection, found);
  }

  private MigrationOutcome migrate(Connection connection, int found) throws SQLException {
    String schema = connection.getSchema();
    if (schema == null) {
      return new Failed("the schema that search_path names does not exist");
    }
    try {
      Flyway.configure()
          .dataSource(new LoginSource(url, login))
          .locations("classpath:db/migration")
          .defaultSchema(schema)
          .table(HISTORY)
          .placeholders(Map.of("partitions", Integer.toString(partitions)))
          // The history may be newer than this build where two nodes start at once.
          .ignoreMigrationPatterns("*:future")
          .baselineOnMigrate(true)
          .baselineVersion("0")
          .load()
          .migrate();
    } catch (FlywayException e) {
      return new Failed(firstLine(e));
    }
    int now = version(connection);
    return now > VERSION ? new SchemaNewer(now, VERSION) : new Migrated(found, now);
  }

  /** The newest version that was applied without a failure on the way; 0 where there is none. */
  private static int version(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      try (ResultSet there =
          statement.executeQuery("select to_regclass('" + HISTORY + "') is not null")) {
        if (!there.next() || !there.getBoolean(1)) {
          return 0;
        }
      }
      try (ResultSet rows =
          statement.executeQuery(
              "select coalesce(max(split_part(version, '.', 1)::integer), 0) from "
                  + HISTORY
                  + " where success and not exists (select from "
                  + HISTORY
                  + " where not success)")) {
        return rows.next() ? rows.getInt(1) : 0;
      }
    }
  }

  private static MigrationOutcome refused(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    if (state.startsWith("28")) {
      return new WrongCredentials(firstLine(e));
    } else if (state.equals("3D000")) {
      return new NoSuchDatabase(firstLine(e));
    } else if (state.startsWith("08") || state.startsWith("57P") || state.startsWith("53")) {
      return new Unreachable(firstLine(e));
    }
    return new Failed(firstLine(e));
  }

  private static String firstLine(Exception e) {
    String text = e.getMessage() == null ? e.toString() : e.getMessage();
    return text.strip().lines().findFirst().orElse(text);
  }
}
