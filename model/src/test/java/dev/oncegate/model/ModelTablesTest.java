package dev.oncegate.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of README.md against the configurations and the module's own list of rules. */
class ModelTablesTest {
  private final List<Configuration> rows = Configuration.all();

  @Test
  void everyConfiguration_hasOneRow() throws Exception {
    assertThat(rows).extracting(Configuration::name).doesNotHaveDuplicates();
    assertThat(rows)
        .extracting(Configuration::name)
        .containsExactlyInAnyOrderElementsOf(Configuration.files());
  }

  @Test
  void everyRule_isMissedSomewhere() {
    Set<String> broken =
        rows.stream()
            .filter(row -> row.exit() != 0)
            .flatMap(row -> row.off().stream())
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(broken).isEqualTo(rules()).hasSizeGreaterThanOrEqualTo(12);
  }

  @Test
  void aConfigurationThatHolds_hasEveryRuleOfItsWorld() {
    // without giving up, a reconciliation that comes to its end by itself is shown
    assertThat(rows)
        .filteredOn(row -> row.exit() == 0)
        .allSatisfy(row -> assertThat(row.off()).isSubsetOf("giveUp"));
  }

  @Test
  void aConfigurationThatBreaks_checksOnlyWhatItBreaks() {
    assertThat(rows)
        .filteredOn(row -> row.exit() != 0)
        .allSatisfy(
            row -> {
              Stream<String> checked =
                  Stream.of("INVARIANTS", "PROPERTIES").flatMap(word -> row.words(word).stream());
              assertThat(checked).as(row.name()).containsExactly(row.property());
            });
  }

  @Test
  void aSize_isGivenForEverythingThatEnds() {
    assertThat(rows)
        .filteredOn(row -> row.size().isEmpty())
        .allSatisfy(row -> assertThat(row.words("SPECIFICATION")).doesNotContain("Spec"));
    assertThat(rows)
        .filteredOn(row -> !row.size().isEmpty())
        .allSatisfy(
            row -> assertThatCode(() -> Integer.parseInt(row.size())).doesNotThrowAnyException());
  }

  private static Set<String> rules() {
    String module = Configuration.text("Oncegate.tla");
    int from = module.indexOf("Rules == {");
    return Configuration.quoted(module.substring(from, module.indexOf('}', from)));
  }
}
