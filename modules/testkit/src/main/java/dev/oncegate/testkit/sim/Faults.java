package dev.oncegate.testkit.sim;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;

/** Draws a seed's faults, of a random subset of kinds, and lets them begin and end. */
final class Faults {
  /** Owners and those who wait for them know nothing of these. */
  private static final Set<Kind> UPSTREAM_ONLY =
      EnumSet.of(
          Kind.REQUESTS_SLOW,
          Kind.NETWORK_LOSSY,
          Kind.UPSTREAM_SLOW,
          Kind.UPSTREAM_TRANSIENT,
          Kind.UPSTREAM_AMBIGUOUS,
          Kind.PROBES_SILENT);

  private final World world;
  private final Dice dice;

  Faults(World world, Dice dice) {
    this.world = world;
    this.dice = dice;
  }

  /** Kinds; each but the first two is on for a while. */
  enum Kind {
    KILL,
    STOP,
    PARTITION,
    DATABASE_DOWN,
    DATABASE_SLOW,
    DATABASE_LOSSY,
    REQUESTS_SLOW,
    NETWORK_LOSSY,
    UPSTREAM_SLOW,
    UPSTREAM_TRANSIENT,
    UPSTREAM_AMBIGUOUS,
    PROBES_SILENT,
    FAILPOINTS
  }

  void plan() {
    List<Kind> kinds = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      if (dice.chance(0.6)) {
        kinds.add(kind);
      }
    }
    if (kinds.isEmpty()) {
      kinds.add(Kind.KILL);
    }
    for (int i = 0; i < world.plan.faults(); i++) {
      Kind kind = kinds.get(dice.below(kinds.size()));
      world.agenda.in(dice.between(0, world.plan.active() * 9 / 10), () -> begin(kind));
    }
  }

  private void begin(Kind kind) {
    world.weather.faults++;
    if (!UPSTREAM_ONLY.contains(kind)) {
      world.disturbed();
    }
    SimulatedNode node = world.nodes.get(dice.below(Plan.NODES));
    Weather weather = world.weather;
    world.trace.add(world.agenda.now(), kind.name(), node.index, -1, -1);
    switch (kind) {
      case KILL -> {
        node.crash();
        world.agenda.in(dice.millis(200, 20_000), node::start);
      }
      case STOP -> node.pause(dice.between(world.plan.lease() / 2, 6 * world.plan.lease()));
      case PARTITION -> during(on -> node.partitions += on, 8_000);
      case DATABASE_DOWN -> during(on -> weather.databaseDown += on, 6_000);
      case DATABASE_SLOW -> during(on -> weather.databaseSlow += on, 10_000);
      case DATABASE_LOSSY -> during(on -> weather.databaseLossy += on, 15_000);
      case REQUESTS_SLOW -> during(on -> weather.requestsSlow += on, 40_000);
      case NETWORK_LOSSY -> during(on -> weather.networkLossy += on, 20_000);
      case UPSTREAM_SLOW -> during(on -> weather.upstreamSlow += on, 20_000);
      case UPSTREAM_TRANSIENT -> during(on -> weather.upstreamTransient += on, 15_000);
      case UPSTREAM_AMBIGUOUS -> during(on -> weather.upstreamAmbiguous += on, 15_000);
      case PROBES_SILENT -> during(on -> weather.probesSilent += on, 40_000);
      case FAILPOINTS -> during(on -> weather.failpoints += on, 15_000);
    }
  }

  /** On for a random while, which may reach beyond the active time and is then cut by the heal. */
  private void during(IntConsumer add, long mostMillis) {
    add.accept(1);
    long left = world.plan.active() - world.agenda.now();
    world.agenda.in(
        Math.min(dice.millis(200, mostMillis), Math.max(0, left)), () -> add.accept(-1));
  }
}
