package dev.oncegate.core;

/** The optional white space of header fields: blanks and tabs alone (RFC 9110 §5.6.3). */
public final class Blanks {
  private Blanks() {}

  /** The text without white space around it. */
  public static String trimmed(String text) {
    int start = 0;
    int end = text.length();
    while (start < end && isBlank(text.charAt(start))) {
      start++;
    }
    while (end > start && isBlank(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(start, end);
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }
}
