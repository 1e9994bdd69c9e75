package dev.oncegate.testkit.sim;

import dev.oncegate.core.RecordId;
import dev.oncegate.engine.port.EngineEvents;

/** Counts what the engine reports, and takes its alarms at their word. */
class SimulatedEvents implements EngineEvents {
  private final World world;
  private final int node;

  SimulatedEvents(World world, int node) {
    this.world = world;
    this.node = node;
  }

  @Override
  public void staleCompletion(String tenant, String route, RecordId id) {
    world.saw(Rare.STALE_COMPLETION_REFUSED);
    world.trace.add(world.agenda.now(), "a late owner is refused", node, -1, -1);
  }

  @Override
  public void gaveUp(String tenant, String route, RecordId id) {
    world.trace.add(world.agenda.now(), "given up, a person has to decide", node, -1, -1);
  }

  @Override
  public void recordDamaged(String tenant, String route, RecordId id, String what) {
    world.violated("S4", "a stored record is damaged: " + what);
  }

  @Override
  public void broken(String tenant, String route, Throwable cause) {
    if (!(cause instanceof SimulatedFailpoints.Failed)) {
      world.broken(cause);
    }
  }

  @Override
  public void imbalance(String tenant, long difference) {
    world.require(difference == 0, "C13", "the books of " + tenant + " differ by " + difference);
  }
}
