package dev.oncegate.testkit;

import dev.oncegate.core.BrokenInvariant;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Postgres for tests: the server that {@value #URI_VARIABLE} names, else an embedded one, durable
 * as a real one is. One server per JVM ({@link #shared()}), one fresh database per test class
 * ({@link #freshDatabase}). Says once on standard error which server was taken.
 */
public final class TestPostgres implements AutoCloseable {
  /**
   * A name of its own, so that a shell set up for {@code serve} never lends its database to tests.
   */
  public static final String URI_VARIABLE = "ONCEGATE_TEST_POSTGRES_URI";

  private static final AtomicInteger DATABASES = new AtomicInteger();

  private final Database admin;
  private final @Nullable Path directory;
  private @Nullable EmbeddedPostgres running;

  private TestPostgres(Database admin, @Nullable Path directory) {
    this.admin = admin;
    this.directory = directory;
  }

  /** The server of this JVM, started at the first call and stopped when the JVM ends. */
  public static TestPostgres shared() {
    return Shared.SERVER;
  }

  /** An embedded server of the caller's own, which may be stopped and closed. */
  public static TestPostgres embedded() {
    try {
      Path directory = Files.createTempDirectory("oncegate-test-pg");
      TestPostgres server =
          new TestPostgres(
              new Database("127.0.0.1", freePort(), "postgres", "postgres", "postgres"), directory);
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
      server.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A new, empty database; its name begins with the class's. */
  public Database freshDatabase(Class<?> owner) {
    String name =
        "t_%s_%d_%d"
            .formatted(
                owner.getSimpleName().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", ""),
                ProcessHandle.current().pid(),
                DATABASES.incrementAndGet());
    admin.execute("create database " + name);
    return new Database(admin.host(), admin.port(), name, admin.user(), admin.password());
  }

  /** Whether {@link #stop} and {@link #start} work: a server that was lent is left alone. */
  public boolean restartable() {
    return directory != null;
  }

  /** Stops the embedded server; its port, data and databases stay the same over a restart. */
  public void stop() {
    BrokenInvariant.require(restartable(), "a lent server is not stopped");
    EmbeddedPostgres server = running;
    running = null;
    if (server != null) {
      try {
        server.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Starts the embedded server (again) on its port and data. */
  public void start() {
    Path home = directory;
    BrokenInvariant.require(home != null, "a lent server is not started");
    if (home == null || running != null) {
      return;
    }
    try {
      running =
          EmbeddedPostgres.builder()
              .setPort(admin.port())
              .setDataDirectory(home.resolve("data"))
              .setCleanDataDirectory(false)
              .setRegisterShutdownHook(false)
              // The library's own defaults are off, and a claim that is not durable proves nothing.
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("max_connections", "200")
              .setPGStartupWait(Duration.ofSeconds(60))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops an embedded server and removes its data; leaves a lent server as it is. */
  @Override
  public void close() {
    if (directory == null) {
      return;
    }
    stop();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      System.err.println("test Postgres: left behind " + directory + ": " + e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Connection data of one database. */
  public record Database(String host, int port, String name, String user, String password) {
    /** What a test's own connection and Flyway use. */
    public String jdbcUrl() {
      return "jdbc:postgresql://" + host + ":" + port + "/" + name;
    }

    /** What {@code serve --postgres} takes. */
    public String uri() {
      return "postgresql://" + user + ":" + password + "@" + host + ":" + port + "/" + name;
    }

    /** A JDBC connection, to be closed by the caller. */
    public Connection connect() throws SQLException {
      return DriverManager.getConnection(jdbcUrl(), user, password);
    }

    /** Runs one statement in a transaction of its own and says how many rows it changed. */
    public int execute(String sql) {
      try (Connection connection = connect();
          Statement statement = connection.createStatement()) {
        return statement.execute(sql) ? 0 : statement.getUpdateCount();
      } catch (SQLException e) {
        throw new IllegalStateException(e.getMessage(), e);
      }
    }

    /** The first column of the first row as text; null where it is null or there is no row. */
    public @Nullable String query(String sql) {
      try (Connection connection = connect();
          Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(sql)) {
        return rows.next() ? rows.getString(1) : null;
      } catch (SQLException e) {
        throw new IllegalStateException(e.getMessage(), e);
      }
    }

    static Database parse(String text) {
      URI uri = URI.create(text);
      String[] login =
          (uri.getRawUserInfo() == null ? "postgres" : uri.getRawUserInfo()).split(":", 2);
      return new Database(
          uri.getHost(),
          uri.getPort() < 0 ? 5432 : uri.getPort(),
          uri.getPath().length() > 1 ? uri.getPath().substring(1) : "postgres",
          URLDecoder.decode(login[0], StandardCharsets.UTF_8),
          login.length < 2 ? "" : URLDecoder.decode(login[1], StandardCharsets.UTF_8));
    }
  }

  /** Initialised by the first caller, by the rules of class loading once per JVM. */
  private static final class Shared {
    static final TestPostgres SERVER = choose();

    private static TestPostgres choose() {
      String uri = System.getenv(URI_VARIABLE);
      TestPostgres server =
          uri == null || uri.isBlank()
              ? embedded()
              : new TestPostgres(Database.parse(uri.strip()), null);
      System.err.printf(
          "test Postgres: %s %s on %s:%d, fsync=%s, synchronous_commit=%s%n",
          server.restartable() ? "embedded" : "from " + URI_VARIABLE,
          server.admin.query("show server_version"),
          server.admin.host(),
          server.admin.port(),
          server.admin.query("show fsync"),
          server.admin.query("show synchronous_commit"));
      return server;
    }
  }
}
