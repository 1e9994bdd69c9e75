package dev.oncegate.app;

import dev.oncegate.app.config.GatewayConfig;
import dev.oncegate.app.config.PostgresUri;
import dev.oncegate.app.embedded.DataDir;
import dev.oncegate.app.embedded.DataDirLock;
import dev.oncegate.app.embedded.EmbeddedPostgresServer;
import dev.oncegate.app.embedded.InstallationSecret;
import dev.oncegate.engine.KeyRing;
import dev.oncegate.store.postgres.MigrationOutcome;
import dev.oncegate.store.postgres.PgGuard;
import dev.oncegate.store.postgres.SchemaMigrator;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database of this run, migrated, and the keys of what is in it: an embedded server with a
 * secret kept beside it, or a server and a secret that the configuration names.
 */
record Database(PostgresUri uri, PgConnectOptions options, KeyRing keys) {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);

  /** For migrations, and for a person who looks. */
  private static final int OTHER_CONNECTIONS = 15;

  /** Blocks until the database is there and its schema is this build's. */
  static Database open(GatewayConfig config, Closers closers) {
    Database database =
        config.postgres().isPresent()
            ? external(config, config.postgres().get())
            : embedded(config, closers);
    database.migrate(config.store().partitions());
    return database;
  }

  private static Database external(GatewayConfig config, PostgresUri uri) {
    byte[] secret =
        config
            .secret()
            .orElseThrow(() -> StartFailure.invalid("ONCEGATE_SECRET is required"))
            .bytes();
    return new Database(
        uri, options(uri), new KeyRing(KeyRing.Secret.of(secret), previous(config).toList()));
  }

  private static Database embedded(GatewayConfig config, Closers closers) {
    DataDir dir = DataDir.open(config.dataDir());
    DataDirLock lock = DataDirLock.take(dir);
    closers.add("lock of the data directory", lock);
    KeyRing.Secret kept = KeyRing.Secret.of(InstallationSecret.of(dir));
    EmbeddedPostgresServer server = EmbeddedPostgresServer.start(dir, connections(config));
    closers.add("embedded Postgres", server);
    // A secret that is given wins, and what was stored under the kept one stays readable.
    KeyRing keys =
        config
            .secret()
            .map(
                given ->
                    new KeyRing(
                        KeyRing.Secret.of(given.bytes()),
                        Stream.concat(Stream.of(kept), previous(config)).toList()))
            .orElseGet(() -> new KeyRing(kept, previous(config).toList()));
    return new Database(server.uri(), options(server.uri()), keys);
  }

  private static Stream<KeyRing.Secret> previous(GatewayConfig config) {
    return config.previousSecrets().stream().map(secret -> KeyRing.Secret.of(secret.bytes()));
  }

  private static int connections(GatewayConfig config) {
    GatewayConfig.Store store = config.store();
    int perLoop = store.claims() + store.settles() + store.reads();
    return config.instances() * perLoop + OTHER_CONNECTIONS;
  }

  private static PgConnectOptions options(PostgresUri uri) {
    try {
      return PgConnectOptions.fromUri(uri.value());
    } catch (IllegalArgumentException e) {
      // Its text may repeat the URI.
      throw StartFailure.invalid("the Postgres URI " + uri + " is not understood");
    }
  }

  private void migrate(int partitions) {
    MigrationOutcome outcome = new SchemaMigrator(options, partitions).migrate();
    if (outcome instanceof MigrationOutcome.Migrated migrated) {
      LOG.atInfo()
          .addKeyValue("from", migrated.from())
          .addKeyValue("to", migrated.to())
          .log("schema migrated");
    } else if (!(outcome instanceof MigrationOutcome.UpToDate)) {
      throw failure(outcome);
    }
  }

  private StartFailure failure(MigrationOutcome outcome) {
    String server = "Postgres at " + uri.address();
    if (outcome instanceof MigrationOutcome.Unreachable unreachable) {
      return StartFailure.unreachable(server + " cannot be reached: " + unreachable.why(), null);
    } else if (outcome instanceof MigrationOutcome.WrongCredentials wrong) {
      return StartFailure.invalid(server + " refuses the user or password: " + wrong.why());
    } else if (outcome instanceof MigrationOutcome.NoSuchDatabase missing) {
      return StartFailure.invalid(server + " has no such database: " + missing.why());
    } else if (outcome instanceof MigrationOutcome.ServerTooOld old) {
      return StartFailure.invalid(
          server + " is version " + old.version() + "; 14 or later is needed");
    } else if (outcome instanceof MigrationOutcome.SchemaNewer newer) {
      return StartFailure.invalid(
          "the schema at "
              + server
              + " is version "
              + newer.found()
              + ", this build knows "
              + newer.known()
              + "; run a newer Oncegate");
    } else if (outcome instanceof MigrationOutcome.Failed failed) {
      return StartFailure.invalid("the schema at " + server + " cannot be made: " + failed.why());
    }
    throw new dev.oncegate.core.BrokenInvariant("no such outcome: " + outcome.getClass());
  }

  /** Refuses a server on which an acknowledged claim could be lost, or that takes no writes. */
  void verify(Vertx vertx) {
    PgGuard guard;
    try {
      guard = PgGuard.read(vertx, options).await();
    } catch (Exception e) {
      throw StartFailure.unreachable("Postgres at " + uri.address() + " cannot be reached", e);
    }
    if (guard.objections().isEmpty()) {
      return;
    }
    String line =
        "Postgres at "
            + uri.address()
            + " cannot keep claims: "
            + String.join(", ", guard.objections());
    // A standby may be promoted while we are started again and again; settings do not heal.
    throw guard.inRecovery() || guard.readOnly()
        ? StartFailure.unreachable(line, null)
        : StartFailure.invalid(line);
  }
}
