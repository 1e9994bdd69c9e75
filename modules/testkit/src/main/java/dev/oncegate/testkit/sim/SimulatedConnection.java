package dev.oncegate.testkit.sim;

import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.RenewOutcome;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.TimelineEntry.Note;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.testkit.sim.SimulatedDatabase.Cause;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A process's way to the database, as the real adapter is: a claim whose answer does not come is
 * asked again under the same claim id, and withdrawn where it cannot be told in time.
 */
final class SimulatedConnection implements RecordStore {
  private static final long MILLI = 1_000_000L;

  /** How long a statement may take; then the client is told. */
  static final long PATIENCE = 2_000 * MILLI;

  private static final long CLAIM_ONCE = 500 * MILLI;
  private static final long PAUSE = 50 * MILLI;
  private static final long SECOND_LOOK = 3_000 * MILLI;
  private static final int MOST_WITHDRAWALS = 8;

  private final World world;
  private final Incarnation process;

  SimulatedConnection(World world, Incarnation process) {
    this.world = world;
    this.process = process;
  }

  <T> Future<T> ask(String name, long token, Supplier<Future<T>> statement) {
    return world.database.ask(process, new Cause(name, token), statement, PATIENCE);
  }

  private RecordStore server() {
    return world.database.store();
  }

  @Override
  public Future<ClaimOutcome> claim(Claim claim) {
    Promise<ClaimOutcome> told = Promise.promise();
    tryClaim(claim, process.nanos() + PATIENCE, told);
    return told.future();
  }

  private void tryClaim(Claim claim, long deadline, Promise<ClaimOutcome> told) {
    Attempt attempt = ((Attempt.Matcher) claim.matcher()).attempt();
    long left = deadline - process.nanos();
    if (left < PAUSE) {
      world.trace("claim is given up", process.node.index, attempt);
      withdraw(claim, 0);
      told.fail(new StoreUnavailable("the claim could not be told in time"));
      return;
    }
    Supplier<Future<ClaimOutcome>> statement =
        () -> {
          Future<ClaimOutcome> outcome =
              world.database.checks().claim(attempt, claim, () -> server().claim(claim));
          if (told.future().failed()) {
            world.saw(Rare.CLAIM_APPLIED_AFTER_IT_WAS_GIVEN_UP);
          }
          return outcome;
        };
    world
        .database
        .ask(process, new Cause("claim", Attempt.NONE), statement, Math.min(left, CLAIM_ONCE))
        .onComplete(
            asked -> {
              if (asked.succeeded()) {
                learned(attempt, asked.result());
                told.complete(asked.result());
              } else if (asked.cause() instanceof StoreUnavailable) {
                process.afterNanos(PAUSE, () -> tryClaim(claim, deadline, told));
              } else {
                told.fail(asked.cause());
              }
            });
  }

  private static void learned(Attempt attempt, ClaimOutcome outcome) {
    if (outcome instanceof ClaimOutcome.Won won) {
      attempt.held = won.token().value();
      attempt.learned(attempt.held);
    } else if (outcome instanceof ClaimOutcome.InFlight met) {
      attempt.learned(met.record().facts().token().value());
      attempt.met(met.record().facts().token().value());
    }
  }

  /** Takes back what may have been written though nobody was told; nothing depends on it. */
  private void withdraw(Claim claim, int tries) {
    ask("withdraw", Attempt.NONE, () -> withdrawn(claim))
        .onComplete(
            found -> {
              if (tries < MOST_WITHDRAWALS && !(found.succeeded() && found.result())) {
                long wait = found.succeeded() ? SECOND_LOOK : PAUSE << tries;
                int next = found.succeeded() ? MOST_WITHDRAWALS : tries + 1;
                process.afterNanos(wait, () -> withdraw(claim, next));
              }
            });
  }

  private Future<Boolean> withdrawn(Claim claim) {
    IdempotencyRecord there = server().read(claim.id()).result().orElse(null);
    boolean open = there instanceof Claimed || there instanceof Unknown;
    if (there == null || !open || !there.facts().claimId().equals(claim.claimId())) {
      return Future.succeededFuture(false);
    }
    world.saw(Rare.CLAIM_WITHDRAWN);
    return server().release(claim.id(), there.facts().token()).map(true);
  }

  @Override
  public Future<SettleOutcome> complete(RecordId id, FencingToken token, StoredAnswer answer) {
    return ask("complete", token.value(), () -> server().complete(id, token, answer));
  }

  @Override
  public Future<SettleOutcome> release(RecordId id, FencingToken token) {
    return ask("release", token.value(), () -> server().release(id, token));
  }

  @Override
  public Future<SettleOutcome> markUnknown(RecordId id, FencingToken token, String reason) {
    return ask("mark unknown", token.value(), () -> server().markUnknown(id, token, reason));
  }

  @Override
  public Future<List<RenewOutcome>> renew(List<Renewal> renewals) {
    return ask("renew", Attempt.NONE, () -> server().renew(renewals))
        .onSuccess(
            outcomes -> {
              for (int i = 0; i < outcomes.size(); i++) {
                if (outcomes.get(i) instanceof RenewOutcome.Fenced) {
                  world.waiting().fenced(renewals.get(i).id(), renewals.get(i).token());
                }
              }
            });
  }

  @Override
  public Future<Optional<IdempotencyRecord>> read(RecordId id) {
    return ask("read", Attempt.NONE, () -> server().read(id));
  }

  @Override
  public Future<Boolean> standing(RecordId id, FencingToken token) {
    return ask("standing", token.value(), () -> server().standing(id, token));
  }

  @Override
  public void note(RecordId id, String tenant, FencingToken token, Note note) {
    ask(
        "note",
        token.value(),
        () -> {
          server().note(id, tenant, token, note);
          return Future.succeededFuture();
        });
  }
}
