package dev.oncegate.testkit.sim;

import dev.oncegate.core.RoutePolicy;
import java.time.Duration;

/**
 * What a seed decides about waiting.
 *
 * @param loops event loops of each process
 * @param bursts how often a client comes just behind another one with the same key
 * @param deaf no message ever arrives
 */
record Crowd(int loops, double bursts, boolean deaf, int busFaults) {
  private static final double DEAF = 0.08;
  private static final long SECOND = 1_000_000_000L;

  static Crowd draw(Dice dice) {
    int loops = 1 + dice.below(3);
    double bursts = dice.of(0.2, 0.5, 0.8);
    return new Crowd(loops, bursts, dice.chance(DEAF), Math.max(0, (int) dice.between(-3, 6)));
  }

  /** Caps that a burst reaches; the one of the tenant is the same on all of its routes. */
  static RoutePolicy.Park park(Dice dice, int mostOfTenant) {
    Duration maxWait =
        Duration.ofNanos(dice.chance(0.1) ? 0 : dice.of(1 * SECOND, 4 * SECOND, 12 * SECOND));
    return new RoutePolicy.Park(maxWait, (int) dice.between(1, 8), mostOfTenant);
  }

  /** How long a client says that it would wait; most leave it to the route. */
  static Duration wish(Dice dice) {
    if (dice.chance(0.7)) {
      return Duration.ofDays(1);
    }
    return dice.chance(0.3) ? Duration.ZERO : Duration.ofSeconds(dice.between(1, 6));
  }
}
