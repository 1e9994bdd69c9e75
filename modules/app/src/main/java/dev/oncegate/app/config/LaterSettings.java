package dev.oncegate.app.config;

import dev.oncegate.app.config.Fit.Taken;
import dev.oncegate.app.config.Fit.Unfit;
import io.vertx.core.json.JsonArray;
import java.util.List;
import java.util.Optional;

/**
 * What the contract knows and this version does not do. A value that says what is done anyway is
 * taken; any other is refused, since ignoring it would be a promise that nobody keeps.
 */
final class LaterSettings {
  static final String FORM = "later";

  static final List<Setting<?>> ALL =
      List.of(
          off(
              "store.requireSynchronousStandby",
              "true refuses to start on a Postgres without a synchronous standby."),
          off("cache.redis", "Redis URI of the replay cache.")
              .flag("--redis")
              .variable("ONCEGATE_REDIS_URI"),
          off("cache.timeout", "Longest wait for the cache."),
          off("cache.memory", "Memory of the cache in the process."),
          off("outbound", "Hosts that upstreams, probes and key sets may be on."));

  private LaterSettings() {}

  private static Setting<Optional<Object>> off(String name, String meaning) {
    return Setting.of(name, new Kind<>(FORM, LaterSettings::read), meaning);
  }

  private static Fit<Optional<Object>> read(Given given) {
    Object value = given.value();
    boolean saysNothing =
        value == null
            || value.equals(false)
            || (value instanceof JsonArray list && list.isEmpty())
            || (!given.inFile() && value.equals("false"));
    return saysNothing
        ? new Taken<>(Optional.empty())
        : new Unfit<>("is not supported yet", "leave it out");
  }
}
