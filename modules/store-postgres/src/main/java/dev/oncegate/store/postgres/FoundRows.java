package dev.oncegate.store.postgres;

import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.RecordRules;
import dev.oncegate.core.TimelineEntry;
import dev.oncegate.core.TimelineEntry.Kind;
import dev.oncegate.engine.port.RecordReader.Found;
import io.vertx.sqlclient.Row;
import java.util.Arrays;
import java.util.Optional;

/** Row ↔ what people see. */
final class FoundRows {
  private FoundRows() {}

  /** The record as it is at the row's clock; empty where that is no record any more. */
  static Optional<Found> found(Row row, IdempotencyRecord written) {
    return Optional.ofNullable(RecordRules.aged(written, RecordRows.now(row)))
        .map(
            record ->
                new Found(
                    record,
                    reason(row, written, record),
                    row.getInteger("questions"),
                    row.getBoolean("person")));
  }

  private static String reason(Row row, IdempotencyRecord written, IdempotencyRecord record) {
    if (!(record instanceof Unknown)) {
      return "";
    }
    return written instanceof Claimed ? "the lease lapsed" : row.getString("unknown_reason");
  }

  /** Empty where a newer node has written a kind that this one does not know. */
  static Optional<TimelineEntry> entry(Row row) {
    String label = row.getString("kind");
    return Arrays.stream(Kind.values())
        .filter(kind -> kind.label().equals(label))
        .findFirst()
        .map(
            kind ->
                new TimelineEntry(
                    RecordRows.time(row, "at"),
                    new FencingToken(row.getLong("token")),
                    kind,
                    row.getString("by_whom"),
                    row.getString("said")));
  }
}
