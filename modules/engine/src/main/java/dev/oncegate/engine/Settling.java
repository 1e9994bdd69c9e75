package dev.oncegate.engine;

import dev.oncegate.core.SettleOutcome;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.engine.port.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Writes the end of a claim and does not give up while the store cannot be reached: every such
 * write is safe to repeat, and only the store can say that the token is no longer current.
 */
final class Settling {
  private static final Duration FIRST_WAIT = Duration.ofMillis(50);

  /** The store is asked again at least this often, so that it finds us soon after it comes back. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

  private final Time time;
  private final EngineEvents events;

  Settling(Time time, EngineEvents events) {
    this.time = time;
    this.events = events;
  }

  /** The outcome of the write, however long it takes; fails only on a damaged row or a bug. */
  Future<SettleOutcome> persist(String operation, Supplier<Future<SettleOutcome>> write) {
    Promise<SettleOutcome> settled = Promise.promise();
    attempt(operation, write, FIRST_WAIT, settled);
    return settled.future();
  }

  private void attempt(
      String operation,
      Supplier<Future<SettleOutcome>> write,
      Duration wait,
      Promise<SettleOutcome> settled) {
    write
        .get()
        .onComplete(
            result -> {
              if (result.succeeded()) {
                settled.complete(result.result());
              } else if (result.cause() instanceof RecordStore.StoreUnavailable) {
                events.storeFailed(operation, result.cause());
                Duration doubled = wait.multipliedBy(2);
                Duration next = doubled.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : doubled;
                time.after(wait, () -> attempt(operation, write, next, settled));
              } else {
                settled.fail(result.cause());
              }
            });
  }
}
