package dev.oncegate.gateway.http;

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
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A store of which every statement takes a while. */
record SlowStore(Vertx vertx, RecordStore store, long millis) implements RecordStore {
  static RecordStore around(Vertx vertx, RecordStore store, long millis) {
    return new SlowStore(vertx, store, millis);
  }

  @Override
  public Future<ClaimOutcome> claim(Claim claim) {
    return slowly(() -> store.claim(claim));
  }

  @Override
  public Future<SettleOutcome> complete(RecordId id, FencingToken token, StoredAnswer answer) {
    return slowly(() -> store.complete(id, token, answer));
  }

  @Override
  public Future<SettleOutcome> release(RecordId id, FencingToken token) {
    return slowly(() -> store.release(id, token));
  }

  @Override
  public Future<SettleOutcome> markUnknown(RecordId id, FencingToken token, String reason) {
    return slowly(() -> store.markUnknown(id, token, reason));
  }

  @Override
  public Future<List<RenewOutcome>> renew(List<Renewal> renewals) {
    return slowly(() -> store.renew(renewals));
  }

  @Override
  public Future<Optional<IdempotencyRecord>> read(RecordId id) {
    return slowly(() -> store.read(id));
  }

  @Override
  public Future<Boolean> standing(RecordId id, FencingToken token) {
    return slowly(() -> store.standing(id, token));
  }

  @Override
  public void note(RecordId id, String tenant, FencingToken token, Note note) {
    store.note(id, tenant, token, note);
  }

  private <T> Future<T> slowly(Supplier<Future<T>> work) {
    return vertx.timer(millis, java.util.concurrent.TimeUnit.MILLISECONDS).compose(t -> work.get());
  }
}
