package dev.oncegate.store.postgres;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.RecordId;
import io.vertx.core.Promise;
import io.vertx.sqlclient.Row;
import org.jspecify.annotations.Nullable;

/** One row of a multi-row statement. Asked again, it is the same row with a new promise. */
abstract class BatchRow {
  private final RecordId id;

  /** Set while it is asked. */
  private @Nullable Promise<Told> promise;

  private boolean sent;

  long deadline;
  long ticket;
  long timer;

  BatchRow(RecordId id) {
    this.id = id;
  }

  final RecordId id() {
    return id;
  }

  /** About how much of a statement it takes. */
  abstract int bytes();

  /** Whether any byte of it has ever been given to a connection. */
  final boolean sent() {
    return sent;
  }

  final void markSent() {
    sent = true;
  }

  final void begin(Promise<Told> next, long until) {
    BrokenInvariant.require(promise == null, "a row is asked once at a time");
    promise = next;
    deadline = until;
  }

  final Promise<Told> end() {
    Promise<Told> asked = promise;
    BrokenInvariant.require(asked != null, "only a row that was asked is answered");
    promise = null;
    if (asked == null) {
      throw new BrokenInvariant("unreachable");
    }
    return asked;
  }

  /**
   * What came back for a row.
   *
   * @param row null where its statement was answered without one
   * @param warned whether the server warned during its statement
   */
  record Told(@Nullable Row row, boolean warned) {}
}
