package dev.oncegate.engine;

import java.util.HashMap;
import java.util.Map;

/**
 * How many requests wait for one claim, on all loops of all nodes together. A loop says how many it
 * has; what it was granted lapses when the last of those would have given up, so that a node which
 * dies leaves no place taken for longer.
 */
final class Seats {
  /** Far more event loops than share a database. */
  private static final int MOST_LOOPS = 4_096;

  private final int most;
  private final Map<String, Seat> seats = new HashMap<>();

  /**
   * Nobody waits yet.
   *
   * @param most how many may wait at a time
   */
  Seats(int most) {
    this.most = most;
  }

  private record Seat(int waiters, long until) {}

  /**
   * How many a loop may have beside those of the others; takes nothing.
   *
   * @param now monotonic time
   * @return 0 or more
   */
  int room(String loop, long now) {
    seats.values().removeIf(seat -> seat.until - now <= 0);
    long others =
        seats.entrySet().stream()
            .filter(seat -> !seat.getKey().equals(loop))
            .mapToLong(seat -> seat.getValue().waiters)
            .sum();
    return (int) Math.max(0, most - others);
  }

  /**
   * Replaces what a loop had.
   *
   * @param wanted how many it has, 0 or more
   * @param until monotonic time at which the last of them gives up
   * @param now monotonic time
   * @return 0 to {@code wanted}
   */
  int grant(String loop, int wanted, long until, long now) {
    seats.remove(loop);
    int granted = Math.min(wanted, room(loop, now));
    if (granted > 0 && seats.size() < MOST_LOOPS) {
      seats.put(loop, new Seat(granted, until));
    }
    return granted;
  }
}
