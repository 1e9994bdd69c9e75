package dev.oncegate.tenants;

import dev.oncegate.core.BrokenInvariant;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations and sizes as the file writes them. */
public final class Units {
  /**
   * The longest duration, 36500 days in milliseconds: sums and products stay far below 63 bits, and
   * dates that far away are still dates to Postgres.
   */
  static final long LONGEST_MILLIS = 36_500L * 86_400_000L;

  /** The largest size in bytes: any two can be added up in 63 bits. */
  static final long LARGEST_BYTES = 1L << 61;

  private static final Pattern AMOUNT = Pattern.compile("([0-9]+)([A-Za-z]+)");

  private Units() {}

  /** Milliseconds, or empty where the number is beyond {@link #LONGEST_MILLIS}. */
  public static OptionalLong millis(String text) {
    return scaled(text, LONGEST_MILLIS);
  }

  /** Bytes, or empty where the number is beyond {@link #LARGEST_BYTES}. */
  public static OptionalLong bytes(String text) {
    return scaled(text, LARGEST_BYTES);
  }

  /** A duration that the checks have passed. */
  static Duration duration(String text) {
    return Duration.ofMillis(
        millis(text).orElseThrow(() -> new BrokenInvariant("a duration out of range")));
  }

  /** A size that the checks have passed. */
  static long size(String text) {
    return bytes(text).orElseThrow(() -> new BrokenInvariant("a size out of range"));
  }

  private static OptionalLong scaled(String text, long highest) {
    Matcher amount = AMOUNT.matcher(text);
    if (!amount.matches()) {
      throw new BrokenInvariant("an amount without a unit passed the schema");
    }
    long unit =
        switch (amount.group(2)) {
          case "ms", "B" -> 1L;
          case "s" -> 1_000L;
          case "m" -> 60_000L;
          case "h" -> 3_600_000L;
          case "d" -> 86_400_000L;
          case "KiB" -> 1L << 10;
          case "MiB" -> 1L << 20;
          case "GiB" -> 1L << 30;
          case "TiB" -> 1L << 40;
          default -> throw new BrokenInvariant("a unit unknown to the schema");
        };
    if (amount.group(1).length() > 18 || Long.parseLong(amount.group(1)) > highest / unit) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(Long.parseLong(amount.group(1)) * unit);
  }

  /** A duration as the file would write it, in one unit: {@code 60s}, {@code 9065s}, {@code 5m}. */
  public static String written(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 1_000 != 0) {
      return millis + "ms";
    }
    // People write a minute or one and a half in seconds.
    if (millis < 120_000 || millis % 60_000 != 0) {
      return millis / 1_000 + "s";
    }
    return millis % 3_600_000 == 0 ? millis / 3_600_000 + "h" : millis / 60_000 + "m";
  }

  /** A duration as one reads it: {@code 2h 31m 5s}, {@code 600ms}, {@code 0s}. */
  public static String text(Duration duration) {
    if (duration.isZero()) {
      return "0s";
    }
    StringBuilder out = new StringBuilder();
    part(out, duration.toHours(), "h");
    part(out, duration.toMinutesPart(), "m");
    part(out, duration.toSecondsPart(), "s");
    part(out, duration.toMillisPart(), "ms");
    return out.toString();
  }

  private static void part(StringBuilder out, long amount, String unit) {
    if (amount != 0) {
      out.append(out.isEmpty() ? "" : " ").append(amount).append(unit);
    }
  }
}
