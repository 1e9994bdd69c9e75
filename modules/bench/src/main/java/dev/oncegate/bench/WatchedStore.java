package dev.oncegate.bench;

import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.RenewOutcome;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.TimelineEntry.Note;
import dev.oncegate.engine.port.RecordStore;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A store that counts what it is asked, and notes when it acknowledged a completion. */
final class WatchedStore implements RecordStore {
  private final RecordStore real;
  private final ConcurrentHashMap<RecordId, Long> committed = new ConcurrentHashMap<>();
  private final AtomicLong claims = new AtomicLong();
  private final AtomicLong standings = new AtomicLong();
  private final AtomicLong reads = new AtomicLong();

  WatchedStore(RecordStore real) {
    this.real = real;
  }

  /**
   * What waiting asks a store for. Each is a statement of its own unless it shares one with others
   * that were asked for at the same time.
   *
   * @param claims also those that were won
   * @param standings first looks, and polls
   */
  record Asked(long claims, long standings, long reads) {
    Asked minus(Asked before) {
      return new Asked(claims - before.claims, standings - before.standings, reads - before.reads);
    }
  }

  Asked asked() {
    return new Asked(claims.get(), standings.get(), reads.get());
  }

  /** Monotonic time of the acknowledgement, of which nobody had been told; told once. */
  Optional<Long> takeCommit(RecordId id) {
    return Optional.ofNullable(committed.remove(id));
  }

  @Override
  public Future<ClaimOutcome> claim(Claim claim) {
    claims.incrementAndGet();
    return real.claim(claim);
  }

  @Override
  public Future<SettleOutcome> complete(RecordId id, FencingToken token, StoredAnswer answer) {
    return real.complete(id, token, answer)
        .onSuccess(acknowledged -> committed.put(id, System.nanoTime()));
  }

  @Override
  public Future<SettleOutcome> release(RecordId id, FencingToken token) {
    return real.release(id, token);
  }

  @Override
  public Future<SettleOutcome> markUnknown(RecordId id, FencingToken token, String reason) {
    return real.markUnknown(id, token, reason);
  }

  @Override
  public Future<List<RenewOutcome>> renew(List<Renewal> renewals) {
    return real.renew(renewals);
  }

  @Override
  public Future<Optional<IdempotencyRecord>> read(RecordId id) {
    reads.incrementAndGet();
    return real.read(id);
  }

  @Override
  public Future<Boolean> standing(RecordId id, FencingToken token) {
    standings.incrementAndGet();
    return real.standing(id, token);
  }

  @Override
  public void note(RecordId id, String tenant, FencingToken token, Note note) {
    real.note(id, tenant, token, note);
  }
}
