package dev.oncegate.testkit.sim;

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

/** A store that does as another: mutations change one method of it. */
class ForwardingStore implements RecordStore {
  private final RecordStore real;

  ForwardingStore(RecordStore real) {
    this.real = real;
  }

  @Override
  public Future<ClaimOutcome> claim(Claim claim) {
    return real.claim(claim);
  }

  @Override
  public Future<SettleOutcome> complete(RecordId id, FencingToken token, StoredAnswer answer) {
    return real.complete(id, token, answer);
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
    return real.read(id);
  }

  @Override
  public Future<Boolean> standing(RecordId id, FencingToken token) {
    return real.standing(id, token);
  }

  @Override
  public void note(RecordId id, String tenant, FencingToken token, Note note) {
    real.note(id, tenant, token, note);
  }
}
