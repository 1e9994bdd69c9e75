package dev.oncegate.testkit.sim;

import java.time.Duration;

/** What an engine reports of its waiters. */
final class LoopEvents extends SimulatedEvents {
  private final World world;
  private final SimulatedLoop loop;

  LoopEvents(World world, SimulatedLoop loop) {
    super(world, loop.process.node.index);
    this.world = world;
    this.loop = loop;
  }

  @Override
  public void parked(String tenant) {
    world.waiting().parked(loop, tenant);
  }

  @Override
  public void woken(String tenant, WokenBy by, Duration waited) {
    world.waiting().woken(loop, by);
  }

  @Override
  public void left(String tenant) {
    world.waiting().left(loop);
  }
}
