package dev.oncegate.app.config;

import dev.oncegate.tenants.Position;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A setting's value as somebody wrote it.
 *
 * @param value a text, number, truth value or {@code JsonArray}; null where a file has nothing
 * @param from the flag or variable that said it; for a file its name
 * @param at where the value stands, if in a file
 * @param keys where each name on the way to it stands, if in a file
 */
record Given(@Nullable Object value, String from, Optional<Position> at, List<Position> keys) {
  /** What a flag or a variable says: always a text. */
  static Given by(String from, String value) {
    return new Given(value, from, Optional.empty(), List.of());
  }

  /** What is built in. */
  static Given builtIn(String value) {
    return by("built-in", value);
  }

  boolean inFile() {
    return at.isPresent();
  }

  /** Never the value: it may be a secret. */
  @Override
  public String toString() {
    return "Given[" + at.map(Position::toString).orElse(from) + "]";
  }
}
