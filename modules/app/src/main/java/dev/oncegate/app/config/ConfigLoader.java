package dev.oncegate.app.config;

import dev.oncegate.app.StartFailure;
import dev.oncegate.app.config.GatewayConfig.Secret;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Flags over environment over what is built in; the first contradiction ends the start. */
public final class ConfigLoader {
  private static final int PORT = 8080;
  private static final Address OPS = new Address("127.0.0.1", 8081);

  /** Enough to keep each partition's index small at a hundred million records. */
  private static final int PARTITIONS = 16;

  private static final int MOST_PARTITIONS = 1024;
  private static final int MOST_INSTANCES = 256;
  private static final Duration DRAIN = Duration.ofSeconds(30);
  private static final Duration LONGEST_DRAIN = Duration.ofHours(1);
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m)");

  private final Environment environment;

  public ConfigLoader(Environment environment) {
    this.environment = environment;
  }

  /**
   * What holds where neither flag nor environment says anything.
   *
   * @param dataDir relative to the working directory
   */
  public record Defaults(String host, Path tenants, Path dataDir) {
    /** Those of {@code serve} (contract §8). */
    public static final Defaults SERVE =
        new Defaults("0.0.0.0", Path.of("tenants.yaml"), Path.of("data"));
  }

  /** The settings of a run. */
  public GatewayConfig load(ServeFlags flags, Defaults defaults) {
    Optional<PostgresUri> postgres = postgres(flags.postgres());
    return new GatewayConfig(
        path("ONCEGATE_TENANTS", flags.tenants(), defaults.tenants()),
        address("", flags.gateway(), new Address(defaults.host(), PORT)),
        address("OPS_", flags.ops(), OPS),
        path("ONCEGATE_DATA_DIR", flags.dataDir(), defaults.dataDir()).toAbsolutePath().normalize(),
        postgres,
        secret(postgres.isPresent()),
        number("ONCEGATE_STORE_PARTITIONS", 1, MOST_PARTITIONS, PARTITIONS),
        number("ONCEGATE_INSTANCES", 1, MOST_INSTANCES, Runtime.getRuntime().availableProcessors()),
        drain());
  }

  /** Settings that are taken and change nothing in this version: worth a warning each. */
  public Optional<String> ineffective() {
    return environment
        .get("ONCEGATE_ADMIN_TOKEN")
        .map(unused -> "ONCEGATE_ADMIN_TOKEN has no effect yet: nothing on the ops port needs it");
  }

  private Address address(String infix, ServeFlags.@Nullable Endpoint flags, Address builtIn) {
    String host = flags == null ? null : flags.host();
    String port = flags == null ? null : flags.port();
    String hostVariable = "ONCEGATE_" + infix + "HOST";
    String portVariable = "ONCEGATE_" + infix + "PORT";
    String flag = infix.isEmpty() ? "--port" : "--ops-port";
    return new Address(
        host != null ? host : environment.get(hostVariable).orElse(builtIn.host()),
        port != null
            ? number(flag, port, 0, Address.HIGHEST_PORT)
            : number(portVariable, 0, Address.HIGHEST_PORT, builtIn.port()));
  }

  private Optional<PostgresUri> postgres(@Nullable String flag) {
    return flag != null
        ? Optional.of(PostgresUri.parse("--postgres", flag))
        : environment
            .get("ONCEGATE_POSTGRES_URI")
            .map(value -> PostgresUri.parse("ONCEGATE_POSTGRES_URI", value));
  }

  private Optional<Secret> secret(boolean required) {
    Optional<Secret> secret =
        environment
            .get("ONCEGATE_SECRET")
            .map(text -> new Secret(SecretText.decode("ONCEGATE_SECRET", text)));
    if (required && secret.isEmpty()) {
      // A secret made up at each start would make every stored answer unreadable at the next one.
      throw StartFailure.invalid(
          "with an external Postgres ONCEGATE_SECRET is required, the same on every node and at"
              + " every start; make one with: openssl rand -hex 32");
    }
    return secret;
  }

  private Duration drain() {
    return environment
        .get("ONCEGATE_DRAIN_TIMEOUT")
        .map(text -> duration("ONCEGATE_DRAIN_TIMEOUT", text))
        .orElse(DRAIN);
  }

  private static Duration duration(String setting, String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw StartFailure.invalid(setting + " is '" + text + "'; give a duration such as 30s");
    }
    long count = Long.parseLong(matcher.group(1));
    Duration value =
        switch (matcher.group(2)) {
          case "ms" -> Duration.ofMillis(count);
          case "s" -> Duration.ofSeconds(count);
          default -> Duration.ofMinutes(count);
        };
    if (value.compareTo(LONGEST_DRAIN) > 0) {
      throw StartFailure.invalid(setting + " is '" + text + "'; it may be at most 60m");
    }
    return value;
  }

  private Path path(String variable, @Nullable Path flag, Path builtIn) {
    if (flag != null) {
      return flag;
    }
    try {
      return environment.get(variable).map(Path::of).orElse(builtIn);
    } catch (InvalidPathException e) {
      throw StartFailure.invalid(variable + " is not a path", e);
    }
  }

  private int number(String variable, int least, int most, int builtIn) {
    return environment
        .get(variable)
        .map(text -> number(variable, text, least, most))
        .orElse(builtIn);
  }

  private static int number(String setting, String text, int least, int most) {
    try {
      int value = Integer.parseInt(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // said below, as for a number out of range
    }
    throw StartFailure.invalid(
        setting + " is '" + text + "'; give a number from " + least + " to " + most);
  }
}
