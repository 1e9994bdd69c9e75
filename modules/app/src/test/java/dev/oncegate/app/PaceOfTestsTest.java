package dev.oncegate.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oncegate.parking.eventbus.ClusterSettings.Pace;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PaceOfTestsTest {
  private static final Duration CHECK = Duration.ofMillis(700);

  @Test
  void withoutAnOrder_onlyTheCheckIsASetting() {
    Pace usual = Pace.BUILT_IN;
    assertThat(PaceOfTests.of(CHECK, null))
        .isEqualTo(new Pace(CHECK, usual.noHeartbeat(), usual.firstMerge(), usual.nextMerge()));
  }

  @Test
  void order_isSecondsInTurn() {
    assertThat(PaceOfTests.of(CHECK, "5,2,1"))
        .isEqualTo(
            new Pace(CHECK, Duration.ofSeconds(5), Duration.ofSeconds(2), Duration.ofSeconds(1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5,2", "5,2,1,1", "0,1,1", "5s,2s,1s", "5, 2, 1", "-5,2,1"})
  void whatIsNoPace_isRefused(String property) {
    assertThatThrownBy(() -> PaceOfTests.of(CHECK, property))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("5,1,1");
  }
}
