package dev.oncegate.app.config;

import dev.oncegate.app.config.Fit.Taken;
import dev.oncegate.app.config.Fit.Unfit;
import dev.oncegate.tenants.Units;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The plain kinds of values. */
final class Kinds {
  private static final Pattern DURATION = Pattern.compile("[1-9][0-9]*(ms|s|m|h|d)");
  private static final Pattern SIZE = Pattern.compile("[1-9][0-9]*(B|KiB|MiB|GiB)");
  private static final Pattern HOST = Pattern.compile("[0-9A-Za-z.:_%-]+");

  private Kinds() {}

  static Kind<String> host() {
    return new Kind<>(
        "host name or address",
        given ->
            given.value() instanceof String text && HOST.matcher(text).matches()
                ? new Taken<>(text)
                : unfit(given, "give a host name or an address, such as 127.0.0.1"));
  }

  /** A whole number; in a file without quotes. */
  static Kind<Integer> number(int least, int most) {
    return new Kind<>(
        "number, " + least + " to " + most,
        given -> {
          int value = whole(given);
          return value >= least && value <= most
              ? new Taken<>(value)
              : unfit(given, "give a number from " + least + " to " + most);
        });
  }

  private static int whole(Given given) {
    if (given.value() instanceof Integer value) {
      return value;
    }
    try {
      return given.value() instanceof String text && !given.inFile() ? Integer.parseInt(text) : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  static Kind<Duration> duration(Duration least, Duration most) {
    String range = Units.written(least) + " to " + Units.written(most);
    return new Kind<>(
        "duration, " + range,
        given -> {
          OptionalLong millis =
              given.value() instanceof String text && DURATION.matcher(text).matches()
                  ? Units.millis(text)
                  : OptionalLong.empty();
          boolean fits =
              millis.isPresent()
                  && millis.getAsLong() >= least.toMillis()
                  && millis.getAsLong() <= most.toMillis();
          return fits
              ? new Taken<>(Duration.ofMillis(millis.getAsLong()))
              : unfit(given, "give a duration such as \"30s\", " + range);
        });
  }

  /** Bytes, few enough for an int. */
  static Kind<Integer> size(int least, int most) {
    String range = written(least) + " to " + written(most);
    return new Kind<>(
        "size, " + range,
        given -> {
          OptionalLong bytes =
              given.value() instanceof String text && SIZE.matcher(text).matches()
                  ? Units.bytes(text)
                  : OptionalLong.empty();
          boolean fits =
              bytes.isPresent() && bytes.getAsLong() >= least && bytes.getAsLong() <= most;
          return fits
              ? new Taken<>((int) bytes.getAsLong())
              : unfit(given, "give a size such as \"32KiB\", " + range);
        });
  }

  private static String written(int bytes) {
    if (bytes % (1 << 20) == 0) {
      return (bytes >> 20) + "MiB";
    }
    return bytes % (1 << 10) == 0 ? (bytes >> 10) + "KiB" : bytes + "B";
  }

  static Kind<Path> path() {
    return new Kind<>(
        "path",
        given -> {
          try {
            if (given.value() instanceof String text && !text.isEmpty()) {
              return new Taken<>(Path.of(text));
            }
          } catch (InvalidPathException e) {
            // said below, as for anything else that is no path
          }
          return unfit(given, "give a path");
        });
  }

  static Kind<PostgresUri> postgres() {
    return new Kind<>(
        "postgresql:// URI; in the file a reference where it holds a password",
        given -> {
          if (given.inFile() && Secrets.isReference(given.value())) {
            Fit<String> text = Secrets.resolve(given.value());
            return text instanceof Taken<String> taken
                ? PostgresUri.parse(taken.value())
                : new Unfit<>(((Unfit<String>) text).problem(), ((Unfit<String>) text).remedy());
          }
          if (!(given.value() instanceof String text)) {
            return new Unfit<>("is no text", PostgresUri.EXPECTED);
          }
          Fit<PostgresUri> uri = PostgresUri.parse(text);
          return given.inFile()
                  && uri instanceof Taken<PostgresUri> taken
                  && taken.value().hasPassword()
              ? new Unfit<>("holds a password", Secrets.REFERENCE)
              : uri;
        });
  }

  /** A flag of something that is or is not. */
  static Kind<Boolean> truth() {
    return new Kind<>(
        "true or false",
        given -> {
          String text = String.valueOf(given.value());
          boolean typed = given.value() instanceof Boolean || !given.inFile();
          return typed && (text.equals("true") || text.equals("false"))
              ? new Taken<>(text.equals("true"))
              : unfit(given, "give true or false");
        });
  }

  static <T> Fit<T> unfit(Given given, String remedy) {
    return new Unfit<>(
        given.value() == null ? "is empty" : "is '" + shown(given.value()) + "'", remedy);
  }

  /** On one line, and no longer than one reads. */
  static String shown(@Nullable Object value) {
    String text = String.valueOf(value).replaceAll("\\p{Cntrl}", "?");
    return text.length() > 80 ? text.substring(0, 80) + "..." : text;
  }
}
