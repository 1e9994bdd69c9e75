package dev.oncegate.engine;

import dev.oncegate.core.HeaderField;
import dev.oncegate.engine.port.Time;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** How long to say that a client should wait. */
public final class RetryAfter {
  /** An unknown outcome is settled by people or probes, not within seconds. */
  public static final Duration OUTCOME_UNKNOWN = Duration.ofSeconds(30);

  /** The store is expected back within 5 s of its fault (reliability §4, drills). */
  public static final Duration STORE = Duration.ofSeconds(2);

  /** After a refused connection: long enough for a restart to be under way. */
  public static final Duration UPSTREAM = Duration.ofSeconds(1);

  private static final Duration AFTER_RELEASE = Duration.ofSeconds(1);

  /** Whoever says more means never; and sums of what is said stay sums. */
  private static final Duration LONGEST_SAID = Duration.ofDays(1);

  /** A header counts whole seconds: fewer than these would be none. */
  private static final Duration SPREAD = Duration.ofSeconds(2);

  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

  private RetryAfter() {}

  /**
   * What an answer says, in seconds or as a date (RFC 9110 §10.2.3). A date counts from the
   * answer's own: the clocks of this node and of the upstream need not agree.
   */
  static Optional<Duration> said(List<HeaderField> headers) {
    return first(headers, "Retry-After")
        .flatMap(
            value ->
                SECONDS.matcher(value).matches()
                    ? Optional.of(Duration.ofSeconds(Long.parseLong(value)))
                    : date(value).flatMap(to -> between(headers, to)))
        .map(said -> said.compareTo(LONGEST_SAID) > 0 ? LONGEST_SAID : said);
  }

  private static Optional<Duration> between(List<HeaderField> headers, Instant to) {
    return first(headers, "Date")
        .flatMap(RetryAfter::date)
        .map(from -> from.isAfter(to) ? Duration.ZERO : Duration.between(from, to));
  }

  private static Optional<Instant> date(String value) {
    try {
      return Optional.of(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(value)));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> first(List<HeaderField> headers, String name) {
    return headers.stream().filter(h -> h.is(name)).map(h -> h.value().strip()).findFirst();
  }

  /**
   * After a release: what the winner was told, or a second, and a part of chance, so that those who
   * waited together do not come back together.
   */
  static Duration afterRelease(Optional<Duration> said, Time time) {
    Duration least = said.filter(d -> d.compareTo(AFTER_RELEASE) > 0).orElse(AFTER_RELEASE);
    return least.plus(Jitter.upTo(time, SPREAD.plus(least.dividedBy(4))));
  }

  /**
   * What is left of the typical run; once the winner has run longer than that, as long again as the
   * half of what it has run. From 1 s up to the lease.
   */
  public static Duration whileInFlight(Duration running, Duration typical, Duration lease) {
    Duration left = typical.minus(running);
    Duration wait = (!left.isZero() && !left.isNegative()) ? left : running.dividedBy(2);
    if (wait.compareTo(lease) > 0) {
      wait = lease;
    }
    return wait.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : wait;
  }
}
