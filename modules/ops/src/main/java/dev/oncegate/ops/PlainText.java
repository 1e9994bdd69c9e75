package dev.oncegate.ops;

/** What people write about a verdict: it goes into timelines, logs and terminals. */
final class PlainText {
  private PlainText() {}

  /**
   * One line that shows what it says: no control characters, no line breaks of any alphabet, and
   * nothing that turns the order of what is shown.
   */
  static boolean isOneLine(String text) {
    return text.codePoints().noneMatch(PlainText::hides);
  }

  private static boolean hides(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      default -> (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    };
  }

  /** Length as people count it. */
  static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}
