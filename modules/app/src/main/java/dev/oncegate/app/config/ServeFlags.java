package dev.oncegate.app.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the command line said.
 *
 * @param config the settings file, where one was named
 * @param values by flag
 */
public record ServeFlags(Optional<Path> config, Map<String, String> values) {
  public ServeFlags {
    values = Map.copyOf(values);
  }

  /**
   * A flag that is a setting.
   *
   * @param truth whether it takes no value
   * @param later whether it is known and refused
   */
  public record Flag(String name, String meaning, boolean truth, boolean later) {}

  /** Every flag that is a setting. */
  public static List<Flag> known() {
    return Settings.ALL.stream()
        .filter(setting -> setting.flag().isPresent())
        .map(
            setting ->
                new Flag(
                    setting.flag().orElseThrow(),
                    setting.meaning()
                        + setting.builtIn().map(value -> " Built-in: " + value + ".").orElse(""),
                    setting.equals(ClusterSettings.ENABLED),
                    setting.isLater()))
        .toList();
  }

  /** Nothing said. */
  public static ServeFlags none() {
    return new ServeFlags(Optional.empty(), Map.of());
  }
}
