package dev.oncegate.app.embedded;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/** What the server has said since a given moment, boiled down to the one line that tells why. */
final class LogTail {
  private static final Pattern TELLING =
      Pattern.compile("^.*?\\b(?:FATAL|PANIC|fatal|error):\\s+(.*)$", Pattern.MULTILINE);
  private static final int MOST = 64 * 1024;

  private final Path file;
  private final long start;

  private LogTail(Path file, long start) {
    this.file = file;
    this.start = start;
  }

  /** Remembers where the log ends now. */
  static LogTail of(Path file) {
    try {
      return new LogTail(file, Files.exists(file) ? Files.size(file) : 0);
    } catch (IOException e) {
      return new LogTail(file, 0);
    }
  }

  /** The first complaint since then, else the last line. */
  Optional<String> reason() {
    try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
      long length = Math.min(MOST, Math.max(0, log.length() - start));
      byte[] bytes = new byte[(int) length];
      log.seek(start);
      log.readFully(bytes);
      String said = new String(bytes, StandardCharsets.UTF_8);
      return TELLING
          .matcher(said)
          .results()
          .map(result -> result.group(1).strip())
          .findFirst()
          .or(() -> said.lines().filter(line -> !line.isBlank()).reduce((a, b) -> b));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
