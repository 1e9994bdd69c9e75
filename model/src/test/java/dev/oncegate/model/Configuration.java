package dev.oncegate.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One row of the tables in README.md, which say for people and for the tests how each run ends.
 *
 * @param name of {@code cfg/<name>.cfg}
 * @param exit of TLC: 0 no error, 12 an invariant broke, 13 an action or a temporal property did
 * @param property what breaks; empty with exit 0
 * @param size distinct states with exit 0, else states of the shortest trace; empty for a behaviour
 *     without end, whose length depends on the search
 * @param isLong runs with {@code -Plong} only
 */
record Configuration(String name, int exit, String property, String size, boolean isLong) {
  static final Path HOME = Path.of("").toAbsolutePath();

  private static final Pattern ROW =
      Pattern.compile(
          "\\| `(\\w+)` \\|[^|]*\\| (?:(\\d+) `(\\w+)`|0) \\| ([\\d,]*)–? ?\\|( long \\|)?");

  static List<Configuration> all() {
    return text("README.md")
        .lines()
        .map(ROW::matcher)
        .filter(java.util.regex.Matcher::matches)
        .map(
            row ->
                new Configuration(
                    row.group(1),
                    row.group(2) == null ? 0 : Integer.parseInt(row.group(2)),
                    row.group(3) == null ? "" : row.group(3),
                    row.group(4).replace(",", ""),
                    row.group(5) != null))
        .toList();
  }

  static String text(String file) {
    try {
      return Files.readString(HOME.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Names of the files, whether or not a table has them. */
  static Set<String> files() throws IOException {
    try (Stream<Path> found = Files.list(HOME.resolve("cfg"))) {
      return found
          .map(path -> path.getFileName().toString().replaceFirst("\\.cfg$", ""))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  String path() {
    return "cfg/" + name + ".cfg";
  }

  /** The words after a keyword that stands at the start of a line, such as {@code PROPERTIES}. */
  List<String> words(String keyword) {
    return text(path())
        .lines()
        .filter(line -> line.startsWith(keyword + " "))
        .flatMap(line -> Stream.of(line.substring(keyword.length()).trim().split(" +")))
        .toList();
  }

  /** The rules that this configuration switches off. */
  Set<String> off() {
    List<String> lines =
        text(path()).lines().map(String::trim).filter(line -> line.startsWith("Off = ")).toList();
    assertThat(lines).as(path()).hasSize(1);
    return quoted(lines.get(0));
  }

  /** Everything in double quotes. */
  static Set<String> quoted(String text) {
    return Pattern.compile("\"(\\w+)\"")
        .matcher(text)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Override
  public String toString() {
    return name;
  }
}
