package dev.oncegate.engine.port;

import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.RenewOutcome;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.TimelineEntry.Note;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The authoritative records. Every method behaves as {@link dev.oncegate.core.RecordRules} decides,
 * atomically per record, by the store's own clock; whether statements are batched does not show.
 *
 * <pre>
 * absent ─claim→ claimed ─complete→ completed ─deadline→ expired ─tombstone ends→ absent
 *                   │ └─release→ absent                     (expiry is judged at read)
 *                   └─markUnknown, lease lapsed→ unknown ─complete→ completed, ─release→ absent
 * </pre>
 *
 * <p>Expected outcomes are values. A future fails with {@link StoreUnavailable} where nothing
 * (more) can be said, with {@link RecordDamaged} where the row cannot be read. Futures complete on
 * the calling Vert.x context.
 */
public interface RecordStore {
  /**
   * Takes the right to execute an absent record. {@code Won} only once the claim is durable: a
   * commit that came with a warning, or whose acknowledgement never came, is not. After {@link
   * StoreUnavailable} the claim may or may not be there: the store withdraws it by its claim id
   * when it can, and nothing may be sent.
   */
  Future<ClaimOutcome> claim(Claim claim);

  /** Stores the terminal outcome under the token. Safe to repeat after a failure. */
  Future<SettleOutcome> complete(RecordId id, FencingToken token, StoredAnswer answer);

  /** Gives the key back under the token. Safe to repeat: {@code Gone} then also means done. */
  Future<SettleOutcome> release(RecordId id, FencingToken token);

  /**
   * Says under the token that the outcome cannot be told. Safe to repeat.
   *
   * @param reason a few words for the people who will have to find out
   */
  Future<SettleOutcome> markUnknown(RecordId id, FencingToken token, String reason);

  /** Extends leases, each under its token; one outcome per renewal, in order. */
  Future<List<RenewOutcome>> renew(List<Renewal> renewals);

  /** The record as it is now; a lapsed claim reads as unknown, a stranger as empty. */
  Future<Optional<IdempotencyRecord>> read(RecordId id);

  /**
   * Whether a claim still stands: claimed under that token, its lease not lapsed. Cheap, for those
   * who wait for the end of somebody else's claim; whoever gets {@code false} reads the record.
   */
  Future<Boolean> standing(RecordId id, FencingToken token);

  /**
   * Adds to a record's timeline what is not a change of the record: a late owner was refused. Best
   * effort: nobody waits for it, and it is lost where the store cannot be reached.
   */
  void note(RecordId id, String tenant, FencingToken token, Note note);

  /** One lease to extend by {@code ttl} from now. */
  record Renewal(RecordId id, FencingToken token, Duration ttl) {}

  /** Out of reach, read-only, full, too slow, or its answer was lost: nothing may be concluded. */
  final class StoreUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreUnavailable(String what, Throwable cause) {
      super(what, cause);
    }

    public StoreUnavailable(String what) {
      super(what);
    }
  }

  /** A row that cannot be read: never served, never executed (contract §10). */
  final class RecordDamaged extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RecordDamaged(String what) {
      super(what);
    }
  }
}
