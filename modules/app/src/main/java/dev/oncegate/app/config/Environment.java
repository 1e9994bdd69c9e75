package dev.oncegate.app.config;

import dev.oncegate.app.StartFailure;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The {@code ONCEGATE_*} variables. A name that is not known is an error: a misspelt variable must
 * not quietly run a gateway on defaults.
 */
public final class Environment {
  private static final String PREFIX = "ONCEGATE_";
  private static final Set<String> KNOWN =
      Set.of(
          "ONCEGATE_HOST",
          "ONCEGATE_PORT",
          "ONCEGATE_OPS_HOST",
          "ONCEGATE_OPS_PORT",
          "ONCEGATE_TENANTS",
          "ONCEGATE_DATA_DIR",
          "ONCEGATE_POSTGRES_URI",
          "ONCEGATE_SECRET",
          "ONCEGATE_STORE_PARTITIONS",
          "ONCEGATE_INSTANCES",
          "ONCEGATE_DRAIN_TIMEOUT",
          "ONCEGATE_ADMIN_TOKEN");

  private static final Set<String> DEMO =
      Set.of(
          "ONCEGATE_HOST",
          "ONCEGATE_PORT",
          "ONCEGATE_OPS_HOST",
          "ONCEGATE_OPS_PORT",
          "ONCEGATE_INSTANCES",
          "ONCEGATE_DRAIN_TIMEOUT");

  /** In the contract, and not in this version. */
  private static final Set<String> NOT_YET =
      Set.of("ONCEGATE_REDIS_URI", "ONCEGATE_CLUSTER", "ONCEGATE_TLS_CERT", "ONCEGATE_TLS_KEY");

  /** For the launcher. */
  private static final Set<String> EXEMPT = Set.of("ONCEGATE_JAVA_OPTS");

  private final Map<String, String> variables;

  private Environment(Map<String, String> variables) {
    this.variables = variables;
  }

  /** Checks the names; variables of other programs are ignored. */
  public static Environment of(Map<String, String> variables) {
    for (String name : new TreeSet<>(variables.keySet())) {
      if (!name.startsWith(PREFIX) || EXEMPT.contains(name) || name.startsWith("ONCEGATE_TEST_")) {
        continue;
      }
      if (NOT_YET.contains(name)) {
        throw StartFailure.invalid("environment variable " + name + " is not supported yet");
      }
      if (!KNOWN.contains(name)) {
        throw StartFailure.invalid(
            "unknown environment variable "
                + name
                + "; known are "
                + String.join(", ", new TreeSet<>(KNOWN)));
      }
    }
    return new Environment(Map.copyOf(variables));
  }

  /**
   * What a demo takes: where to listen, and nothing that a shell set up for {@code serve} would
   * lend it to write into.
   */
  public Environment forDemo() {
    Map<String, String> harmless = new HashMap<>(variables);
    harmless.keySet().retainAll(DEMO);
    return new Environment(Map.copyOf(harmless));
  }

  /** The value; an empty one counts as not set, as shells and compose files leave them. */
  Optional<String> get(String name) {
    return Optional.ofNullable(variables.get(name)).filter(value -> !value.isEmpty());
  }
}
