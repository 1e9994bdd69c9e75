package dev.oncegate.testkit.sim;

import java.util.SplittableRandom;

/** All chance of a world comes from its seed. */
final class Dice {
  private static final long MILLI = 1_000_000L;

  private final SplittableRandom random;

  Dice(long seed) {
    this(new SplittableRandom(seed));
  }

  private Dice(SplittableRandom random) {
    this.random = random;
  }

  /** A stream of its own, so that one part of the world does not shift another's chance. */
  Dice split() {
    return new Dice(random.split());
  }

  boolean chance(double probability) {
    return probability > 0 && random.nextDouble() < probability;
  }

  /** From 0 to {@code bound - 1}. */
  int below(int bound) {
    return random.nextInt(bound);
  }

  /** Both included. */
  long between(long from, long to) {
    return from >= to ? from : random.nextLong(from, to + 1);
  }

  double between(double from, double to) {
    return from + random.nextDouble() * (to - from);
  }

  /** Nanoseconds between two numbers of milliseconds. */
  long millis(long from, long to) {
    return between(from * MILLI, to * MILLI);
  }

  long any() {
    return random.nextLong();
  }

  @SafeVarargs
  final <T> T of(T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
