package dev.oncegate.engine;

import dev.oncegate.engine.port.EngineEvents;

/**
 * Runs what belongs to somebody else: what it throws is an alarm, and keeps nothing that follows
 * from being done. Futures without a context hand an exception of a listener to whoever completes
 * them, so one client's answer could stand before all others.
 */
record Guard(EngineEvents events) {
  void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException thrown) {
      events.broken(EngineEvents.NONE, EngineEvents.NONE, thrown);
    }
  }
}
