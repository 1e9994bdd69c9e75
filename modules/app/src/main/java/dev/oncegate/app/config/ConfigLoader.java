package dev.oncegate.app.config;

import dev.oncegate.app.StartFailure;
import dev.oncegate.app.config.GatewayConfig.Limits;
import dev.oncegate.app.config.GatewayConfig.Secret;
import dev.oncegate.app.config.GatewayConfig.Store;
import dev.oncegate.app.config.GatewayConfig.Sweeper;
import dev.oncegate.app.config.GatewayConfig.Tls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Flags over environment over the settings file over what is built in (contract §8). */
public final class ConfigLoader {
  /** Read where it is there and no other is named; relative to the working directory. */
  public static final Path USUAL_FILE = Path.of("conf", "oncegate.yaml");

  private final Environment environment;

  public ConfigLoader(Environment environment) {
    this.environment = environment;
  }

  /**
   * What holds where nobody says anything.
   *
   * @param builtIns by a setting's name, instead of its own
   * @param usualFile whether {@link #USUAL_FILE} counts
   */
  public record Defaults(Map<String, String> builtIns, boolean usualFile) {
    /** Those of {@code serve} (contract §8). */
    public static final Defaults SERVE = new Defaults(Map.of(), true);

    /** Those of {@code demo}: a place of its own, and nothing that was set up for serving. */
    public static Defaults demo(Path tenants) {
      return new Defaults(
          Map.of(
              Settings.HOST.name(),
              "127.0.0.1",
              Settings.TENANTS.name(),
              tenants.toString(),
              Settings.DATA_DIR.name(),
              Path.of("data", "demo").toString()),
          false);
    }
  }

  /** The settings of a run. */
  public GatewayConfig load(ServeFlags flags, Defaults defaults) {
    Optional<Path> file = file(flags, defaults);
    Map<String, String> builtIns = new HashMap<>(defaults.builtIns());
    builtIns.put(
        Settings.INSTANCES.name(),
        Integer.toString(Math.min(256, Runtime.getRuntime().availableProcessors())));
    Values values =
        Values.of(SettingsReader.read(file, environment.settings(), said(flags)), builtIns);
    Optional<PostgresUri> postgres = values.find(Settings.POSTGRES);
    return new GatewayConfig(
        file,
        values.get(Settings.TENANTS),
        new Address(values.get(Settings.HOST), values.get(Settings.GATEWAY_PORT)),
        new Address(values.get(Settings.OPS_HOST), values.get(Settings.OPS_PORT)),
        values.get(Settings.DATA_DIR).toAbsolutePath().normalize(),
        postgres,
        secret(values, postgres.isPresent()),
        values.find(Settings.PREVIOUS_SECRETS).orElse(List.of()),
        values.find(Settings.ADMIN_TOKEN),
        store(values),
        new Sweeper(values.get(Settings.SWEEP_EVERY), values.get(Settings.SWEEP_BATCH)),
        limits(values),
        values.get(Settings.INSTANCES),
        values.get(Settings.DRAIN),
        tls(values),
        values.get(Settings.CLEAR_TEXT_HTTP2),
        ClusterReader.read(values));
  }

  /** The installation secret where one is given, for a command that needs nothing else. */
  public Optional<Secret> secret(ServeFlags flags) {
    Optional<Path> file = file(flags, Defaults.SERVE);
    return Values.of(SettingsReader.read(file, environment.settings(), said(flags)), Map.of())
        .find(Settings.SECRET);
  }

  private Optional<Path> file(ServeFlags flags, Defaults defaults) {
    return flags
        .config()
        .or(() -> environment.get(Environment.CONFIG).map(Path::of))
        .or(
            () ->
                defaults.usualFile() && Files.exists(USUAL_FILE)
                    ? Optional.of(USUAL_FILE)
                    : Optional.empty());
  }

  private static Map<String, Given> said(ServeFlags flags) {
    Map<String, Given> said = new TreeMap<>();
    for (Setting<?> setting : Settings.ALL) {
      setting
          .flag()
          .filter(flags.values()::containsKey)
          .ifPresent(
              flag ->
                  said.put(
                      setting.pointer(), Given.by(flag, flags.values().getOrDefault(flag, ""))));
    }
    return said;
  }

  private static Optional<Secret> secret(Values values, boolean required) {
    Optional<Secret> secret = values.find(Settings.SECRET);
    if (required && secret.isEmpty()) {
      // A secret made up at each start would make every stored answer unreadable at the next one.
      throw StartFailure.invalid(
          "with an external Postgres ONCEGATE_SECRET is required (or secret in the settings file),"
              + " the same on every node and at every start; make one with: openssl rand -hex 32");
    }
    return secret;
  }

  private static Optional<Tls> tls(Values values) {
    Optional<Path> cert = values.find(Settings.TLS_CERT);
    Optional<Path> key = values.find(Settings.TLS_KEY);
    if (cert.isPresent() != key.isPresent()) {
      Setting<Path> given = cert.isPresent() ? Settings.TLS_CERT : Settings.TLS_KEY;
      throw values.contradiction(
          given, "TLS needs both a certificate and its key; give gateway.tls.cert and .key");
    }
    return cert.map(
        chain -> new Tls(values.readable(Settings.TLS_CERT), values.readable(Settings.TLS_KEY)));
  }

  private static Store store(Values values) {
    Store store =
        new Store(
            values.get(Settings.PARTITIONS),
            values.get(Settings.CLAIMS),
            values.get(Settings.SETTLES),
            values.get(Settings.READS),
            values.get(Settings.QUEUE),
            values.get(Settings.BATCH),
            values.get(Settings.PATIENCE),
            values.get(Settings.LOCK_TIMEOUT),
            values.get(Settings.CONNECT_TIMEOUT),
            values.get(Settings.LONGEST_BACKOFF));
    if (store.lockTimeout().multipliedBy(2).compareTo(store.patience()) >= 0) {
      throw values.contradiction(
          Settings.LOCK_TIMEOUT,
          "twice this is not less than store.pool.patience; a statement that waits could not end"
              + " by itself; shorten it, or lengthen patience");
    }
    return store;
  }

  private static Limits limits(Values values) {
    return new Limits(
        values.get(Settings.HEADERS),
        values.get(Settings.REQUEST_LINE),
        values.get(Settings.IDLE),
        values.get(Settings.UPLOAD),
        values.get(Settings.UPLOAD_WINDOW),
        values.get(Settings.UPLOAD_LEAST));
  }
}
