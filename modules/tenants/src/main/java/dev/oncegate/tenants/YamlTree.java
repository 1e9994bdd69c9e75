package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import dev.oncegate.core.BrokenInvariant;
import java.util.Map;

/**
 * One YAML file as values and positions that come from the same composed nodes.
 *
 * @param file the file as the user named it
 * @param root the values
 * @param values where each value starts, by JSON Pointer; complete
 * @param keys where the key of each map entry starts, by the entry's JSON Pointer
 */
public record YamlTree(
    String file, JsonNode root, Map<String, Position> values, Map<String, Position> keys) {

  public YamlTree {
    values = Map.copyOf(values);
    keys = Map.copyOf(keys);
  }

  JsonNode at(String pointer) {
    return root.at(pointer);
  }

  /** Where a value starts. */
  public Position value(String pointer) {
    Position position = values.get(pointer);
    if (position == null) {
      throw new BrokenInvariant("a value without a position");
    }
    return position;
  }

  /** Where an entry starts: its key, or the value itself in a list or at the top. */
  public Position key(String pointer) {
    Position position = keys.get(pointer);
    return position == null ? value(pointer) : position;
  }

  /** Where an entry's key stands, or else that of the nearest container which exists. */
  Position nearest(String pointer) {
    String at = pointer;
    while (!values.containsKey(at)) {
      at = Pointers.parent(at);
    }
    return key(at);
  }

  String where(String pointer) {
    return Where.of(root, pointer);
  }
}
