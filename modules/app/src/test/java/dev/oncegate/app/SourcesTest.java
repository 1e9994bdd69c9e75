package dev.oncegate.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the sources of all modules must keep to and no compiled class shows (architecture F). */
class SourcesTest {
  /** Longer files are split before they grow. */
  private static final int MOST_LINES = 300;

  private static final Pattern COMMENTS = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*");
  private static final Pattern LOCK = Pattern.compile("\\bsynchronized\\b");

  @Test
  void files_areShort() throws IOException {
    Map<Path, Integer> tooLong = new TreeMap<>();
    for (Path file : sources()) {
      int lines = Files.readAllLines(file).size();
      if (lines > MOST_LINES) {
        tooLong.put(file, lines);
      }
    }
    assertThat(tooLong).as("split by command").isEmpty();
  }

  @Test
  void nothing_isSynchronized() throws IOException {
    List<Path> locking =
        sources().stream().filter(file -> LOCK.matcher(code(file)).find()).toList();
    assertThat(locking).as("share nothing per loop, or use java.util.concurrent").isEmpty();
  }

  private static String code(Path file) {
    try {
      return COMMENTS.matcher(Files.readString(file)).replaceAll("");
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(".."))) {
      List<Path> found =
          files
              .filter(file -> file.toString().contains("/src/main/java/"))
              .filter(file -> file.toString().endsWith(".java"))
              .toList();
      assertThat(found).as("all modules are seen").hasSizeGreaterThan(100);
      return found;
    }
  }
}
