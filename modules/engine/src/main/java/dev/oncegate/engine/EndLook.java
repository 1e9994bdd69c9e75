package dev.oncegate.engine;

import dev.oncegate.core.ClaimFacts;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.engine.port.EngineEvents.WokenBy;
import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.RecordStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks for the end of a claim in its record, for a group that was woken, and acts on it. */
final class EndLook {
  private final Parking parking;
  private final WaiterGroup group;
  private @Nullable Future<Void> underWay;
  private boolean again;
  private Hint.@Nullable Released said;

  EndLook(Parking parking, WaiterGroup group) {
    this.parking = parking;
    this.group = group;
  }

  boolean isUnderWay() {
    return underWay != null;
  }

  /**
   * Reads the record and acts on what it says.
   *
   * @param released what was said of the winner's answer, for the case that the row agrees
   * @return when it has been acted on; never fails
   */
  Future<Void> look(WokenBy by, Optional<Hint.Released> released) {
    released.ifPresent(hint -> said = hint);
    Future<Void> earlier = underWay;
    if (earlier != null) {
      // It may have looked too early.
      again = true;
      return earlier;
    }
    // Whoever comes from now on asks the store: there may be nothing left to wait for.
    parking.forget(group);
    Promise<Void> looked = Promise.promise();
    underWay = looked.future();
    parking
        .store()
        .read(group.subject().id())
        .onComplete(
            read -> {
              underWay = null;
              if (read.succeeded()) {
                seen(read.result(), by);
              } else {
                unseen(read.cause(), by);
              }
              looked.complete();
            });
    return looked.future();
  }

  private void seen(Optional<IdempotencyRecord> found, WokenBy by) {
    if (group.hasEnded()) {
      return;
    }
    Optional<IdempotencyRecord> same = found.filter(this::isOurs);
    if (same.isEmpty()) {
      gone(by);
    } else if (same.get() instanceof IdempotencyRecord.Claimed) {
      goOn(by);
    } else {
      Answer answer = parking.answers().of(group.subject(), same.get());
      group.answerAll(() -> answer, by);
    }
  }

  /**
   * The claim that was waited for; or what a later claim of the same request has stored, since the
   * stored answer is the stored answer.
   */
  private boolean isOurs(IdempotencyRecord record) {
    ClaimFacts now = record.facts();
    ClaimFacts then = group.claim().facts();
    return now.token().equals(then.token())
        || (record instanceof IdempotencyRecord.Completed
            && now.fingerprint().equals(then.fingerprint())
            && now.policy().equals(then.policy())
            && now.secretId().equals(then.secretId()));
  }

  /**
   * Absent, or under another token: it was released. Only a claim that could have been completed,
   * expired and forgotten meanwhile may have ended otherwise.
   */
  private void gone(WokenBy by) {
    ClaimFacts facts = group.claim().facts();
    Duration shortestLife = facts.retention().plus(facts.tombstone());
    if (group.running().compareTo(shortestLife) >= 0) {
      group.answerAll(group::inFlight, by);
    } else {
      group.released(Optional.ofNullable(said), by);
    }
  }

  private void goOn(WokenBy by) {
    parking.keep(group);
    if (again) {
      again = false;
      look(by, Optional.empty());
    }
  }

  /** The store is asked again at the next poll; a row that cannot be read is an end. */
  private void unseen(Throwable failure, WokenBy by) {
    if (group.hasEnded()) {
      return;
    }
    if (failure instanceof RecordStore.StoreUnavailable) {
      parking.unreadable(failure);
      goOn(by);
      return;
    }
    Answer answer = parking.refusal(group.subject(), failure);
    group.answerAll(() -> answer, by);
  }
}
