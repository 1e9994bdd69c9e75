package dev.oncegate.core;

import com.fasterxml.jackson.core.JsonPointer;
import dev.oncegate.core.FingerprintPolicy.LetterCase;
import dev.oncegate.core.FingerprintPolicy.Numbers;
import dev.oncegate.core.FingerprintPolicy.Strings;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The sorted exact form of a JSON value: JSON text without blanks, members sorted at every level,
 * one spelling per number and string. Two values have one form exactly when the policy calls them
 * the same.
 *
 * <p>Not RFC 8785, which rounds numbers to doubles and so loses money (libraries §3.6).
 */
final class JsonCanonical {
  private static final HexFormat HEX = HexFormat.of();

  private final FingerprintPolicy policy;
  private final UnaryOperator<String> normalised;
  private final PointerTree<LetterCase> cases = new PointerTree<>();
  private final PointerTree<Boolean> excluded = new PointerTree<>();

  JsonCanonical(FingerprintPolicy policy) {
    this.policy = policy;
    this.normalised = policy.strings() == Strings.NFC ? JsonText::nfc : UnaryOperator.identity();
    // In the order of their text, so that two pointers which NFC makes equal have one winner.
    new TreeMap<>(byText(policy.letterCase()))
        .forEach(
            (pointer, letterCase) ->
                cases.add(
                    PointerTree.tokens(JsonPointer.compile(pointer), normalised), letterCase));
  }

  private static Map<String, LetterCase> byText(Map<JsonPointer, LetterCase> cases) {
    Map<String, LetterCase> byText = new TreeMap<>();
    cases.forEach((pointer, letterCase) -> byText.put(pointer.toString(), letterCase));
    return byText;
  }

  /** The whole value. */
  String whole(JsonValue value) {
    StringBuilder out = new StringBuilder();
    write(out, value, cases, null, null);
    return out.toString();
  }

  /**
   * The value without what the pointers lead to: an excluded member is left out with its name, an
   * excluded element moves the ones behind it up. Whether an excluded part is there or not makes no
   * difference, everything else does. Null where the root itself is excluded.
   */
  @Nullable String without(JsonValue value, List<JsonPointer> pointers) {
    pointers.forEach(
        pointer -> excluded.add(PointerTree.tokens(pointer, normalised), Boolean.TRUE));
    if (excluded.mark() != null) {
      return null;
    }
    StringBuilder out = new StringBuilder();
    write(out, value, cases, null, excluded);
    return out.toString();
  }

  /**
   * What the pointers lead to, as a list: each pointer with the kinds of the containers on its way
   * and the value, or with the fact that nothing is there. Equal lists mean equal parts: missing
   * differs from null, an array's element 0 from a member named 0, and a part within a part is said
   * twice. Null where nothing is there for any of them.
   */
  @Nullable Bytes only(JsonValue value, List<JsonPointer> pointers) {
    // By spelling: neither the order of the policy's list nor a repeated entry counts.
    TreeMap<String, List<String>> sorted = new TreeMap<>();
    for (JsonPointer pointer : pointers) {
      List<String> tokens = PointerTree.tokens(pointer, normalised);
      sorted.put(PointerTree.spelled(tokens), tokens);
    }
    ProjectionWriter parts = new ProjectionWriter();
    boolean found = false;
    for (Map.Entry<String, List<String>> pointer : sorted.entrySet()) {
      parts.part("pointer", pointer.getKey());
      found |= select(parts, value, pointer.getValue());
    }
    return found ? parts.bytes() : null;
  }

  private boolean select(ProjectionWriter parts, JsonValue root, List<String> tokens) {
    JsonValue at = root;
    PointerTree<LetterCase> caseAt = cases;
    LetterCase letterCase = cases.mark();
    StringBuilder kinds = new StringBuilder();
    for (String token : tokens) {
      kinds.append(at instanceof JsonValue.Members ? 'o' : 'a');
      at = step(at, token);
      if (at == null) {
        parts.part("missing", "");
        return false;
      }
      caseAt = caseAt == null ? null : caseAt.child(token);
      letterCase = caseAt == null || caseAt.mark() == null ? letterCase : caseAt.mark();
    }
    StringBuilder out = new StringBuilder();
    write(out, at, caseAt, letterCase, null);
    parts.part("through", kinds.toString());
    parts.part("value", out.toString());
    return true;
  }

