package dev.oncegate.app.config;

import java.util.List;
import java.util.Optional;

/**
 * One setting, the same in the file, the environment and on the command line.
 *
 * @param name its path in the file, joined by dots
 * @param builtIn as a flag would say it; empty: nothing
 * @param flag empty: none
 * @param variable empty: none
 * @param meaning one sentence for people
 */
record Setting<T>(
    String name,
    Kind<T> kind,
    Optional<String> builtIn,
    Optional<String> flag,
    Optional<String> variable,
    String meaning) {

  static <T> Setting<T> of(String name, Kind<T> kind, String meaning) {
    return new Setting<>(name, kind, Optional.empty(), Optional.empty(), Optional.empty(), meaning);
  }

  Setting<T> builtIn(String value) {
    return new Setting<>(name, kind, Optional.of(value), flag, variable, meaning);
  }

  Setting<T> flag(String with) {
    return new Setting<>(name, kind, builtIn, Optional.of(with), variable, meaning);
  }

  Setting<T> variable(String with) {
    return new Setting<>(name, kind, builtIn, flag, Optional.of(with), meaning);
  }

  /** Its place in the file as a JSON Pointer. */
  String pointer() {
    return "/" + name.replace('.', '/');
  }

  /** The names on the way to it. */
  List<String> path() {
    return List.of(name.split("\\."));
  }

  boolean isLater() {
    return kind.form().equals(LaterSettings.FORM);
  }
}
