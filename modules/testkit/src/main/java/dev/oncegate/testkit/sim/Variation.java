package dev.oncegate.testkit.sim;

import dev.oncegate.core.OutcomePolicy;
import dev.oncegate.engine.Admission;
import dev.oncegate.engine.Answer;
import dev.oncegate.engine.IdempotencyEngine;
import dev.oncegate.engine.Patience;
import dev.oncegate.engine.WaiterCounts;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.engine.port.RecordUpkeep;
import dev.oncegate.engine.port.Time;
import dev.oncegate.engine.port.WaiterBus;
import dev.oncegate.testkit.InMemoryRecordStore;
import dev.oncegate.testkit.InMemoryUpkeep;
import io.vertx.core.Future;

/** Where a test makes a world break one rule, to see that a checker catches it. */
public class Variation {
  /** Nothing is broken. */
  public static final Variation NONE = new Variation();

  /** What the database does with a statement. */
  protected RecordStore server(InMemoryRecordStore memory) {
    return memory;
  }

  /** What the database does with upkeep's statements. */
  protected RecordUpkeep upkeep(InMemoryUpkeep upkeep, InMemoryRecordStore memory) {
    return upkeep;
  }

  /** What an engine is connected to. */
  protected RecordStore connection(RecordStore connection) {
    return connection;
  }

  /** An event loop's way to the others. */
  protected WaiterBus bus(WaiterBus bus) {
    return bus;
  }

  /** An event loop's timers. */
  protected Time time(Time loop) {
    return loop;
  }

  /** Where an engine reports to, beside what it counts. */
  protected EngineEvents events(EngineEvents events, WaiterCounts counts) {
    return events;
  }

  /** How a request is given to an engine. */
  protected Future<Answer> handle(
      IdempotencyEngine engine, Admission admission, Patience patience) {
    return engine.handle(admission, patience);
  }

  /** Whether no message ever arrives. */
  protected boolean deaf() {
    return false;
  }

  /** What statuses mean. */
  protected OutcomePolicy outcomes() {
    return OutcomePolicy.BUILT_IN;
  }

  /** Bad habits of the upstream adapter and the network. */
  protected Habits habits() {
    return Habits.NONE;
  }

  /**
   * Whether rows and statements are checked too, and not only what reaches clients and upstreams: a
   * broken rule is seen sooner there, but it is the effects that have to show it.
   */
  protected boolean looksInside() {
    return true;
  }

  /**
   * Habits.
   *
   * @param sendsTwice a request that was lost is sent once more
   * @param ignoresLease it sends without asking whether the lease stands
   * @param unbounded requests arrive after the quarantine, against assumption A2
   * @param abandonIsNotSent an exchange that was given up is called not sent
   * @param dropsKey the upstream key does not reach the upstream
   */
  public record Habits(
      boolean sendsTwice,
      boolean ignoresLease,
      boolean unbounded,
      boolean abandonIsNotSent,
      boolean dropsKey) {
    static final Habits NONE = new Habits(false, false, false, false, false);
  }
}
