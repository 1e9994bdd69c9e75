package dev.oncegate.gateway.http;

import dev.oncegate.core.Blanks;
import dev.oncegate.core.BrokenInvariant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The one preference that is followed: {@code Prefer: wait=N} in whole seconds (RFC 7240 §4.3).
 *
 * <p>A preference is a wish: one that is unknown, or that cannot be read, is ignored and never an
 * error (RFC 7240 §2), so this header refuses no request.
 */
final class Preference {
  static final String HEADER = "Prefer";
  static final String APPLIED = "Preference-Applied";

  /** Longer than anybody waits; a larger number means this one, so that sums cannot overflow. */
  static final Duration LONGEST = Duration.ofSeconds(Integer.MAX_VALUE);

  private static final String WAIT = "wait";
  private static final int MOST_DIGITS = 9;

  private Preference() {}

  /**
   * How long the client wishes to be kept waiting at most, up to {@link #LONGEST}; empty where it
   * does not say, or not so that it can be read. Where {@code wait} is given more than once the
   * first alone counts (RFC 7240 §2), readable or not.
   *
   * @param lines the values of all lines of {@link #HEADER}
   */
  static Optional<Duration> waitOf(List<String> lines) {
    for (String line : lines) {
      for (String element : split(line, ',')) {
        // Parameters qualify a preference; none is defined for this one.
        String preference = split(element, ';').get(0);
        int equals = preference.indexOf('=');
        String name = equals < 0 ? preference : preference.substring(0, equals);
        if (Blanks.trimmed(name).equalsIgnoreCase(WAIT)) {
          return equals < 0
              ? Optional.empty()
              : seconds(word(Blanks.trimmed(preference.substring(equals + 1))));
        }
      }
    }
    return Optional.empty();
  }

  /**
   * The value of {@link #APPLIED} for a wish that was followed.
   *
   * @param wait as {@link #waitOf} gave it
   */
  static String applied(Duration wait) {
    BrokenInvariant.require(!wait.isNegative(), "nobody wishes for a negative wait");
    return WAIT + "=" + wait.toSeconds();
  }

  /** The parts of a text around a delimiter that stands in no quoted string. */
  private static List<String> split(String text, char delimiter) {
    List<String> parts = new ArrayList<>(2);
    boolean quoted = false;
    int start = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        quoted = !quoted;
      } else if (c == '\\' && quoted) {
        i++;
      } else if (c == delimiter && !quoted) {
        parts.add(text.substring(start, i));
        start = i + 1;
      }
    }
    parts.add(text.substring(start));
    return parts;
  }

  /** A token as it stands, a quoted string without its quotes (RFC 7240 §2: the same value). */
  private static String word(String value) {
    boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
    // An escape is nothing that a number needs, but it is allowed (RFC 9110 §5.6.4).
    return quoted ? value.substring(1, value.length() - 1).replaceAll("\\\\([0-9])", "$1") : value;
  }

  /** {@code delta-seconds} (RFC 9110 §10.2.3): digits, and nothing else. */
  private static Optional<Duration> seconds(String value) {
    if (value.isEmpty() || !value.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return Optional.empty();
    }
    int first = 0;
    while (first < value.length() - 1 && value.charAt(first) == '0') {
      first++;
    }
    String digits = value.substring(first);
    return Optional.of(
        digits.length() > MOST_DIGITS ? LONGEST : Duration.ofSeconds(Integer.parseInt(digits)));
  }
}