  private static @Nullable JsonValue step(JsonValue at, String token) {
    if (at instanceof JsonValue.Members members) {
      return members.values().get(token);
    }
    if (at instanceof JsonValue.Items items) {
      // At most nine digits: more would be an index that no body can have.
      boolean index = token.matches("0|[1-9][0-9]{0,8}");
      int i = index ? Integer.parseInt(token) : -1;
      return index && i < items.values().size() ? items.values().get(i) : null;
    }
    return null;
  }

  /**
   * @param caseAt pointers of {@code letterCase} that lead on from here
   * @param letterCase what the innermost of them that leads to here or above says
   * @param excludedAt excluded pointers that lead on from here
   */
  private void write(
      StringBuilder out,
      JsonValue value,
      @Nullable PointerTree<LetterCase> caseAt,
      @Nullable LetterCase letterCase,
      @Nullable PointerTree<Boolean> excludedAt) {
    LetterCase here = caseAt == null || caseAt.mark() == null ? letterCase : caseAt.mark();
    if (value instanceof JsonValue.Literal literal) {
      out.append(literal.word());
    } else if (value instanceof JsonValue.Decimal number) {
      boolean exact = policy.numbers() == Numbers.EXACT;
      out.append(exact ? JsonNumber.exact(number.spelled()) : JsonNumber.ieee754(number.spelled()));
    } else if (value instanceof JsonValue.Text text) {
      quote(out, cased(text.text(), here));
    } else if (value instanceof JsonValue.Items items) {
      writeItems(out, items, caseAt, here, excludedAt);
    } else if (value instanceof JsonValue.Members members) {
      writeMembers(out, members, caseAt, here, excludedAt);
    } else {
      throw new BrokenInvariant("no such JSON value: " + value.getClass());
    }
  }

  private void writeItems(
      StringBuilder out,
      JsonValue.Items items,
      @Nullable PointerTree<LetterCase> caseAt,
      @Nullable LetterCase letterCase,
      @Nullable PointerTree<Boolean> excludedAt) {
    out.append('[');
    String comma = "";
    int index = 0;
    for (JsonValue item : items.values()) {
      PointerTree<Boolean> excludedChild = excludedAt == null ? null : excludedAt.child(index);
      PointerTree<LetterCase> caseChild = caseAt == null ? null : caseAt.child(index);
      index++;
      if (excludedChild == null || excludedChild.mark() == null) {
        out.append(comma);
        comma = ",";
        write(out, item, caseChild, letterCase, excludedChild);
      }
    }
    out.append(']');
  }

  private void writeMembers(
      StringBuilder out,
      JsonValue.Members members,
      @Nullable PointerTree<LetterCase> caseAt,
      @Nullable LetterCase letterCase,
      @Nullable PointerTree<Boolean> excludedAt) {
    out.append('{');
    String comma = "";
    for (Map.Entry<String, JsonValue> member : members.values().entrySet()) {
      String name = member.getKey();
      PointerTree<Boolean> excludedChild = excludedAt == null ? null : excludedAt.child(name);
      if (excludedChild == null || excludedChild.mark() == null) {
        out.append(comma);
        comma = ",";
        quote(out, name);
        out.append(':');
        PointerTree<LetterCase> caseChild = caseAt == null ? null : caseAt.child(name);
        write(out, member.getValue(), caseChild, letterCase, excludedChild);
      }
    }
    out.append('}');
  }

  private String cased(String text, @Nullable LetterCase letterCase) {
    if (letterCase == null) {
      return text;
    }
    String cased =
        letterCase == LetterCase.UPPER
            ? text.toUpperCase(Locale.ROOT)
            : text.toLowerCase(Locale.ROOT);
    // A change of case can undo NFC: capital iota with dialytika and tonos comes out decomposed.
    return normalised.apply(cased);
  }

  private static void quote(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < 0x20) {
        out.append("\\u00").append(HEX.toHexDigits((byte) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }
}
