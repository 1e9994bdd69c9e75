package dev.oncegate.engine.port;

import io.vertx.core.Future;

/**
 * Carries the two questions of {@link RunningWinners} to the owner of a claim, on this node or on
 * another. Best effort: any answer may be lost, late, repeated or wrong, and only delay may come of
 * it. Futures complete on the calling context, and fail where no answer can be had.
 */
public interface WaiterBus {
  /**
   * Asks to be told of the end of a claim; fails after {@code timeLeft} at the latest.
   *
   * @param owner address in the claim
   */
  Future<Hint> attach(String owner, Waiting waiting);

  /**
   * Asks for room for so many waiters; fails within a moment where the owner cannot be reached.
   *
   * @param wanted 0 gives all back
   */
  Future<Integer> seats(String owner, Waiting waiting, int wanted);

  /** Whether the owner's event loop is one of this process. */
  boolean isLocal(String owner);

  /** Whether messages are believed to arrive; where not, waiters look at the store more often. */
  boolean healthy();
}
