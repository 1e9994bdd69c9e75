package dev.oncegate.testkit.sim;

import org.jspecify.annotations.Nullable;

/** A machine: its monotonic clock goes on over crashes and pauses of the process on it. */
final class SimulatedNode {
  /** Two clocks drift apart by at most this much, far below the send margin (A5). */
  private static final double DRIFT = 0.005;

  final int index;
  final Dice dice;
  private final World world;
  private final double rate;
  private final long offset;
  private int incarnations;
  private @Nullable Incarnation running;

  /** Whether it reaches the database. */
  int partitions;

  SimulatedNode(World world, int index, Dice dice) {
    this.world = world;
    this.index = index;
    this.dice = dice;
    this.rate = 1 + dice.between(-DRIFT, DRIFT);
    this.offset = dice.any() >> 2;
  }

  /** The process on it; null while there is none. */
  @Nullable Incarnation running() {
    return running;
  }

  long nanos() {
    return offset + (long) (world.agenda.now() * rate);
  }

  /** How long a delay by this clock truly takes; rounded up, since no timer fires early. */
  long trueTime(long nanos) {
    return (long) Math.ceil(nanos / rate) + 1;
  }

  void start() {
    if (running == null) {
      world.trace.add(world.agenda.now(), "process starts", index, -1, ++incarnations);
      running = new Incarnation(world, this, incarnations);
      running.start();
    }
  }

  /** Kills the process: its futures, timers and answers never come. */
  void crash() {
    if (running != null) {
      world.trace.add(world.agenda.now(), "process is killed", index, -1, incarnations);
      running.die();
      running = null;
    }
  }

  /** Ends the process as a rolling restart does: waiters are answered, exchanges may end. */
  void drain() {
    Incarnation ends = running;
    if (ends != null && ends.drain()) {
      world.trace.add(world.agenda.now(), "process ends", index, -1, incarnations);
      restart(ends, dice.millis(100, 6_000));
    }
  }

  private void restart(Incarnation ends, long limit) {
    world.agenda.in(
        limit,
        () -> {
          if (running == ends) {
            crash();
            start();
          }
        });
  }

  void pause(long howLong) {
    Incarnation now = running;
    if (now != null && now.pause()) {
      world.trace.add(world.agenda.now(), "process is stopped", index, -1, howLong);
      world.agenda.in(
          howLong,
          () -> {
            world.trace.add(world.agenda.now(), "process goes on", index, -1, -1);
            now.resume();
          });
    }
  }
}
