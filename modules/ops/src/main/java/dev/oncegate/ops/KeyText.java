package dev.oncegate.ops;

import dev.oncegate.core.IdempotencyKey;

/**
 * A key as a person gives it: bare, or quoted as it stood in the header (RFC 8941 String). What is
 * said about it never repeats it.
 */
final class KeyText {
  private KeyText() {}

  static IdempotencyKey parse(String text) {
    String key = text.startsWith("\"") ? unquoted(text) : text;
    boolean visible = key.chars().allMatch(c -> c >= 0x21 && c <= 0x7E);
    if (key.isEmpty() || key.length() > IdempotencyKey.LONGEST || !visible) {
      throw Parameters.bad(
          "key", "is not a key: 1 to " + IdempotencyKey.LONGEST + " characters of 0x21 to 0x7E");
    }
    return new IdempotencyKey(key);
  }

  private static String unquoted(String text) {
    StringBuilder key = new StringBuilder(text.length());
    for (int i = 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' && i == text.length() - 1) {
        return key.toString();
      }
      boolean escapes =
          c == '\\' && i + 1 < text.length() && "\"\\".indexOf(text.charAt(i + 1)) >= 0;
      if (c == '"' || (c == '\\' && !escapes)) {
        break;
      }
      i += escapes ? 1 : 0;
      key.append(text.charAt(i));
    }
    throw Parameters.bad(
        "key", "begins with a quote and is no quoted String; quote it, quotes inside as \\\"");
  }
}
