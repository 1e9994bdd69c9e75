package dev.oncegate.core;

import java.util.List;
import java.util.SortedMap;

/** A JSON text that was read within the contract's bounds, so at most 100 levels deep. */
sealed interface JsonValue {
  /** {@code true}, {@code false} or {@code null}. */
  record Literal(String word) implements JsonValue {}

  /** A number as it was spelled: nothing is rounded before the policy says how numbers compare. */
  record Decimal(String spelled) implements JsonValue {}

  /** A string without lone surrogates, in NFC where the policy asks for it. */
  record Text(String text) implements JsonValue {}

  /** An array. */
  record Items(List<JsonValue> values) implements JsonValue {}

  /** An object, its members sorted by the code points of their names. */
  record Members(SortedMap<String, JsonValue> values) implements JsonValue {}
}
