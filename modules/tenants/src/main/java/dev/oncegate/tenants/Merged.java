package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The policy of one route after the merge, in the form of {@code defaults}.
 *
 * @param label the route as findings name it, {@code tenant/route}
 * @param values complete for all that has a built-in value
 * @param sources where each value was written, by its JSON Pointer in {@code values}
 */
record Merged(String label, ObjectNode values, Map<String, Source> sources) {

  /** The levels of policy, weakest first. */
  enum Level {
    BUILT_IN,
    FILE,
    TENANT,
    ROUTE
  }

  /**
   * Where a merged value was written.
   *
   * @param pointer the value's pointer in that tree
   */
  record Source(Level level, YamlTree tree, String pointer) {
    Position value() {
      return tree.value(pointer);
    }

    Position key() {
      return tree.key(pointer);
    }

    /** How a finding elsewhere names the level: {@code here} at the same one. */
    String from(Level other, Position seenFrom) {
      return switch (level) {
        case BUILT_IN -> "the built-in one";
        case FILE -> "defaults (" + value().seenFrom(seenFrom) + ")";
        case TENANT ->
            level == other ? place(seenFrom) : "the tenant's defaults " + place(seenFrom);
        case ROUTE -> place(seenFrom);
      };
    }

    private String place(Position seenFrom) {
      return "(" + value().seenFrom(seenFrom) + ")";
    }
  }

  Merged {
    sources = Map.copyOf(sources);
  }

  JsonNode at(String pointer) {
    return values.at(pointer);
  }

  boolean has(String pointer) {
    return !values.at(pointer).isMissingNode();
  }

  String text(String pointer) {
    return values.at(pointer).asText();
  }

  Duration duration(String pointer) {
    return Units.duration(text(pointer));
  }

  long size(String pointer) {
    return Units.size(text(pointer));
  }

  List<String> texts(String pointer) {
    List<String> texts = new ArrayList<>();
    values.at(pointer).forEach(item -> texts.add(item.asText()));
    return texts;
  }

  /** Where a value was written; empty where no level has it. */
  Optional<Source> source(String pointer) {
    return Optional.ofNullable(sources.get(pointer));
  }

  /** Where a value was written that the built-in level guarantees or that was seen to be there. */
  Source written(String pointer) {
    return source(pointer)
        .orElseThrow(() -> new dev.oncegate.core.BrokenInvariant("a merged value has a source"));
  }

  Level level(String pointer) {
    return source(pointer).map(Source::level).orElse(Level.BUILT_IN);
  }

  /**
   * The name of a value in a finding: a value of the file's defaults is named there, since it
   * reaches every route; any other by the route.
   */
  String where(String pointer) {
    String path = String.join(".", Pointers.tokens(pointer));
    return level(pointer) == Level.FILE ? "defaults." + path : label + " " + path;
  }
}
