package dev.oncegate.engine.port;

import io.vertx.core.Future;

/** The claims whose exchanges run on this event loop, for those who wait for them elsewhere. */
public interface RunningWinners {
  /**
   * The end of a claim: at once {@link Hint.LookAgain} where it does not run here. A loop that
   * attaches again takes the place of its earlier attach, which then never completes. Never fails.
   */
  Future<Hint> attach(Waiting waiting);

  /**
   * How many of a loop's waiters may wait; what was granted before is replaced, and ends after
   * {@code timeLeft}. Gives 0 to {@code wanted}; all of them where the claim does not run here,
   * since nobody counts. Never fails.
   *
   * @param wanted how many it has; 0 gives all back
   */
  Future<Integer> seats(Waiting waiting, int wanted);
}
