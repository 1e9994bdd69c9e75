package dev.oncegate.app.config;

import dev.oncegate.app.StartFailure;
import dev.oncegate.tenants.Spelling;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The {@code ONCEGATE_*} variables. A name that is not known is an error: a misspelt variable must
 * not quietly run a gateway on defaults.
 */
public final class Environment {
  static final String CONFIG = "ONCEGATE_CONFIG";

  private static final String PREFIX = "ONCEGATE_";

  private static final Set<Setting<?>> DEMO =
      Set.of(
          Settings.HOST,
          Settings.GATEWAY_PORT,
          Settings.OPS_HOST,
          Settings.OPS_PORT,
          Settings.INSTANCES,
          Settings.DRAIN,
          Settings.ADMIN_TOKEN);

  /** For the launcher, and for commands that ask a running gateway. */
  private static final Set<String> EXEMPT = Set.of("ONCEGATE_JAVA_OPTS", "ONCEGATE_OPS_URL");

  private final Map<String, String> variables;

  private Environment(Map<String, String> variables) {
    this.variables = variables;
  }

  /** Checks the names; variables of other programs are ignored. */
  public static Environment of(Map<String, String> variables) {
    TreeSet<String> known = new TreeSet<>(Set.of(CONFIG));
    Settings.ALL.forEach(setting -> setting.variable().ifPresent(known::add));
    for (String name : new TreeSet<>(variables.keySet())) {
      boolean ours = name.startsWith(PREFIX) && !name.startsWith("ONCEGATE_TEST_");
      if (ours && !EXEMPT.contains(name) && !known.contains(name)) {
        throw StartFailure.invalid(
            "unknown environment variable "
                + name
                + Spelling.nearest(name, known)
                    .map(meant -> "; did you mean " + meant + "?")
                    .orElse("; known are " + String.join(", ", known)));
      }
    }
    return new Environment(Map.copyOf(variables));
  }

  /**
   * What a demo takes: where to listen, who may ask, and nothing that a shell set up for {@code
   * serve} would lend it to write into.
   */
  public Environment forDemo() {
    Map<String, String> harmless = new HashMap<>();
    DEMO.stream()
        .flatMap(setting -> setting.variable().stream())
        .forEach(name -> get(name).ifPresent(value -> harmless.put(name, value)));
    return new Environment(Map.copyOf(harmless));
  }

  /** The value; an empty one counts as not set, as shells and compose files leave them. */
  Optional<String> get(String name) {
    return Optional.ofNullable(variables.get(name)).filter(value -> !value.isEmpty());
  }

  /** What is said about settings, by their pointers. */
  Map<String, Given> settings() {
    Map<String, Given> said = new TreeMap<>();
    for (Setting<?> setting : Settings.ALL) {
      setting
          .variable()
          .ifPresent(
              name ->
                  get(name).ifPresent(value -> said.put(setting.pointer(), Given.by(name, value))));
    }
    return said;
  }
}
