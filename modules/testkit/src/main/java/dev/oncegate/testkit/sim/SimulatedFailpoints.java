package dev.oncegate.testkit.sim;

import dev.oncegate.engine.port.Failpoints;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/** Kills, stops, delays or fails a process in the middle of the engine's own steps. */
final class SimulatedFailpoints implements Failpoints {
  private static final double RATE = 0.12;

  private final World world;
  private final Incarnation incarnation;
  private final Dice dice;

  /** What a point fails with: the only failure that the engine may call broken. */
  static final class Failed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Failed() {
      super("a failpoint", null, false, false);
    }
  }

  SimulatedFailpoints(World world, Incarnation incarnation) {
    this.world = world;
    this.incarnation = incarnation;
    this.dice = incarnation.node.dice.split();
  }

  @Override
  public Future<Void> pass(Point point) {
    if (world.weather.failpoints == 0 || incarnation.dead() || !dice.chance(RATE)) {
      return Future.succeededFuture();
    }
    Promise<Void> passed = Promise.promise();
    SimulatedNode node = incarnation.node;
    world.trace.add(world.agenda.now(), point.name(), node.index, -1, -1);
    switch (dice.below(5)) {
      case 0, 1 -> {
        node.crash();
        world.agenda.in(dice.millis(200, 10_000), node::start);
      }
      case 2 -> {
        node.pause(dice.between(world.plan.lease() / 2, 3 * world.plan.lease()));
        incarnation.wake(passed::complete);
      }
      case 3 -> incarnation.afterNanos(dice.between(0, world.plan.lease()), passed::complete);
      default -> {
        return Future.failedFuture(new Failed());
      }
    }
    return passed.future();
  }
}
