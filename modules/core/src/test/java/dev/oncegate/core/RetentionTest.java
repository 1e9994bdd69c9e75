package dev.oncegate.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The numbers that tenants-example.yaml and its checks promise in their comments. */
class RetentionTest {
  @ParameterizedTest
  @CsvSource({
    // route, attempts, first, multiplier, max, jitter, total, human, derived
    "create-charge, 8, PT0.5S, 2, PT60S, 0.5, PT30S, PT24H, PT30H7M",
    "refund-charge, 8, PT0.5S, 2, PT60S, 0.5, PT30S, PT72H, PT90H7M",
    "place-order, 4, PT0.2S, 3, PT10S, 0, PT8S, PT2H, PT2H30M44S",
    "put-order, 3, PT0.2S, 2, PT10S, 0, PT8S, PT0S, PT31S",
    "patch-order, 4, PT0.2S, 3, PT10S, 0, PT8S, PT30M, PT38M14S",
    "assumed-budget, 5, PT0.5S, 2, PT30S, 0.5, PT8S, PT2H, PT2H31M5S"
  })
  void derived_isWhatTheExamplePromises(
      String route,
      int attempts,
      Duration first,
      double multiplier,
      Duration max,
      double jitter,
      Duration total,
      Duration human,
      Duration derived) {
    RetryBudget budget = new RetryBudget(attempts, first, multiplier, max, jitter);
    assertThat(Retention.derived(budget, total, human, Retention.SAFETY_FACTOR))
        .as(route)
        .isEqualTo(derived);
  }

  @Test
  void builtInBudget_isTheAssumedOne() {
    assertThat(RetryBudget.BUILT_IN)
        .isEqualTo(new RetryBudget(5, Duration.ofMillis(500), 2, Duration.ofSeconds(30), 0.5));
    // 0.5 + 1 + 2 + 4 s, each half as long again
    assertThat(RetryBudget.BUILT_IN.longestWaits()).isEqualTo(Duration.ofMillis(11_250));
  }

  @Test
  void waits_areCappedBeforeJitter_andOneFewerThanAttempts() {
    Duration second = Duration.ofSeconds(1);
    assertThat(new RetryBudget(1, second, 2, second, 1).longestWaits()).isEqualTo(Duration.ZERO);
    assertThat(new RetryBudget(100, second, 10, second.multipliedBy(3), 1).longestWaits())
        .isEqualTo(Duration.ofSeconds(2 * (1 + 3 * 98)));
  }

  @Test
  void binaryFractions_costNoMillisecondAndNoSecond() {
    Duration wait = Duration.ofMillis(100);
    assertThat(new RetryBudget(2, wait, 1, wait, 0.1).longestWaits())
        .isEqualTo(Duration.ofMillis(110));
    RetryBudget none = new RetryBudget(1, wait, 1, wait, 0);
    Duration ten = Duration.ofSeconds(10);
    assertThat(Retention.derived(none, Duration.ZERO, ten, 1.1)).isEqualTo(Duration.ofSeconds(11));
    assertThat(Retention.derived(none, Duration.ofMillis(1), ten, 1.1))
        .isEqualTo(Duration.ofSeconds(12));
  }
}
