package dev.oncegate.bench;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome.Won;
import dev.oncegate.core.SettleOutcome.Done;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.testkit.Records;
import io.vertx.core.Future;

/** A claim of a new key and its completion: what a first execution costs the store. */
final class StoreLoad {
  private static final StoredAnswer ANSWER = Records.answer("{\"id\":\"ch_1\",\"amount\":100}");

  private final RecordStore store;

  StoreLoad(RecordStore store) {
    this.store = store;
  }

  Future<Void> execute() {
    Claim claim = Records.claim(Records.anyId());
    return store
        .claim(claim)
        .compose(
            outcome -> {
              BrokenInvariant.require(outcome instanceof Won, "a new key is won");
              return store.complete(claim.id(), ((Won) outcome).token(), ANSWER);
            })
        .map(
            outcome -> {
              BrokenInvariant.require(outcome instanceof Done, "its completion is done");
              return null;
            });
  }
}
