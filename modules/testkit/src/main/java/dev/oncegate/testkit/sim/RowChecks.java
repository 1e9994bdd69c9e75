package dev.oncegate.testkit.sim;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Expired;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.Reconciliation;
import dev.oncegate.core.StoredBody;
import dev.oncegate.testkit.sim.RecordChecks.Now;
import dev.oncegate.testkit.sim.SimulatedDatabase.Cause;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Whether a row may have become what it is now. */
final class RowChecks {
  private static final String TOKENS = "S7";

  private final World world;

  RowChecks(World world) {
    this.world = world;
  }

  /** A row has changed. */
  void changed(KeyLife life, @Nullable IdempotencyRecord after, Cause cause, Instant clock) {
    IdempotencyRecord before = life.row;
    if (before instanceof Claimed claim
        && !(after instanceof Claimed now && now.facts().token().equals(claim.facts().token()))) {
      life.ended.put(claim.facts().token().value(), world.agenda.now());
    }
    Now was = RecordChecks.now(life.operation, before, clock);
    if (after == null) {
      gone(life, before, was, cause);
    } else if (after instanceof Claimed claimed) {
      claimed(life, before, was, claimed, cause);
    } else if (after instanceof Unknown) {
      unknown(life, before, was, after, cause);
    } else if (after instanceof Completed completed) {
      completed(life, before, was, completed, cause);
    } else if (after instanceof Expired expired) {
      world.inside(
          before instanceof Completed done
              && was != Now.COMPLETED
              && done.facts().equals(expired.facts()),
          "S14",
          "a record expired that was " + was);
    }
  }

  private void gone(KeyLife life, @Nullable IdempotencyRecord before, Now was, Cause cause) {
    if (was == Now.ABSENT) {
      world.saw(Rare.KEY_BECAME_A_STRANGER);
      return;
    }
    boolean open = before instanceof Claimed || before instanceof Unknown;
    boolean settles =
        cause.name().equals("release")
            || cause.name().equals("resolve")
            || cause.name().equals("withdraw");
    world.inside(
        open && settles, "S14", "a record that was " + was + " is gone by " + cause.name());
    if (before != null && open) {
      released(life, before, cause);
    }
  }

  /** S12: no effect exists, and none can still appear. */
  private void released(KeyLife life, IdempotencyRecord before, Cause cause) {
    long token = before.facts().token().value();
    life.released.add(token);
    named(token, cause);
    KeyLife.Won won = life.tokens.get(token);
    if (won == null || won.attempt.held != token) {
      // Its owner never knew that it had won, and sent nothing under it.
      return;
    }
    world.inside(
        !cause.name().equals("withdraw"), TOKENS, "a claim was withdrawn that its owner holds");
    if (life.operation.way() == Reconciliation.Way.RELEASE) {
      return;
    }
    Attempt attempt = won.attempt;
    world.inside(!attempt.onItsWay, "S12", "released while its request may still arrive");
    world.inside(
        attempt.line == null || !attempt.line.effect(),
        "S12",
        "released though its effect is there");
  }

  private void claimed(
      KeyLife life, @Nullable IdempotencyRecord before, Now was, Claimed after, Cause cause) {
    if (was == Now.ABSENT) {
      won(life, after, cause);
      return;
    }
    boolean same = before != null && before.facts().equals(after.facts());
    world.inside(was == Now.CLAIMED || !same, TOKENS, "a lease was revived that had lapsed");
    world.inside(same, "S2", "a claim took over a record that was " + was);
    world.inside(
        cause.name().equals("renew")
            && before instanceof Claimed old
            && !after.leaseUntil().isBefore(old.leaseUntil()),
        TOKENS,
        "a lease became shorter, or was changed by " + cause.name());
  }

