package dev.oncegate.testkit.sim;

import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Expired;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.ResolveOutcome;
import dev.oncegate.core.TimelineEntry.Note;
import dev.oncegate.core.Verdict;
import dev.oncegate.engine.port.RecordUpkeep.Book;
import dev.oncegate.engine.port.RecordUpkeep.Due;
import dev.oncegate.testkit.sim.SimulatedDatabase.Cause;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every row before and after every statement, with a reading of its own of what time does
 * to a record: were it the engine's, both would be wrong together.
 */
final class RecordChecks {
  private final World world;
  private final RowChecks rows;

  RecordChecks(World world) {
    this.world = world;
    this.rows = new RowChecks(world);
  }

  /** What a record is by the database's clock. */
  enum Now {
    ABSENT,
    CLAIMED,
    UNKNOWN,
    COMPLETED,
    EXPIRED
  }

  static Now now(Plan.Operation operation, @Nullable IdempotencyRecord row, Instant clock) {
    if (row instanceof Claimed claimed) {
      return clock.isBefore(claimed.leaseUntil()) ? Now.CLAIMED : Now.UNKNOWN;
    } else if (row instanceof Unknown) {
      return Now.UNKNOWN;
    } else if (row instanceof Completed completed) {
      return aged(operation, completed.completedAt(), clock);
    } else if (row instanceof Expired expired) {
      return aged(operation, expired.completedAt(), clock);
    }
    return Now.ABSENT;
  }

  /** By the policy and not by the record: a claim that promises less than its route is caught. */
  private static Now aged(Plan.Operation operation, Instant completedAt, Instant clock) {
    Instant deadline = completedAt.plus(operation.retention());
    if (clock.isBefore(deadline)) {
      return Now.COMPLETED;
    }
    return clock.isBefore(deadline.plus(operation.tombstone())) ? Now.EXPIRED : Now.ABSENT;
  }

  /** After every statement. */
  void after(SimulatedNode node, Cause cause) {
    boolean changed = false;
    for (KeyLife life : world.lives()) {
      IdempotencyRecord row = world.database.row(life.operation);
      if (row != life.row) {
        changed = true;
        world.trace.add(
            world.agenda.now(),
            row == null ? "record is gone" : row.getClass().getSimpleName(),
            node.index,
            life.operation.index(),
            row == null ? cause.token() : row.facts().token().value());
        rows.changed(life, row, cause, world.database.clock());
        life.row = row;
      }
    }
    if (changed) {
      balance();
    }
  }

  /** The store counts in the same statement, so that its books balance after each. */
  private void balance() {
    for (Book book : world.database.reader().books().result()) {
      world.inside(
          book.imbalance() == 0,
          "C13",
          "the books of " + book.tenant() + " differ by " + book.imbalance());
    }
  }

  /** A claim is applied: what it says must be what its key was. */
  Future<ClaimOutcome> claim(
      Attempt attempt, Claim claim, Supplier<Future<ClaimOutcome>> statement) {
    KeyLife life = world.life(attempt.operation);
    IdempotencyRecord before = world.database.row(attempt.operation);
    Now was = now(attempt.operation, before, world.database.clock());
    Future<ClaimOutcome> applied = statement.get();
    ClaimOutcome outcome = applied.result();
    if (outcome == null) {
      return applied;
    }
    boolean mine =
        was == Now.CLAIMED && before != null && before.facts().claimId().equals(claim.claimId());
    if (outcome instanceof ClaimOutcome.Won won) {
      world.inside(was == Now.ABSENT || mine, "S2", "a claim won where there was a record, " + was);
      if (mine) {
        world.saw(Rare.LOST_ACKNOWLEDGEMENT_FOUND_MINE);
      } else {
        life.tokens.put(won.token().value(), new KeyLife.Won(attempt, life.epoch));
      }
      return applied;
    }
    boolean other =
        was != Now.ABSENT
            && before != null
            && !before.facts().fingerprint().equals(claim.fingerprint());
    world.inside(
        other == outcome instanceof ClaimOutcome.Mismatch,
        "S13",
        "the fingerprints "
            + (other ? "differ" : "are equal")
            + ", the claim says "
            + said(outcome));
    if (other) {
      countMismatch(was);
    } else {
      world.inside(fits(was, outcome), "S7", "a record that is " + was + " says " + said(outcome));
    }
    if (outcome instanceof ClaimOutcome.DeadlinePassed) {
      world.saw(Rare.TOMBSTONE_REFUSED);
    }
    return applied;
  }

  private static boolean fits(Now was, ClaimOutcome outcome) {
    return switch (was) {
      case ABSENT -> false;
      case CLAIMED -> outcome instanceof ClaimOutcome.InFlight;
      case UNKNOWN -> outcome instanceof ClaimOutcome.OutcomeUnknown;
      case COMPLETED -> outcome instanceof ClaimOutcome.Replay;
      case EXPIRED -> outcome instanceof ClaimOutcome.DeadlinePassed;
    };
  }

  private void countMismatch(Now was) {
    switch (was) {
      case CLAIMED -> world.saw(Rare.MISMATCH_WHILE_CLAIMED);
      case UNKNOWN -> world.saw(Rare.MISMATCH_WHILE_UNKNOWN);
      case COMPLETED, EXPIRED -> world.saw(Rare.MISMATCH_AFTER_COMPLETION);
      case ABSENT -> {}
    }
  }

  private static String said(ClaimOutcome outcome) {
    return outcome.getClass().getSimpleName();
  }

  /** Records were taken to be asked about: each is unknown, and that is committed (S11). */
  void taken(List<Due> taken) {
    for (Due due : taken) {
      KeyLife life = life(due.record().facts().id());
      world.inside(
          world.database.row(life.operation) instanceof Unknown,
          "S11",
          "a record is asked about that is not yet unknown");
    }
  }

  /** A verdict is applied: counted by what it led to. */
  Future<ResolveOutcome> verdict(
      RecordId id,
      long token,
      Verdict verdict,
      List<Note> notes,
      Supplier<Future<ResolveOutcome>> statement) {
    KeyLife.Won won = life(id).tokens.get(token);
    boolean swept = won != null && won.swept;
    String by = notes.isEmpty() ? "reconciler" : notes.get(0).by();
    Future<ResolveOutcome> applied = statement.get();
    ResolveOutcome outcome = applied.result();
    if (outcome instanceof ResolveOutcome.Quarantined && by.equals(Person.NAME)) {
      world.saw(Rare.PERSON_QUARANTINED);
    }
    if (!(outcome instanceof ResolveOutcome.Resolved)) {
      return applied;
    }
    if (by.equals("policy")) {
      world.saw(Rare.RELEASED_BY_POLICY);
    } else if (by.equals(Person.NAME)) {
      world.saw(Rare.RESOLVED_BY_PERSON);
    }
    if (swept && verdict instanceof Verdict.Applied) {
      world.saw(Rare.SWEPT_THEN_APPLIED);
    } else if (swept && verdict instanceof Verdict.NotApplied) {
      world.saw(Rare.SWEPT_THEN_NOT_APPLIED);
    } else if (swept) {
      world.saw(Rare.SWEPT_AND_STAYS);
    }
    if (notes.stream().anyMatch(note -> note.text().startsWith("not applied, asked within"))) {
      world.saw(Rare.NOT_APPLIED_WITHIN_QUARANTINE);
    }
    return applied;
  }

  private KeyLife life(RecordId id) {
    return world.life(id);
  }
}
