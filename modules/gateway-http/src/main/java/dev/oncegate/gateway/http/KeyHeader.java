package dev.oncegate.gateway.http;

import dev.oncegate.core.IdempotencyKey;
import dev.oncegate.core.RoutePolicy.KeyPolicy.Syntax;
import java.util.List;

/**
 * The grammar of the key header (contract §3 and §10). Quoted: an RFC 8941 String. Bare, where the
 * route is lenient: 0x21–0x7E without {@code " , ; \}. Values are not trimmed: a folded line of
 * blanks leaves a trailing space, and that is how it is found.
 */
final class KeyHeader {
  private KeyHeader() {}

  /** What the header's lines say. */
  sealed interface Parsed {
    record Missing() implements Parsed {}

    record Accepted(IdempotencyKey key) implements Parsed {}

    /**
     * Not a key.
     *
     * @param detail why, without any part of the value
     */
    record Malformed(String detail) implements Parsed {}
  }

  /**
   * Reads the header.
   *
   * @param lines the values of all lines of that name
   * @param maxLength characters after unquoting
   */
  static Parsed parse(List<String> lines, Syntax syntax, int maxLength) {
    if (lines.isEmpty()) {
      return new Parsed.Missing();
    }
    if (lines.size() > 1) {
      return malformed("it stands on " + lines.size() + " lines instead of one");
    }
    String value = lines.get(0);
    if (value.startsWith("\"")) {
      return quoted(value, maxLength);
    }
    return syntax == Syntax.STRICT
        ? malformed("this route takes a quoted String (RFC 8941) only")
        : bare(value, maxLength);
  }

  private static Parsed quoted(String value, int maxLength) {
    StringBuilder key = new StringBuilder(value.length());
    for (int i = 1; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"') {
        return i == value.length() - 1
            ? accepted(key.toString(), maxLength)
            : malformed("something follows the closing quote");
      }
      if (c == '\\') {
        i++;
        if (i == value.length() || (value.charAt(i) != '"' && value.charAt(i) != '\\')) {
          return malformed("a backslash may only stand before a quote or a backslash");
        }
        c = value.charAt(i);
      }
      if (isForeign(c)) {
        return foreign();
      }
      key.append(c);
    }
    return malformed("the closing quote is missing");
  }

  private static Parsed bare(String value, int maxLength) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (isForeign(c)) {
        return foreign();
      }
      if (c == '"' || c == ',' || c == ';' || c == '\\') {
        return malformed("a key with a quote, comma, semicolon or backslash has to be quoted");
      }
    }
    return accepted(value, maxLength);
  }

  private static Parsed accepted(String key, int maxLength) {
    if (key.isEmpty()) {
      return malformed("it is empty");
    }
    if (key.length() > maxLength) {
      return malformed("it is longer than " + maxLength + " characters");
    }
    return new Parsed.Accepted(new IdempotencyKey(key));
  }

  private static boolean isForeign(char c) {
    return c < 0x21 || c > 0x7E;
  }

  private static Parsed foreign() {
    return malformed("it holds a blank or another character outside 0x21 to 0x7E");
  }

  private static Parsed malformed(String why) {
    return new Parsed.Malformed("The key header is not a key: " + why + ".");
  }
}