  private void won(KeyLife life, Claimed after, Cause cause) {
    long token = after.facts().token().value();
    world.inside(cause.name().equals("claim"), "S10", "a claim was made by " + cause.name());
    world.inside(token > life.greatest, TOKENS, "token " + token + " after token " + life.greatest);
    life.greatest = Math.max(life.greatest, token);
    Completed done = life.done;
    if (done == null) {
      return;
    }
    Instant over =
        done.completedAt().plus(life.operation.retention()).plus(life.operation.tombstone());
    boolean stranger = !after.facts().claimedAt().isBefore(over);
    world.inside(stranger, "S14", "a key was claimed before deadline and tombstone had passed");
    if (stranger) {
      life.done = null;
      life.epoch++;
      // The claim was told its epoch before its row was seen.
      KeyLife.Won won = life.tokens.get(token);
      if (won != null) {
        life.tokens.put(token, new KeyLife.Won(won.attempt, life.epoch));
      }
    }
  }

  private void unknown(
      KeyLife life,
      @Nullable IdempotencyRecord before,
      Now was,
      IdempotencyRecord after,
      Cause cause) {
    world.inside(
        before instanceof Claimed && before.facts().equals(after.facts()),
        TOKENS,
        "a record turned unknown that was " + was);
    long token = after.facts().token().value();
    if (cause.name().equals("mark unknown")) {
      named(token, cause);
      return;
    }
    world.inside(was == Now.UNKNOWN, TOKENS, "an unlapsed claim was moved by " + cause.name());
    KeyLife.Won won = life.tokens.get(token);
    if (won != null && cause.name().equals("lapse")) {
      won.swept = true;
    }
  }

  private void completed(
      KeyLife life, @Nullable IdempotencyRecord before, Now was, Completed after, Cause cause) {
    boolean open = before instanceof Claimed || before instanceof Unknown;
    world.inside(
        open && before != null && before.facts().equals(after.facts()),
        "S4",
        "a record was completed that was " + was);
    long token = after.facts().token().value();
    named(token, cause);
    world.inside(
        after.answer().status() < 500, "S3", "status " + after.answer().status() + " is stored");
    if (after.reconstructed()) {
      world.inside(
          cause.name().equals("resolve") && was == Now.UNKNOWN,
          "S3",
          "a verdict completed a record that was " + was);
      world.inside(
          world.upstream.ledger().effect(life.operation) != null,
          "S3",
          "reconstructed though there is no effect");
    } else {
      world.inside(cause.name().equals("complete"), "S3", "completed by " + cause.name());
      answered(life, token, after);
      if (was == Now.UNKNOWN) {
        world.saw(Rare.LATE_ANSWER_AFTER_UNKNOWN);
      }
      KeyLife.Won won = life.tokens.get(token);
      if (won != null && won.attempt.answered) {
        world.saw(Rare.LATE_ANSWER_STORED_AFTER_TOTAL);
      }
    }
    life.done = after;
    life.outcomes.add(after);
  }

  /** S3: what an owner stores is what the upstream answered to its own request. */
  private void answered(KeyLife life, long token, Completed after) {
    KeyLife.Won won = life.tokens.get(token);
    Ledger.Line line = won == null ? null : won.attempt.line;
    world.inside(
        line != null
            && line.status() == after.answer().status()
            && (body(after) == null || keeps(after, line.body())),
        "S3",
        "stored is not what the upstream answered");
  }

  /** The stored body; null where it was not kept. Nothing is sealed in a simulated world. */
  static @Nullable Bytes body(Completed completed) {
    StoredBody body = completed.answer().body();
    if (body instanceof StoredBody.Inline inline) {
      return inline.bytes();
    } else if (body instanceof StoredBody.ByReference reference) {
      return reference.bytes();
    }
    return null;
  }

  static boolean keeps(Completed completed, Bytes body) {
    Bytes stored = body(completed);
    return stored != null && stored.equals(body);
  }

  private void named(long token, Cause cause) {
    boolean byClaimId = cause.name().equals("withdraw");
    world.inside(
        byClaimId || cause.token() == token,
        TOKENS,
        cause.name() + " under token " + cause.token() + " changed a record of token " + token);
  }
}
