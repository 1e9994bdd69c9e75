package dev.oncegate.testkit.sim;

import java.util.function.IntConsumer;

/** A seed's faults of the bus and its rolling restarts, drawn apart from those of the rest. */
final class BusFaults {
  private final World world;
  private final Dice dice;

  BusFaults(World world, Dice dice) {
    this.world = world;
    this.dice = dice;
  }

  /** Kinds; each but the last is on for a while. */
  enum Kind {
    BUS_LOSSY,
    BUS_SLOW,
    BUS_REPEATING,
    BUS_FORGING,
    BUS_DECEIVED,
    BUS_SPLIT,
    DRAIN
  }

  void plan() {
    for (int i = 0; i < world.plan.crowd().busFaults(); i++) {
      Kind kind = dice.of(Kind.values());
      world.agenda.in(dice.between(0, world.plan.active() * 9 / 10), () -> begin(kind));
    }
  }

  private void begin(Kind kind) {
    world.weather.faults++;
    world.disturbed();
    int node = dice.below(Plan.NODES);
    BusWeather bus = world.weather.bus;
    world.trace.add(world.agenda.now(), kind.name(), node, -1, -1);
    switch (kind) {
      case BUS_LOSSY -> during(on -> bus.lossy += on, 20_000);
      case BUS_SLOW -> during(on -> bus.slow += on, 20_000);
      case BUS_REPEATING -> during(on -> bus.repeating += on, 20_000);
      case BUS_FORGING -> during(on -> bus.forging += on, 30_000);
      case BUS_DECEIVED -> during(on -> bus.deceived += on, 20_000);
      case BUS_SPLIT -> {
        int other = (node + 1 + dice.below(Plan.NODES - 1)) % Plan.NODES;
        during(on -> bus.cut(node, other, on), 20_000);
      }
      case DRAIN -> world.nodes.get(node).drain();
    }
  }

  /** On for a random while, which the end of all faults cuts. */
  private void during(IntConsumer add, long mostMillis) {
    add.accept(1);
    long left = world.plan.active() - world.agenda.now();
    world.agenda.in(
        Math.min(dice.millis(200, mostMillis), Math.max(0, left)), () -> add.accept(-1));
  }
}
