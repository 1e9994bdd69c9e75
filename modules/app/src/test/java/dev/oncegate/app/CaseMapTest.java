package dev.oncegate.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every case that this project was given has a test that names it, or a row that says why not yet:
 * never neither, and never both.
 */
class CaseMapTest {
  private static final List<String> CASES =
      List.of(
          "01", "02", "03", "04", "05", "06", "08", // claiming and waiting
          "09", "10", "11", "12", "13", "14", "15", "17", "18", // claim lifetime
          "20", "21", "22", "24", "25", "26", "27", // outcomes
          "30", "31", "33", "35", "37", "39", "41", "45", "46", // fingerprint
          "47", "49", "51", "52", "53", "54", "55", // key and scope
          "56", "58", "62", "63", "65", "67", "68", // replay
          "72", "73", "76", "79", // reverse proxy
          "80", "81", "82", "83"); // storage under load

  private static final Pattern TEST = Pattern.compile("\\bvoid ((?:c\\d\\d[a-z]?_)+)");
  private static final Pattern ID = Pattern.compile("c(\\d\\d)");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| C(\\d\\d) \\|");
  private static final String WAITING = "## Cases that wait for later issues";
  private static final String PARTS = "## Parts of cases that wait";

  @Test
  void everyCase_isTestedOrWaits() throws IOException {
    Set<String> tested = tested();
    Set<String> waiting = rows(WAITING);
    assertThat(CASES)
        .allSatisfy(
            id ->
                assertThat(tested.contains(id) ^ waiting.contains(id))
                    .as("C%s: tested %s, waiting %s", id, tested.contains(id), waiting.contains(id))
                    .isTrue());
    assertThat(CASES).as("cases that nobody knows").containsAll(tested).containsAll(waiting);
  }

  /** A part can only wait where the rest is there. */
  @Test
  void casesOfWhichPartsWait_areTested() throws IOException {
    assertThat(tested()).containsAll(rows(PARTS));
  }

  private static Set<String> tested() throws IOException {
    Set<String> found = new TreeSet<>();
    try (Stream<Path> files = Files.walk(Path.of(".."))) {
      for (Path file : files.filter(CaseMapTest::isTest).toList()) {
        Matcher test = TEST.matcher(Files.readString(file));
        while (test.find()) {
          collect(ID.matcher(test.group(1)), found);
        }
      }
    }
    return found;
  }

  private static boolean isTest(Path file) {
    return file.toString().endsWith(".java")
        && (file.toString().contains("/src/test/java/")
            || file.startsWith(Path.of("..", "testkit")));
  }

  private static Set<String> rows(String heading) throws IOException {
    String page = Files.readString(Path.of("..", "..", "docs", "behaviour.md"));
    int start = page.indexOf(heading + "\n");
    assertThat(start).as(heading).isNotNegative();
    int end = page.indexOf("\n## ", start);
    Set<String> found = new TreeSet<>();
    collect(ROW.matcher(page.substring(start, end < 0 ? page.length() : end)), found);
    assertThat(found).as(heading).isNotEmpty();
    return found;
  }

  private static void collect(Matcher ids, Set<String> into) {
    while (ids.find()) {
      into.add(ids.group(1));
    }
  }
}
