package dev.oncegate.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs each configuration of the model. One that holds must hold over as many states as before; one
 * that switches a rule off must break the property that the rule is there for, by name: a typing
 * error or another broken property ends in failure as well.
 */
class ModelIT {
  @ParameterizedTest(name = "{0}")
  @MethodSource("ordinary")
  void configuration_endsAsTheTableSays(Configuration configuration) throws Exception {
    assertEndsAsTheTableSays(configuration);
  }

  @Tag("long")
  @ParameterizedTest(name = "{0}")
  @MethodSource("campaigns")
  void longConfiguration_endsAsTheTableSays(Configuration configuration) throws Exception {
    assertEndsAsTheTableSays(configuration);
  }

  static List<Configuration> ordinary() {
    return Configuration.all().stream().filter(row -> !row.isLong()).toList();
  }

  static List<Configuration> campaigns() {
    return Configuration.all().stream().filter(Configuration::isLong).toList();
  }

  private static void assertEndsAsTheTableSays(Configuration row) throws Exception {
    TlcRun run = TlcRun.of(row);
    assertThat(run.output()).as(row.name()).containsPattern(verdict(row));
    assertThat(run.exit()).as(run.output()).isEqualTo(row.exit());
    if (row.exit() == 0) {
      assertThat(run.distinct()).as("distinct states of " + row).isEqualTo(row.size());
    } else if (!row.size().isEmpty()) {
      assertThat(run.trace()).as("states of the trace of " + row).isEqualTo(row.size());
    }
  }

  private static String verdict(Configuration row) {
    if (row.exit() == 0) {
      return "Model checking completed. No error has been found.";
    } else if (row.exit() == 12) {
      return "Error: Invariant " + row.property() + " is violated";
    } else if (row.size().isEmpty()) {
      // TLC names no temporal property; ModelTablesTest sees that there is only one
      return "Error: Temporal properties were violated";
    }
    return "Error: Action property " + row.property() + " is violated";
  }
}
