package dev.oncegate.engine;

import dev.oncegate.engine.port.Time;
import java.nio.ByteBuffer;
import java.time.Duration;

/** Keeps things that began together from going on together. */
final class Jitter {
  private Jitter() {}

  /** A duration within a quarter of the given one. */
  static Duration around(Time time, Duration middle) {
    long quarter = middle.toNanos() / 4;
    return middle.minusNanos(quarter).plus(upTo(time, Duration.ofNanos(2 * quarter)));
  }

  /** From zero up to the given duration. */
  static Duration upTo(Time time, Duration most) {
    long any = ByteBuffer.wrap(time.randomBytes(Long.BYTES)).getLong();
    return Duration.ofNanos(Math.floorMod(any, most.toNanos() + 1));
  }
}
