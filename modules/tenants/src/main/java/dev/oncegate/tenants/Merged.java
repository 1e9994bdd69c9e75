package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oncegate.core.BrokenInvariant;
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
 * @param replaced what stood there on weaker levels, nearest first
 */
record Merged(
    String label,
    ObjectNode values,
    Map<String, Source> sources,
    Map<String, List<Source>> replaced) {

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

    /** How a finding elsewhere refers to this value, after a word like "in" or "of". */
    String from(Position seenFrom) {
      return switch (level) {
        case BUILT_IN -> "the built-in values";
        case FILE -> "defaults (" + value().seenFrom(seenFrom) + ")";
        case TENANT -> "the tenant's defaults (" + value().seenFrom(seenFrom) + ")";
        case ROUTE -> "this route (" + value().seenFrom(seenFrom) + ")";
      };
    }

    /** The value's place in brackets, or that it is built in. */
    String place(Position seenFrom) {
      return level == Level.BUILT_IN ? "(built-in)" : "(" + value().seenFrom(seenFrom) + ")";
    }
  }

  Merged {
    sources = Map.copyOf(sources);
    replaced = Map.copyOf(replaced);
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
    return source(pointer).orElseThrow(() -> new BrokenInvariant("a merged value has a source"));
  }

  Level level(String pointer) {
    return source(pointer).map(Source::level).orElse(Level.BUILT_IN);
  }

  /** Whether one value was written on a stronger level than another. */
  boolean isStronger(String pointer, String than) {
    return level(pointer).compareTo(level(than)) > 0;
  }

  /** The name of a value in a finding. */
  String where(String pointer) {
    return where(pointer, pointer);
  }

  /**
   * The name of a place in a finding: in the file's defaults it is named there, since it reaches
   * every route; on any other level by the route.
   *
   * @param blamed the value whose level counts
   */
  String where(String blamed, String shown) {
    String path = String.join(".", Pointers.tokens(shown));
    return level(blamed) == Level.FILE ? "defaults." + path : label + " " + path;
  }
}
