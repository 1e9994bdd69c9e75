package dev.oncegate.testkit.sim;

import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.engine.port.RecordUpkeep;
import dev.oncegate.testkit.InMemoryRecordStore;
import dev.oncegate.testkit.InMemoryUpkeep;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one database behind all nodes. A statement travels, is applied in an event of its own, and
 * its answer travels back: each part may be late or lost by itself, so that what was applied and
 * what its asker knows fall apart as they do over a wire.
 */
final class SimulatedDatabase {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /** Its clock drifts from true time, by less than any node's may. */
  private static final double DRIFT = 0.001;

  private static final double LOST_WHILE_LOSSY = 0.25;

  private final World world;
  private final Dice dice;
  private final double rate;
  private final InMemoryRecordStore memory = new InMemoryRecordStore(this::clock);
  private final InMemoryUpkeep reader = memory.upkeep();
  private final RecordStore store;
  private final RecordUpkeep upkeep;
  private final RecordChecks checks;

  SimulatedDatabase(World world, Dice dice) {
    this.world = world;
    this.dice = dice;
    this.rate = 1 + dice.between(-DRIFT, DRIFT);
    this.store = world.variation.server(memory);
    this.upkeep = world.variation.upkeep(memory.upkeep(), memory);
    this.checks = new RecordChecks(world);
  }

  /** The database's clock. */
  Instant clock() {
    return START.plusNanos((long) (world.agenda.now() * rate));
  }

  RecordStore store() {
    return store;
  }

  RecordUpkeep upkeep() {
    return upkeep;
  }

  InMemoryUpkeep reader() {
    return reader;
  }

  RecordChecks checks() {
    return checks;
  }

  @Nullable IdempotencyRecord row(Plan.Operation operation) {
    return memory.row(operation.id()).orElse(null);
  }

  /**
   * What changes rows, for the checkers.
   *
   * @param name of the statement
   * @param token that it names; 0 where it names none
   */
  record Cause(String name, long token) {}

  /**
   * Asks.
   *
   * @param patience nanoseconds by the asker's clock; then nothing may be concluded
   */
  <T> Future<T> ask(Incarnation from, Cause cause, Supplier<Future<T>> statement, long patience) {
    Promise<T> answer = Promise.promise();
    if (from.dead()) {
      return answer.future();
    }
    dev.oncegate.engine.port.Time.Timer limit =
        from.afterNanos(
            patience, () -> answer.tryFail(new RecordStore.StoreUnavailable("no answer in time")));
    if (unreachable(from.node) && dice.chance(0.5)) {
      from.afterNanos(
          dice.millis(1, 5),
          () -> answer.tryFail(new RecordStore.StoreUnavailable("no connection")));
    } else if (!unreachable(from.node) && !lost()) {
      world.agenda.in(delay(), () -> arrive(from, cause, statement, answer));
    }
    return answer.future().onComplete(done -> limit.cancel());
  }

  private <T> void arrive(
      Incarnation from, Cause cause, Supplier<Future<T>> statement, Promise<T> answer) {
    if (world.weather.databaseDown > 0) {
      back(from, () -> answer.tryFail(new RecordStore.StoreUnavailable("connection reset")));
      return;
    }
    Future<T> applied = apply(from.node, cause, statement);
    boolean lost = world.weather.databaseDown > 0 || unreachable(from.node) || lost();
    if (lost) {
      world.trace.add(world.agenda.now(), "acknowledgement lost", from.node.index, -1, -1);
    } else {
      back(
          from,
          () -> {
            if (applied.succeeded()) {
              answer.tryComplete(applied.result());
            } else {
              answer.tryFail(applied.cause());
            }
          });
    }
  }

  private <T> Future<T> apply(SimulatedNode node, Cause cause, Supplier<Future<T>> statement) {
    Future<T> applied;
    try {
      applied = statement.get();
    } catch (RuntimeException e) {
      // A rule's own assertion: the server would have failed the statement.
      applied = Future.failedFuture(e);
      world.broken(e);
    }
    checks.after(node, cause);
    return applied;
  }

  private void back(Incarnation to, Runnable run) {
    world.agenda.in(delay(), () -> to.wake(run));
  }

  private boolean unreachable(SimulatedNode node) {
    return world.weather.databaseDown > 0 || node.partitions > 0;
  }

  private boolean lost() {
    double rate = world.weather.healed ? 0 : world.plan.roughness() / 4;
    return dice.chance(world.weather.databaseLossy > 0 ? LOST_WHILE_LOSSY : rate);
  }

  private long delay() {
    if (world.weather.databaseSlow > 0 && dice.chance(0.5)) {
      return dice.between(0, 2 * world.plan.lease());
    }
    return dice.millis(1, 12);
  }
}
