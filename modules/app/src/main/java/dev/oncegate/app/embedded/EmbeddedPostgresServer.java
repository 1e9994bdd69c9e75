package dev.oncegate.app.embedded;

import dev.oncegate.app.StartFailure;
import dev.oncegate.app.config.PostgresUri;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.commons.io.FileUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A durable Postgres of our own in the data directory, on a loopback port that the system chooses.
 *
 * <p>The library that brings it is made for tests: as it comes, it turns {@code fsync} and {@code
 * synchronous_commit} off, trusts every local user, and deletes its data. Each setting below undoes
 * one of these (libraries 3.5); the two that a claim's durability hangs on are read back from the
 * server before anyone may use it.
 */
public final class EmbeddedPostgresServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgresServer.class);

  /** Crash recovery reads the log since the last checkpoint, which can be a gigabyte. */
  private static final Duration START = Duration.ofSeconds(60);

  /** What rules 2 and 3 of the contract rest on. */
  private static final List<String> DURABLE =
      List.of("fsync", "synchronous_commit", "full_page_writes");

  private static final String LOCAL_PASSWORD_ONLY = "host all all 127.0.0.1/32 scram-sha-256\n";

  private final DataDir dir;
  private final EmbeddedPostgres postgres;
  private final String password;

  private EmbeddedPostgresServer(DataDir dir, EmbeddedPostgres postgres, String password) {
    this.dir = dir;
    this.postgres = postgres;
    this.password = password;
  }

  /**
   * Starts the server and blocks until it answers. The caller holds the directory's lock.
   *
   * @param connections how many clients it must be able to serve
   */
  public static EmbeddedPostgresServer start(DataDir dir, int connections) {
    dropUnfinished(dir);
    String password = SecretFile.readOrMake(dir, dir.password());
    if (Postmaster.stopLeftOver(dir.postgres())) {
      LOG.info("stopped the Postgres that a killed run left in {}", dir.postgres());
    }
    boolean first = !dir.hasPostgres();
    LogTail log = LogTail.of(dir.postgresLog());
    StartWatch watch = new StartWatch(dir.postgres());
    EmbeddedPostgres.Builder builder = builder(dir, password, connections, watch);
    try {
      if (first) {
        Files.createFile(dir.unfinished());
        dir.force();
      }
      EmbeddedPostgresServer server =
          new EmbeddedPostgresServer(dir, watch.await(builder::start, START), password);
      server.verified(first);
      return server;
    } catch (IOException e) {
      throw StartFailure.unreachable(
          "the embedded Postgres in "
              + dir.postgres()
              + " does not start: "
              + log.reason().orElse(String.valueOf(e.getMessage()))
              + " (see "
              + dir.postgresLog()
              + ")",
          e);
    }
  }

  private static EmbeddedPostgres.Builder builder(
      DataDir dir, String password, int connections, StartWatch watch) {
    // Where the library looks for data directories to delete; its own choice is the shared /tmp.
    System.setProperty("ot.epg.working-dir", dir.binaries().toString());
    Redirect log = Redirect.appendTo(dir.postgresLog().toFile());
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setDataDirectory(dir.postgres())
            .setCleanDataDirectory(false)
            .setRegisterShutdownHook(false)
            .setOverrideWorkingDirectory(dir.binaries().toFile())
            .setPGStartupWait(START)
            .setErrorRedirector(log)
            .setOutputRedirector(log)
            .setLocaleConfig("pwfile", dir.password().toString())
            .setLocaleConfig("locale", "C")
            .setConnectConfig("password", password)
            .setDataDirectoryCustomizer(
                directory -> {
                  requirePasswords(directory.toPath());
                  watch.initialised();
                })
            .setServerConfig("listen_addresses", "127.0.0.1")
            .setServerConfig("unix_socket_directories", "")
            .setServerConfig("max_connections", Integer.toString(connections));
    DURABLE.forEach(setting -> builder.setServerConfig(setting, "on"));
    // A sidecar's memory: the gateway reads each record once, and the system caches files anyway.
    return builder
        .setServerConfig("shared_buffers", "32MB")
        .setServerConfig("max_parallel_workers_per_gather", "0")
        .setServerConfig("jit", "off");
  }

  private static void requirePasswords(Path directory) {
    try {
      Files.writeString(directory.resolve("pg_hba.conf"), LOCAL_PASSWORD_ONLY);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A first start that was cut off left half a database; nothing was ever stored in it. */
  private static void dropUnfinished(DataDir dir) {
    if (!Files.exists(dir.unfinished())) {
      return;
    }
    Postmaster.stopLeftOver(dir.postgres());
    try {
      FileUtils.deleteDirectory(dir.postgres().toFile());
      Files.delete(dir.unfinished());
    } catch (IOException e) {
      throw StartFailure.invalid("cannot delete an unfinished " + dir.postgres(), e);
    }
  }

  private void verified(boolean first) throws IOException {
    try {
      dir.closeBinaries();
      for (String setting : DURABLE) {
        String value = show(setting);
        if (!"on".equals(value)) {
          throw StartFailure.invalid(
              "the embedded Postgres runs with " + setting + " = " + value + "; it must be on");
        }
      }
      if (first) {
        // From here on the directory holds something: it must never look unfinished again.
        Files.delete(dir.unfinished());
        dir.force();
      }
    } catch (StartFailure | IOException e) {
      close();
      throw e;
    }
  }

  /** A server setting's value, as SHOW gives it. */
  public String show(String setting) throws IOException {
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW " + setting)) {
      row.next();
      return String.valueOf(row.getString(1));
    } catch (SQLException e) {
      throw new IOException("cannot read " + setting, e);
    }
  }

  /** How to connect; holds the password. */
  public PostgresUri uri() {
    return new PostgresUri(
        "postgresql://postgres:" + password + "@127.0.0.1:" + postgres.getPort() + "/postgres");
  }

  /** Stops the server and waits until it has; everything committed is on disk. */
  @Override
  public void close() throws IOException {
    Optional<Postmaster> postmaster = Postmaster.of(dir.postgres());
    postgres.close();
    if (postmaster.isPresent()) {
      try {
        postmaster.get().awaitExit();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
