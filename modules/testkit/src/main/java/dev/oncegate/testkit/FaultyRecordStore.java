package dev.oncegate.testkit;

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
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** A store that fails or stalls on command, before or after the write has happened. */
public final class FaultyRecordStore implements RecordStore {
  private final RecordStore real;
  private final Map<Operation, Fault> faults = new EnumMap<>(Operation.class);
  private final Deque<Held> held = new ArrayDeque<>();
  private final List<Operation> calls = new ArrayList<>();

  public FaultyRecordStore(RecordStore real) {
    this.real = real;
  }

  /** What can be made to fail. */
  public enum Operation {
    CLAIM,
    COMPLETE,
    RELEASE,
    MARK_UNKNOWN,
    RENEW,
    READ,
    STANDING
  }

  /** How it fails, until {@link #heal}. */
  public enum Fault {
    /** Nothing is written, the caller learns that. */
    DOWN,
    /** The write happens, its acknowledgement is lost. */
    ACKNOWLEDGEMENT_LOST,
    /** The write happens, the answer waits for {@link #letGo}. */
    HELD,
    /** The row cannot be read. */
    DAMAGED
  }

  public void fault(Operation operation, Fault fault) {
    faults.put(operation, fault);
  }

  /** From now on all is well; what is held stays held. */
  public void heal() {
    faults.clear();
  }

  private record Held(Runnable answer, Runnable fail) {}

  /** Gives the held answers, oldest first. */
  public void letGo() {
    while (!held.isEmpty()) {
      held.remove().answer.run();
    }
  }

  /** Lets the held answers get lost, oldest first. */
  public void failHeld() {
    while (!held.isEmpty()) {
      held.remove().fail.run();
    }
  }

  /** How often anything was asked for. */
  public int calls() {
    return calls.size();
  }

  /** How often an operation was asked for. */
  public long calls(Operation operation) {
    return calls.stream().filter(operation::equals).count();
  }

  @Override
  public Future<ClaimOutcome> claim(Claim claim) {
    return call(Operation.CLAIM, () -> real.claim(claim));
  }

  @Override
  public Future<SettleOutcome> complete(RecordId id, FencingToken token, StoredAnswer answer) {
    return call(Operation.COMPLETE, () -> real.complete(id, token, answer));
  }

  @Override
  public Future<SettleOutcome> release(RecordId id, FencingToken token) {
    return call(Operation.RELEASE, () -> real.release(id, token));
  }

  @Override
  public Future<SettleOutcome> markUnknown(RecordId id, FencingToken token, String reason) {
    return call(Operation.MARK_UNKNOWN, () -> real.markUnknown(id, token, reason));
  }

  @Override
  public Future<List<RenewOutcome>> renew(List<Renewal> renewals) {
    return call(Operation.RENEW, () -> real.renew(renewals));
  }

  @Override
  public Future<Optional<IdempotencyRecord>> read(RecordId id) {
    return call(Operation.READ, () -> real.read(id));
  }

  @Override
  public Future<Boolean> standing(RecordId id, FencingToken token) {
    return call(Operation.STANDING, () -> real.standing(id, token));
  }

  @Override
  public void note(RecordId id, String tenant, FencingToken token, Note note) {
    if (faults.isEmpty()) {
      real.note(id, tenant, token, note);
    }
  }

  private <T> Future<T> call(Operation operation, Supplier<Future<T>> write) {
    calls.add(operation);
    Fault fault = faults.get(operation);
    if (fault == null) {
      return write.get();
    }
    return switch (fault) {
      case DOWN -> Future.failedFuture(new StoreUnavailable("the test took the store down"));
      case DAMAGED -> Future.failedFuture(new RecordDamaged("the test damaged the row"));
      case ACKNOWLEDGEMENT_LOST ->
          write
              .get()
              .compose(lost -> Future.failedFuture(new StoreUnavailable("acknowledgement lost")));
      case HELD -> {
        Promise<T> later = Promise.promise();
        Future<T> done = write.get();
        held.add(
            new Held(
                () -> done.onComplete(later),
                () -> later.fail(new StoreUnavailable("the test lost the answer"))));
        yield later.future();
      }
    };
  }
}
