package dev.oncegate.core;

import java.time.Duration;

/**
 * How long a stored outcome is promised (contract §5).
 *
 * @param retention from completion to the retry deadline, in whole seconds
 * @param tombstone how long a late retry is refused after that; zero under {@code forget}
 */
public record Retention(Duration retention, Duration tombstone) {
  /** Built-in time in which a person may still press retry. */
  public static final Duration HUMAN_REPLAY_WINDOW = Duration.ofHours(24);

  /** Built-in factor on top of the budget. */
  public static final double SAFETY_FACTOR = 1.25;

  /**
   * {@code safetyFactor × (sum of backoffs with jitter + attempts × total + humanReplayWindow)},
   * rounded up to whole seconds.
   *
   * @param total the route's {@code upstream.timeouts.total}
   */
  public static Duration derived(
      RetryBudget budget, Duration total, Duration humanReplayWindow, double safetyFactor) {
    double millis =
        safetyFactor
            * (budget.longestWaits().toMillis()
                + (double) budget.attempts() * total.toMillis()
                + humanReplayWindow.toMillis());
    // A hair below a whole second is the binary fraction's doing and must not cost a second.
    return Duration.ofSeconds((long) Math.ceil(millis / 1000 - 1e-9));
  }
}
