package dev.oncegate.testkit.history;

import dev.oncegate.engine.port.RecordReader.State;
import java.util.Optional;

/**
 * One change of a record, written in the same transaction; part of J. Steps of a key are in the
 * order in which they were committed.
 *
 * @param at in microseconds of the run's clock
 * @param from empty: there was no record
 * @param to empty: there is none any more
 * @param tokenBefore 0 where there was no record
 * @param token of the record that is, or was, there
 * @param reconstructed whether a verdict completed it
 * @param strangerFrom when deadline and tombstone of the outcome that was there are over; 0 where
 *     there was none
 */
public record Step(
    String key,
    String tenant,
    long at,
    Optional<State> from,
    Optional<State> to,
    long tokenBefore,
    long token,
    String fingerprint,
    boolean reconstructed,
    long strangerFrom) {

  boolean claims() {
    return to.equals(Optional.of(State.CLAIMED)) && (from.isEmpty() || token != tokenBefore);
  }

  boolean completes() {
    return to.equals(Optional.of(State.COMPLETED)) && !from.equals(to);
  }

  boolean releases() {
    return to.isEmpty() && !wasSettled();
  }

  /** Whether the key is a stranger again. */
  boolean forgets() {
    return wasSettled() && (to.isEmpty() || claims());
  }

  private boolean wasSettled() {
    return from.equals(Optional.of(State.COMPLETED)) || from.equals(Optional.of(State.EXPIRED));
  }
}
