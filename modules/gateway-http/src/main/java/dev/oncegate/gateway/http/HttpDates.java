package dev.oncegate.gateway.http;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * IMF-fixdate (RFC 9110 §5.6.7). Fractions of a second fall away: a published deadline is early.
 */
final class HttpDates {
  /** The JDK's RFC 1123 form writes one-digit days, which the fixed form does not have. */
  private static final DateTimeFormatter IMF_FIXDATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  private HttpDates() {}

  static String format(Instant instant) {
    return IMF_FIXDATE.format(instant);
  }
}
