package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;

/** Values from a file as messages show them: control characters escaped, 80 characters at most. */
final class Shown {
  private static final int LONGEST = 80;

  private Shown() {}

  /** A value as it would be written in the file; a text that YAML reads as a text, bare. */
  static String value(JsonNode value) {
    if (value.isObject()) {
      return "a map";
    }
    if (value.isArray()) {
      return "a list";
    }
    return value.isNull() ? "nothing" : text(value.asText());
  }

  static String text(String text) {
    return text(text, LONGEST);
  }

  /** A text with several values in it, of at most so many characters. */
  static String text(String text, int longest) {
    StringBuilder out = new StringBuilder();
    int shown = 0;
    for (int at = 0; at < text.length(); shown++) {
      if (shown == longest) {
        return out.append("...").toString();
      }
      int c = text.codePointAt(at);
      at += Character.charCount(c);
      if (Character.isISOControl(c)
          || Character.getType(c) == Character.FORMAT
          || Character.getType(c) == Character.SURROGATE
          || c == 0x2028
          || c == 0x2029) {
        out.append(String.format("\\u%04x", c));
      } else {
        out.appendCodePoint(c);
      }
    }
    return out.toString();
  }

  /** A text in quotes, for keys and for texts that a bare form would hide. */
  static String quoted(String text) {
    return '"' + text(text) + '"';
  }
}
