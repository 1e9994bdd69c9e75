package dev.oncegate.engine.port;

import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.TimelineEntry;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What people see of the records. Reads the primary, answers within bounds, and takes no lock.
 * Futures fail with {@link RecordStore.StoreUnavailable} and complete on the calling Vert.x
 * context.
 */
public interface RecordReader {
  /** Records that fit, newest claim first, at most {@code query.limit()}. */
  Future<List<Found>> find(Query query);

  /** One record, of that tenant only. */
  Future<Optional<Found>> show(String tenant, RecordId id);

  /** What was out of the ordinary, oldest first; also of a record that is gone. */
  Future<List<TimelineEntry>> timeline(String tenant, RecordId id);

  /** State of a record as people ask for it; a lapsed claim is unknown. */
  enum State {
    CLAIMED,
    COMPLETED,
    UNKNOWN,
    EXPIRED;

    /** The state that a record is in. */
    public static State of(IdempotencyRecord record) {
      if (record instanceof IdempotencyRecord.Claimed) {
        return CLAIMED;
      } else if (record instanceof IdempotencyRecord.Completed) {
        return COMPLETED;
      } else if (record instanceof IdempotencyRecord.Unknown) {
        return UNKNOWN;
      }
      return EXPIRED;
    }

    public String label() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /**
   * Which records.
   *
   * @param claimedFrom inclusive
   * @param claimedUntil exclusive
   * @param before only records behind this one in the order of the answer: the last one of the page
   *     before
   * @param limit 1 to 1,000
   */
  record Query(
      String tenant,
      Optional<State> state,
      Optional<String> route,
      Optional<RecordId> id,
      Optional<Instant> claimedFrom,
      Optional<Instant> claimedUntil,
      Optional<Position> before,
      int limit) {}

  /** Where a page ends. */
  record Position(Instant claimedAt, RecordId id) {}

  /**
   * A record as people see it.
   *
   * @param record as it is now; of a completed one the body is not fetched, nor of one among many
   *     what its claim keeps for a question
   * @param unknownReason why its outcome is not known; empty where it is
   * @param questions how often the tenant's API was asked about it
   * @param waitsForPerson unknown, and nobody will ask any more
   */
  record Found(
      IdempotencyRecord record, String unknownReason, int questions, boolean waitsForPerson) {}
}
