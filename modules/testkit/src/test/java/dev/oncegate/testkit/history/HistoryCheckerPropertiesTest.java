package dev.oncegate.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The fast checker against the search for an explanation. */
class HistoryCheckerPropertiesTest {
  /** Left to clients that go on and to the end of the run. */
  private static final Set<Check> NOT_SEARCHED = EnumSet.of(Check.C6_LOST);

  @Property(tries = 3_000)
  void smallHistory_isRefusedWhereNothingExplainsIt(@ForAll long seed) {
    History history = SmallHistories.random(seed);
    assertThat(refused(history).isEmpty())
        .as("%s%n%s%n%s", seed, history, refused(history))
        .isEqualTo(BruteForce.explains(history));
  }

  @Test
  void histories_areOftenGood_andOftenBad() {
    int good = 0;
    for (long seed = 0; seed < 1000; seed++) {
      good += BruteForce.explains(SmallHistories.random(seed)) ? 1 : 0;
    }
    assertThat(good).isBetween(200, 800);
  }

  private static List<Violation> refused(History history) {
    return HistoryChecker.check(history).stream()
        .filter(v -> !NOT_SEARCHED.contains(v.check()))
        .toList();
  }
}
