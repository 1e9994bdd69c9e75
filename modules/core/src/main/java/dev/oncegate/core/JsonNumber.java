package dev.oncegate.core;

/**
 * The two ways in which numbers compare. Works on the digits as text: a {@code BigDecimal} of
 * {@code 1e999999999} would be expanded by the first careless call (libraries §3.6).
 */
final class JsonNumber {
  /** Most digits before the exponent, as spelled (contract §10). */
  static final int MAX_DIGITS = 1_000;

  /** Largest size of an exponent, as spelled (contract §10). */
  static final int MAX_EXPONENT = 9_999;

  private JsonNumber() {}

  /**
   * Whether a number keeps the contract's bounds.
   *
   * @param spelled a number after the JSON grammar
   */
  static boolean withinBounds(String spelled) {
    int mark = exponentMark(spelled);
    int digits = 0;
    for (int i = 0; i < mark; i++) {
      digits += isDigit(spelled.charAt(i)) ? 1 : 0;
    }
    return digits <= MAX_DIGITS && exponentIsBounded(spelled, mark);
  }

  private static boolean exponentIsBounded(String spelled, int mark) {
    int start = mark + 1;
    while (start < spelled.length() && !isSignificant(spelled.charAt(start))) {
      start++;
    }
    int length = spelled.length() - start;
    return length <= 0
        || (length <= 4 && Integer.parseInt(spelled.substring(start)) <= MAX_EXPONENT);
  }

  /**
   * The one spelling of a decimal value: digits without zeros at either end, then the power of ten
   * where it is not 0. {@code 1.0} is {@code 1}, {@code 1200} is {@code 12e2}, {@code -0} is {@code
   * 0}.
   *
   * @param spelled a number within the bounds
   */
  static String exact(String spelled) {
    int mark = exponentMark(spelled);
    int power = mark == spelled.length() ? 0 : exponent(spelled, mark);
    StringBuilder digits = new StringBuilder();
    boolean fraction = false;
    for (int i = 0; i < mark; i++) {
      char c = spelled.charAt(i);
      fraction |= c == '.';
      if (isDigit(c)) {
        digits.append(c);
        power -= fraction ? 1 : 0;
      }
    }
    int end = digits.length();
    while (end > 0 && digits.charAt(end - 1) == '0') {
      end--;
      power++;
    }
    int start = 0;
    while (start < end && digits.charAt(start) == '0') {
      start++;
    }
    if (start == end) {
      return "0";
    }
    String sign = spelled.startsWith("-") ? "-" : "";
    return sign + digits.substring(start, end) + (power == 0 ? "" : "e" + power);
  }

  /**
   * Whether a number has a double, that is, does not overflow.
   *
   * @param spelled a number within the bounds
   */
  static boolean hasDouble(String spelled) {
    return Double.isFinite(Double.parseDouble(spelled));
  }

  /**
   * The one spelling of the nearest double. Hexadecimal, since its form is fixed for ever, while
   * the decimal one of {@link Double#toString} changed with Java 19 and would have changed the
   * fingerprints of live records. Negative zero is zero, as in RFC 8785.
   *
   * @param spelled a number within the bounds that has a double
   */
  static String ieee754(String spelled) {
    double value = Double.parseDouble(spelled);
    return Double.toHexString(value == 0 ? 0.0 : value);
  }

  private static int exponentMark(String spelled) {
    for (int i = 0; i < spelled.length(); i++) {
      if (spelled.charAt(i) == 'e' || spelled.charAt(i) == 'E') {
        return i;
      }
    }
    return spelled.length();
  }

  private static int exponent(String spelled, int mark) {
    // parseInt takes both signs and leading zeros.
    return Integer.parseInt(spelled.substring(mark + 1));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isSignificant(char c) {
    return c >= '1' && c <= '9';
  }
}
