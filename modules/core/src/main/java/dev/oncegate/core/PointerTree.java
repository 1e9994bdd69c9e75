package dev.oncegate.core;

import com.fasterxml.jackson.core.JsonPointer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * JSON Pointers by their tokens, so that a walk over a body meets each of them in passing. A token
 * names an object's member, or an array's element where it is that element's index as RFC 6901
 * writes it (no leading zeros, no {@code -}).
 */
final class PointerTree<T> {
  private final Map<String, PointerTree<T>> children = new HashMap<>();
  private @Nullable T mark;

  /** Puts a mark where a pointer leads. */
  void add(List<String> tokens, T newMark) {
    PointerTree<T> at = this;
    for (String token : tokens) {
      at = at.children.computeIfAbsent(token, t -> new PointerTree<>());
    }
    at.mark = newMark;
  }

  /** What a pointer that ends here was marked with; null where none does. */
  @Nullable T mark() {
    return mark;
  }

  /** The pointers that lead on through a member; null where none does. */
  @Nullable PointerTree<T> child(String name) {
    return children.get(name);
  }

  /** The pointers that lead on through an array's element; null where none does. */
  @Nullable PointerTree<T> child(int index) {
    return children.isEmpty() ? null : children.get(Integer.toString(index));
  }

  /** A pointer's tokens, unescaped. */
  static List<String> tokens(JsonPointer pointer, UnaryOperator<String> normalised) {
    List<String> tokens = new ArrayList<>();
    for (JsonPointer at = pointer; !at.matches(); at = at.tail()) {
      tokens.add(normalised.apply(at.getMatchingProperty()));
    }
    return tokens;
  }

  /** An array's element as RFC 6901 §4 writes it; -1 where a token names none. */
  static int index(String token) {
    boolean digits = !token.isEmpty() && token.chars().allMatch(c -> c >= '0' && c <= '9');
    boolean plain = token.length() == 1 || !token.startsWith("0");
    return digits && plain && token.length() < 10 ? Integer.parseInt(token) : -1;
  }

  /** The one spelling of a pointer (RFC 6901 §3). */
  static String spelled(List<String> tokens) {
    StringBuilder out = new StringBuilder();
    for (String token : tokens) {
      out.append('/').append(token.replace("~", "~0").replace("/", "~1"));
    }
    return out.toString();
  }
}
