package dev.oncegate.testkit;

import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.RecordId;
import dev.oncegate.engine.port.RecordStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What an implementation lends to the contract suites. */
public interface StoreUnderTest {
  /** The same store for the whole of a test. */
  RecordStore store();

  /**
   * Lets this much of the store's own time pass for all its records: a manual clock goes forward,
   * or every row's times are moved back. Nothing sleeps.
   */
  void elapse(Duration duration);

  /** The outcome; throws what the future failed with. Not for event loops. */
  static <T> T get(Future<T> future) {
    try {
      return future.await(60, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("the store never answered", e);
    }
  }

  /** The record as the store reads it now. */
  default Optional<IdempotencyRecord> read(RecordId id) {
    return get(store().read(id));
  }
}
