package dev.oncegate.core;

import java.time.Duration;

/**
 * How a tenant's clients retry.
 *
 * @param attempts tries in all, the first one too; 1 to 100
 * @param firstBackoff wait before the second try
 * @param multiplier growth of the wait; at least 1
 * @param maxBackoff cap of one wait, before jitter
 * @param jitter 0 to 1: a wait lasts at most (1 + jitter) times its backoff
 */
public record RetryBudget(
    int attempts, Duration firstBackoff, double multiplier, Duration maxBackoff, double jitter) {
  /** Contract §5: 5 attempts, 500 ms doubling to 30 s, half jitter. */
  public static final RetryBudget BUILT_IN =
      new RetryBudget(5, Duration.ofMillis(500), 2, Duration.ofSeconds(30), 0.5);

  /** The longest that all waits together can last. */
  public Duration longestWaits() {
    double millis = 0;
    double backoff = firstBackoff.toMillis();
    for (int wait = 1; wait < attempts; wait++) {
      millis += Math.min(backoff, (double) maxBackoff.toMillis()) * (1 + jitter);
      backoff *= multiplier;
    }
    // 100 ms with a jitter of 0.1 are 110.00000000000001 ms as doubles, and must not become 111.
    return Duration.ofMillis((long) Math.ceil(millis - 1e-6));
  }
}
