package dev.oncegate.app.config;

import dev.oncegate.app.config.GatewayConfig.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Every setting (contract §8); docs/configuration.md and conf/oncegate.yaml are tested against it.
 */
final class Settings {
  private static final Duration MILLI = Duration.ofMillis(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Kind<Integer> PORT = Kinds.number(0, 65_535);

  /** What {@code gateway.instances} says where nobody says anything. */
  static final String PROCESSORS = "the number of processors";

  static final Setting<String> HOST =
      Setting.of(
              "gateway.host", Kinds.host(), "Where clients come in; 0.0.0.0 is every IPv4 address.")
          .builtIn("0.0.0.0")
          .flag("--host")
          .variable("ONCEGATE_HOST");
  static final Setting<Integer> GATEWAY_PORT =
      Setting.of("gateway.port", PORT, "Port for clients; 0 lets the system choose.")
          .builtIn("8080")
          .flag("--port")
          .variable("ONCEGATE_PORT");
  static final Setting<Integer> INSTANCES =
      Setting.of("gateway.instances", Kinds.number(1, 256), "Event loops that serve traffic.")
          .variable("ONCEGATE_INSTANCES");
  static final Setting<Duration> DRAIN =
      Setting.of(
              "gateway.drain",
              Kinds.duration(MILLI, HOUR),
              "Longest wait for running exchanges at SIGTERM.")
          .builtIn("30s")
          .variable("ONCEGATE_DRAIN_TIMEOUT");

  static final Setting<Path> TLS_CERT =
      Setting.of(
              "gateway.tls.cert",
              Kinds.path(),
              "Certificate with its chain, PEM, for TLS and HTTP/2 (ALPN) towards clients; with"
                  + " gateway.tls.key.")
          .flag("--tls-cert")
          .variable("ONCEGATE_TLS_CERT");
  static final Setting<Path> TLS_KEY =
      Setting.of("gateway.tls.key", Kinds.path(), "Private key of the certificate, PEM.")
          .flag("--tls-key")
          .variable("ONCEGATE_TLS_KEY");
  static final Setting<Boolean> CLEAR_TEXT_HTTP2 =
      Setting.of(
              "gateway.clearTextHttp2",
              Kinds.truth(),
              "Whether HTTP/2 is taken without TLS, by prior knowledge or upgrade.")
          .builtIn("false");

  static final Setting<Integer> HEADERS =
      Setting.of(
              "gateway.limits.headers",
              Kinds.size(1 << 10, 1 << 20),
              "All header lines of a request together; beyond: 431.")
          .builtIn("32KiB");
  static final Setting<Integer> REQUEST_LINE =
      Setting.of(
              "gateway.limits.requestLine",
              Kinds.size(256, 1 << 20),
              "Method, path and query of a request; beyond: 414.")
          .builtIn("16KiB");
  static final Setting<Duration> IDLE =
      Setting.of(
              "gateway.limits.idle",
              Kinds.duration(SECOND, HOUR.multipliedBy(24)),
              "A connection without a byte is closed after this; at least the longest"
                  + " upstream.timeouts.total and a minute.")
          .builtIn("2m");
  static final Setting<Duration> UPLOAD =
      Setting.of(
              "gateway.limits.upload",
              Kinds.duration(SECOND, HOUR),
              "How long the body of a keyed request may take; beyond: 408.")
          .builtIn("60s");
  static final Setting<Duration> UPLOAD_WINDOW =
      Setting.of(
              "gateway.limits.uploadWindow",
              Kinds.duration(SECOND, HOUR),
              "In each such span of a body's arrival ...")
          .builtIn("10s");
  static final Setting<Integer> UPLOAD_LEAST =
      Setting.of(
              "gateway.limits.uploadLeast",
              Kinds.size(1, 1 << 20),
              "... at least this much has to arrive; less: 408.")
          .builtIn("100B");

  static final Setting<String> OPS_HOST =
      Setting.of("ops.host", Kinds.host(), "Where health and metrics are.")
          .builtIn("127.0.0.1")
          .flag("--ops-host")
          .variable("ONCEGATE_OPS_HOST");
  static final Setting<Integer> OPS_PORT =
      Setting.of("ops.port", PORT, "Port for health and metrics; 0 lets the system choose.")
          .builtIn("8081")
          .flag("--ops-port")
          .variable("ONCEGATE_OPS_PORT");
  static final Setting<Secret> ADMIN_TOKEN =
      Setting.of(
              "ops.adminToken",
              Secrets.token(),
              "Bearer token of the ops API; without it a random one is printed at start.")
          .variable("ONCEGATE_ADMIN_TOKEN");

  static final Setting<PostgresUri> POSTGRES =
      Setting.of(
              "store.postgres",
              Kinds.postgres(),
              "A Postgres that you run; without it: the embedded one.")
          .flag("--postgres")
          .variable("ONCEGATE_POSTGRES_URI");
  static final Setting<Path> DATA_DIR =
      Setting.of(
              "store.dataDir",
              Kinds.path(),
              "Home of the embedded Postgres, its lock and its secret.")
          .builtIn("data")
          .flag("--data-dir")
          .variable("ONCEGATE_DATA_DIR");
  static final Setting<Integer> PARTITIONS =
      Setting.of(
              "store.partitions",
              Kinds.number(1, 1024),
              "Partitions of the record table; counts when the schema is made.")
          .builtIn("16")
          .variable("ONCEGATE_STORE_PARTITIONS");
  static final Setting<Integer> CLAIMS =
      Setting.of(
              "store.lanes.claims",
              Kinds.number(1, 64),
              "Connections per event loop that only claim.")
          .builtIn("2");
  static final Setting<Integer> SETTLES =
      Setting.of(
              "store.lanes.settles",
              Kinds.number(1, 64),
              "Connections per event loop that only settle.")
          .builtIn("2");
  static final Setting<Integer> READS =
      Setting.of(
              "store.lanes.reads",
              Kinds.number(1, 64),
              "Connections per event loop for reads and renewals.")
          .builtIn("1");
  static final Setting<Integer> QUEUE =
      Setting.of(
              "store.lanes.queue",
              Kinds.number(1, 1_000_000),
              "What may wait per lane; beyond: 503 at once.")
          .builtIn("1024");
  static final Setting<Integer> BATCH =
      Setting.of(
              "store.lanes.batch",
              Kinds.number(1, 1024),
              "Most rows of one statement; 1: each row is a statement of its own.")
          .builtIn("64");
  static final Setting<Duration> PATIENCE =
      Setting.of(
              "store.pool.patience",
              Kinds.duration(MILLI, MINUTE),
              "How long an operation waits for Postgres before 503; more than twice lockTimeout.")
          .builtIn("1500ms");
  static final Setting<Duration> LOCK_TIMEOUT =
      Setting.of(
              "store.pool.lockTimeout",
              Kinds.duration(MILLI, MINUTE),
              "How long a statement waits for a rival that has not committed.")
          .builtIn("500ms");
  static final Setting<Duration> CONNECT_TIMEOUT =
      Setting.of(
              "store.pool.connectTimeout",
              Kinds.duration(MILLI, MINUTE),
              "How long connecting may take.")
          .builtIn("1s");
  static final Setting<Duration> LONGEST_BACKOFF =
      Setting.of(
              "store.pool.longestBackoff",
              Kinds.duration(MILLI, MINUTE),
              "Longest pause between two tries to connect.")
          .builtIn("1s");

  static final Setting<Duration> SWEEP_EVERY =
      Setting.of(
              "sweeper.every",
              Kinds.duration(MILLI.multipliedBy(50), MINUTE),
              "How often lapsed claims, unknown outcomes and passed deadlines are looked for; give"
                  + " or take a quarter.")
          .builtIn("1s");
  static final Setting<Integer> SWEEP_BATCH =
      Setting.of("sweeper.batch", Kinds.number(1, 10_000), "Most records of one such statement.")
          .builtIn("200");

  static final Setting<Secret> SECRET =
      Setting.of(
              "secret",
              Secrets.installation(),
              "Installation secret; required with store.postgres, else made once in the data"
                  + " directory.")
          .variable("ONCEGATE_SECRET");
  static final Setting<List<Secret>> PREVIOUS_SECRETS =
      Setting.of(
          "previousSecrets",
          Secrets.installations(),
          "Former installation secrets: what was stored under them stays readable.");
  static final Setting<Path> TENANTS =
      Setting.of("tenants", Kinds.path(), "The tenants file, or the folder that holds it.")
          .builtIn("tenants.yaml")
          .flag("--tenants")
          .variable("ONCEGATE_TENANTS");

  static final List<Setting<?>> NOW =
      List.of(
          HOST,
          GATEWAY_PORT,
          INSTANCES,
          DRAIN,
          TLS_CERT,
          TLS_KEY,
          CLEAR_TEXT_HTTP2,
          HEADERS,
          REQUEST_LINE,
          IDLE,
          UPLOAD,
          UPLOAD_WINDOW,
          UPLOAD_LEAST,
          OPS_HOST,
          OPS_PORT,
          ADMIN_TOKEN,
          POSTGRES,
          DATA_DIR,
          PARTITIONS,
          CLAIMS,
          SETTLES,
          READS,
          QUEUE,
          BATCH,
          PATIENCE,
          LOCK_TIMEOUT,
          CONNECT_TIMEOUT,
          LONGEST_BACKOFF,
          SWEEP_EVERY,
          SWEEP_BATCH,
          SECRET,
          PREVIOUS_SECRETS,
          TENANTS);

  static final List<Setting<?>> ALL =
      Stream.of(NOW, ClusterSettings.ALL, LaterSettings.ALL)
          .<Setting<?>>flatMap(List::stream)
          .toList();

  private Settings() {}
}
