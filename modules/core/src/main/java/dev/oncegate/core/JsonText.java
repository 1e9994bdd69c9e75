package dev.oncegate.core;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;

/** Questions about characters that a lenient parser does not ask. */
final class JsonText {
  /**
   * Most combining marks in a row that are put into NFC: the limit of Unicode's stream-safe format
   * (UAX #15 §13). Reordering takes the square of the run's length, and a body of nothing but marks
   * would block an event loop.
   */
  static final int MAX_MARKS = 30;

  private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private JsonText() {}

  /**
   * The characters of a UTF-8 text without its byte-order mark. Decoded here and strictly, because
   * a JSON parser that is given bytes guesses UTF-16 and UTF-32 too.
   *
   * @throws CharacterCodingException where the bytes are not well-formed UTF-8, encoded surrogates
   *     included
   */
  static CharBuffer decode(byte[] utf8) throws CharacterCodingException {
    boolean marked =
        utf8.length >= 3 && utf8[0] == MARK[0] && utf8[1] == MARK[1] && utf8[2] == MARK[2];
    int skip = marked ? MARK.length : 0;
    return StandardCharsets.UTF_8
        .newDecoder()
        .decode(ByteBuffer.wrap(utf8, skip, utf8.length - skip));
  }

  /**
   * Whether each backslash-u has four hex digits. The parser masks characters to a byte before it
   * looks the digit up and would read U+0131 as the digit 1.
   */
  static boolean hasFourHexDigits(CharBuffer json) {
    int i = 0;
    while (i < json.length()) {
      boolean escape = json.charAt(i) == '\\';
      if (escape && i + 1 < json.length() && json.charAt(i + 1) == 'u') {
        if (!areHexDigits(json, i + 2)) {
          return false;
        }
      }
      // What follows a backslash is not itself a backslash that starts an escape.
      i += escape ? 2 : 1;
    }
    return true;
  }

  private static boolean areHexDigits(CharBuffer json, int from) {
    for (int i = from; i < from + 4; i++) {
      if (i >= json.length() || !isHexDigit(json.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isHexDigit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  /** Whether every surrogate has its other half. */
  static boolean isWellFormed(String text) {
    int i = 0;
    while (i < text.length()) {
      // A pair is read as the one point that it stands for, a lone half as itself.
      int point = text.codePointAt(i);
      if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
        return false;
      }
      i += Character.charCount(point);
    }
    return true;
  }

  /** Whether no run of combining marks is longer than {@link #MAX_MARKS}. */
  static boolean isQuickToNormalise(String text) {
    int run = 0;
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      run = isMark(point) ? run + 1 : 0;
      if (run > MAX_MARKS) {
        return false;
      }
      i += Character.charCount(point);
    }
    return true;
  }

  private static boolean isMark(int point) {
    int type = Character.getType(point);
    return type == Character.NON_SPACING_MARK
        || type == Character.COMBINING_SPACING_MARK
        || type == Character.ENCLOSING_MARK;
  }

  static String nfc(String text) {
    return Normalizer.normalize(text, Normalizer.Form.NFC);
  }

  /** Order by code points, which is the order of the UTF-8 bytes too. */
  static int compareCodePoints(String one, String other) {
    int end = Math.min(one.length(), other.length());
    for (int i = 0; i < end; i++) {
      char a = one.charAt(i);
      char b = other.charAt(i);
      if (a != b) {
        // Surrogates stand for the points above all others, though their own values are lower.
        boolean aHigh = Character.isSurrogate(a);
        return aHigh == Character.isSurrogate(b) ? Character.compare(a, b) : (aHigh ? 1 : -1);
      }
    }
    return Integer.compare(one.length(), other.length());
  }
}
