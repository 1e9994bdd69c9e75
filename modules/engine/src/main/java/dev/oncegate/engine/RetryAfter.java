package dev.oncegate.engine;

import java.time.Duration;

/** How long to say that a client should wait. */
public final class RetryAfter {
  /** An unknown outcome is settled by people or probes, not within seconds. */
  public static final Duration OUTCOME_UNKNOWN = Duration.ofSeconds(30);

  /** The store is expected back within 5 s of its fault (reliability §4, drills). */
  public static final Duration STORE = Duration.ofSeconds(2);

  /** After a refused connection: long enough for a restart to be under way. */
  public static final Duration UPSTREAM = Duration.ofSeconds(1);

  private RetryAfter() {}

  /**
   * What is left of the typical run; once the winner has run longer than that, as long again as the
   * half of what it has run. From 1 s up to the lease.
   */
  public static Duration whileInFlight(Duration running, Duration typical, Duration lease) {
    Duration left = typical.minus(running);
    Duration wait = (!left.isZero() && !left.isNegative()) ? left : running.dividedBy(2);
    if (wait.compareTo(lease) > 0) {
      wait = lease;
    }
    return wait.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : wait;
  }
}
