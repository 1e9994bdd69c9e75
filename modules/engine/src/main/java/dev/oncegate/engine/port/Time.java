package dev.oncegate.engine.port;

import java.time.Duration;
import java.util.UUID;

/** Monotonic time, timers and randomness: everything that a simulation replaces. */
public interface Time {
  /** Monotonic nanoseconds; only differences mean anything. */
  long nanos();

  /** Runs the task once on the calling context after at least {@code delay}. */
  Timer after(Duration delay, Runnable task);

  /** Unpredictable bytes. */
  byte[] randomBytes(int count);

  /** A random identity. */
  UUID randomId();

  /** A timer that can still be stopped. */
  @FunctionalInterface
  interface Timer {
    void cancel();
  }
}
