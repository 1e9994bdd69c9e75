package dev.oncegate.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The strongest level that says something decides it, and each value on its own. */
class MergePropertiesTest {
  private static final PolicyMerge MERGE = PolicyMerge.load();

  @Property(tries = 300)
  void strongestLevel_decides_eachLeafOnItsOwn(
      @ForAll("levels") List<Integer> attempts, @ForAll("levels") List<Integer> maxLengths) {
    String text =
        """
        defaults: %s
        tenants:
          - id: t
            defaults: %s
            routes: [ { id: r, %s } ]
        """
            .formatted(
                "{" + policy(attempts.get(0), maxLengths.get(0)) + "}",
                "{" + policy(attempts.get(1), maxLengths.get(1)) + "}",
                policy(attempts.get(2), maxLengths.get(2)));
    YamlTree tree = YamlReader.read("t.yaml", text).tree().orElseThrow();

    Merged merged = MERGE.merge(tree, tree, 0, 0);

    assertThat(merged.at("/retention/retryBudget/attempts").asInt()).isEqualTo(last(attempts, 5));
    assertThat(merged.at("/key/maxLength").asInt()).isEqualTo(last(maxLengths, 255));
    assertThat(merged.level("/key/maxLength")).isEqualTo(lastLevel(maxLengths));
    assertThat(merged.at("/retention/retryBudget/maxBackoff").asText()).isEqualTo("30s");
    assertThat(merged.has("/key/x-note")).isFalse();
  }

  /** For each level a number, or 0 for none. */
  @Provide
  Arbitrary<List<Integer>> levels() {
    return Arbitraries.integers().between(0, 3).list().ofSize(3);
  }

  private static String policy(int attempts, int maxLength) {
    String budget =
        attempts == 0 ? "" : "retention: { retryBudget: { attempts: " + attempts + " } }, ";
    return budget + (maxLength == 0 ? "" : "key: { x-note: 1, maxLength: " + maxLength + " }, ");
  }

  private static int last(List<Integer> values, int builtIn) {
    return values.stream().filter(v -> v != 0).reduce((a, b) -> b).orElse(builtIn);
  }

  private static Merged.Level lastLevel(List<Integer> values) {
    for (int i = 2; i >= 0; i--) {
      if (values.get(i) != 0) {
        return Merged.Level.values()[i + 1];
      }
    }
    return Merged.Level.BUILT_IN;
  }
}
