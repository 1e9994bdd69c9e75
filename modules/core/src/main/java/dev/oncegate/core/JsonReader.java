package dev.oncegate.core;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.oncegate.core.FingerprintPolicy.Numbers;
import dev.oncegate.core.FingerprintPolicy.Strings;
import java.io.IOException;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Reads a JSON body within the contract's bounds (§10), or says why it cannot be read: then its raw
 * bytes are compared, which is always safe, since a false mismatch harms less than a false replay.
 *
 * <p>Stricter than the parser beneath: UTF-8 only and well-formed, no lone surrogates (also escaped
 * ones), no duplicate names, nothing after the value, and bounds on digits, exponents and nesting
 * that hold before any number is computed.
 */
final class JsonReader {
  /** Deepest nesting (contract §10). */
  static final int MAX_DEPTH = 100;

  /**
   * Longest number that the parser takes: all digits, and room for an exponent with leading zeros.
   */
  private static final int LONGEST_NUMBER = JsonNumber.MAX_DIGITS + 100;

  /**
   * The names' symbol table is off: it lives as long as the process, and it counts hash collisions
   * under a random seed, so that one body could be read on one node and refused on another.
   */
  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(LONGEST_NUMBER)
                  // Strings and names are bounded by the cap of the body that they came in.
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private final JsonParser parser;
  private final Numbers numbers;
  private final Strings strings;

  private JsonReader(JsonParser parser, Numbers numbers, Strings strings) {
    this.parser = parser;
    this.numbers = numbers;
    this.strings = strings;
  }

  /** What came of reading. */
  sealed interface Result {
    record Read(JsonValue value) implements Result {}

    record Refused(FallbackReason reason) implements Result {}
  }

  /**
   * Reads a body.
   *
   * @param numbers under {@code IEEE754} a number that overflows is beyond the limits
   * @param strings under {@code NFC} names and strings are normalised, and two names that become
   *     equal are duplicates
   */
  static Result read(byte[] body, Numbers numbers, Strings strings) {
    try {
      CharBuffer json = JsonText.decode(body);
      if (!JsonText.hasFourHexDigits(json)) {
        return new Result.Refused(FallbackReason.INVALID);
      }
      try (JsonParser parser =
          FACTORY.createParser(json.array(), json.arrayOffset() + json.position(), json.length())) {
        return new Result.Read(new JsonReader(parser, numbers, strings).document());
      }
    } catch (Refusal refusal) {
      return new Result.Refused(refusal.reason);
    } catch (StreamConstraintsException e) {
      return new Result.Refused(FallbackReason.LIMITS);
    } catch (CharacterCodingException | JsonProcessingException e) {
      return new Result.Refused(FallbackReason.INVALID);
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
  }

  private JsonValue document() throws IOException, Refusal {
    JsonToken first = parser.nextToken();
    if (first == null) {
      throw new Refusal(FallbackReason.INVALID);
    }
    JsonValue value = value(first, 0);
    if (parser.nextToken() != null) {
      throw new Refusal(FallbackReason.INVALID);
    }
    return value;
  }

  private JsonValue value(JsonToken token, int depth) throws IOException, Refusal {
    return switch (token) {
      case START_OBJECT -> members(deeper(depth));
      case START_ARRAY -> items(deeper(depth));
      case VALUE_STRING -> new JsonValue.Text(text(parser.getText()));
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser.getText());
      case VALUE_TRUE, VALUE_FALSE, VALUE_NULL -> new JsonValue.Literal(parser.getText());
      default -> throw new BrokenInvariant("no JSON value starts with " + token);
    };
  }

  /** Counted here as well, so that the recursion is bounded whatever the parser's settings do. */
  private static int deeper(int depth) throws Refusal {
    if (depth >= MAX_DEPTH) {
      throw new Refusal(FallbackReason.LIMITS);
    }
    return depth + 1;
  }

  private JsonValue members(int depth) throws IOException, Refusal {
    TreeMap<String, JsonValue> members = new TreeMap<>(JsonText::compareCodePoints);
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = text(parser.currentName());
      if (members.containsKey(name)) {
        throw new Refusal(FallbackReason.DUPLICATE_MEMBER);
      }
      members.put(name, value(parser.nextToken(), depth));
    }
    return new JsonValue.Members(members);
  }

  private JsonValue items(int depth) throws IOException, Refusal {
    List<JsonValue> items = new ArrayList<>();
    JsonToken token = parser.nextToken();
    while (token != JsonToken.END_ARRAY) {
      items.add(value(token, depth));
      token = parser.nextToken();
    }
    return new JsonValue.Items(items);
  }

  private String text(String text) throws Refusal {
    if (!JsonText.isWellFormed(text)) {
      throw new Refusal(FallbackReason.INVALID);
    }
    if (strings == Strings.AS_IS) {
      return text;
    }
    if (!JsonText.isQuickToNormalise(text)) {
      throw new Refusal(FallbackReason.LIMITS);
    }
    return JsonText.nfc(text);
  }

  private JsonValue number(String spelled) throws Refusal {
    boolean bounded = JsonNumber.withinBounds(spelled);
    if (!bounded || (numbers == Numbers.IEEE754 && !JsonNumber.hasDouble(spelled))) {
      throw new Refusal(FallbackReason.LIMITS);
    }
    return new JsonValue.Decimal(spelled);
  }

  /** Leaves the recursion; never leaves this class. */
  private static final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final FallbackReason reason;

    Refusal(FallbackReason reason) {
      super(null, null, false, false);
      this.reason = reason;
    }
  }
}
