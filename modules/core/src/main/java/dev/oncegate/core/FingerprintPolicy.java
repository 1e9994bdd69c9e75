package dev.oncegate.core;

import com.fasterxml.jackson.core.JsonPointer;
import java.util.List;
import java.util.Map;

/**
 * What makes two requests the same. Method, route, path parameters, media type and preconditions
 * always count.
 *
 * @param headers further request headers that count, in any letter case
 * @param letterCase parts of a JSON body that are compared in one case
 */
public record FingerprintPolicy(
    BodySelection body,
    QuerySelection query,
    List<String> headers,
    Numbers numbers,
    Strings strings,
    Map<JsonPointer, LetterCase> letterCase) {

  /** The built-in policy: the whole body and the whole query, exact and as they are. */
  public static final FingerprintPolicy BUILT_IN =
      new FingerprintPolicy(
          new BodySelection.Whole(),
          new QuerySelection.All(),
          List.of(),
          Numbers.EXACT,
          Strings.AS_IS,
          Map.of());

  public FingerprintPolicy {
    headers = List.copyOf(headers);
    letterCase = Map.copyOf(letterCase);
  }

  /** Which part of a JSON body counts. */
  public sealed interface BodySelection {
    record Whole() implements BodySelection {}

    record Include(List<JsonPointer> pointers) implements BodySelection {}

    record Exclude(List<JsonPointer> pointers) implements BodySelection {}

    /** The digest of the bytes, whatever the media type. */
    record Raw() implements BodySelection {}
  }

  /** Which query parameters count; the order of different names never does. */
  public sealed interface QuerySelection {
    record All() implements QuerySelection {}

    record None() implements QuerySelection {}

    record Names(List<String> names) implements QuerySelection {}
  }

  /** How numbers compare. */
  public enum Numbers {
    /** By decimal value: 1 = 1.0 = 1e0, nothing is rounded. */
    EXACT,
    /** As doubles, as in RFC 8785. */
    IEEE754
  }

  /** How strings compare. */
  public enum Strings {
    /** By code points. */
    AS_IS,
    /** After Unicode NFC. */
    NFC
  }

  /** The one letter case in which a part is compared (root locale). */
  public enum LetterCase {
    UPPER,
    LOWER
  }
}
