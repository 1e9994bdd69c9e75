package dev.oncegate.app.drill;

/**
 * Microseconds since 1970 that never go back: as monotonic as the process's clock, and close enough
 * to the database's, which runs on this machine.
 */
final class RunClock {
  private static final long WALL = System.currentTimeMillis() * 1000;
  private static final long NANOS = System.nanoTime();

  private RunClock() {}

  static long now() {
    return WALL + (System.nanoTime() - NANOS) / 1000;
  }
}
