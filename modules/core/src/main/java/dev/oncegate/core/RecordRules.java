package dev.oncegate.core;

import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Expired;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of a record: (record, command, database time) → decision. Pure, so that the
 * same rules run in production (a store maps its row through them), in the in-memory store and as
 * the oracle against which the SQL is tested.
 *
 * <p>Three things make at-most-once hold, and each is one line below. A claim wins only where there
 * is no record, or where deadline <em>and</em> tombstone have passed. A lapsed claim is never taken
 * over: it becomes unknown, because its owner may have sent the request and died. Every write after
 * the claim names the fencing token, so an owner that slept through its lease cannot overwrite what
 * came after it (reliability S1, S2, S7).
 *
 * <p>The fingerprint is compared first in every state (S13). Expiry is judged here, at read, by the
 * database's clock; sweeping only makes it physical.
 */
public final class RecordRules {
  private RecordRules() {}

  /** Lets go of a record ({@code next == null}), keeps it, or changes it. */
  public record Decision<T>(T outcome, @Nullable IdempotencyRecord next) {}

  /**
   * A request asks for the right to execute.
   *
   * @param token the next fencing token, used only if the claim wins; greater than any before
   */
  public static Decision<ClaimOutcome> claim(
      @Nullable IdempotencyRecord current, Claim claim, FencingToken token, Instant now) {
    IdempotencyRecord live = aged(current, now);
    if (live == null) {
      return won(claim, token, now);
    }
    ClaimFacts facts = live.facts();
    BrokenInvariant.require(facts.id().equals(claim.id()), "a claim met another key's record");
    BrokenInvariant.require(
        facts.token().compareTo(token) < 0 || facts.claimId().equals(claim.claimId()),
        "a new token is not greater than the record's");
    if (live instanceof Claimed mine && facts.claimId().equals(claim.claimId())) {
      // Its acknowledgement was lost and it was asked again: the first answer still holds.
      return new Decision<>(
          new ClaimOutcome.Won(facts.token(), mine.leaseUntil(), mine.publishedDeadline()), live);
    }
    if (!claim.matcher().matches(facts)) {
      return new Decision<>(new ClaimOutcome.Mismatch(live), live);
    }
    return new Decision<>(met(live, now), live);
  }

  private static ClaimOutcome met(IdempotencyRecord live, Instant now) {
    if (live instanceof Claimed claimed) {
      return new ClaimOutcome.InFlight(claimed, Duration.between(claimed.facts().claimedAt(), now));
    } else if (live instanceof Unknown unknown) {
      return new ClaimOutcome.OutcomeUnknown(unknown);
    } else if (live instanceof Completed completed) {
      return new ClaimOutcome.Replay(completed);
    } else if (live instanceof Expired expired) {
      return new ClaimOutcome.DeadlinePassed(expired);
    }
    throw new BrokenInvariant("no such state: " + live.getClass());
  }

  private static Decision<ClaimOutcome> won(Claim claim, FencingToken token, Instant now) {
    ClaimFacts facts = claim.facts(token, now);
    Claimed next = new Claimed(facts, now.plus(claim.leaseTtl()));
    return new Decision<>(
        new ClaimOutcome.Won(token, next.leaseUntil(), next.publishedDeadline()), next);
  }

  /**
   * What the record is at {@code now}: a lapsed claim is unknown, a completed record past its
   * deadline is expired, and one past its tombstone is no record. A lapsed claim turns unknown at
   * the moment of its lapse, whoever notices it when.
   */
  public static @Nullable IdempotencyRecord aged(@Nullable IdempotencyRecord record, Instant now) {
    if (record instanceof Claimed claimed && !now.isBefore(claimed.leaseUntil())) {
      return new Unknown(claimed.facts(), claimed.leaseUntil());
    } else if (record instanceof Completed completed
        && !now.isBefore(completed.publishedDeadline())) {
      return now.isBefore(completed.tombstoneUntil())
          ? new Expired(completed.facts(), completed.completedAt())
          : null;
    } else if (record instanceof Expired expired && !now.isBefore(expired.tombstoneUntil())) {
      return null;
    }
    return record;
  }

  /**
   * The owner stores a terminal outcome: from claimed, also from a lapsed or unknown record while
   * its token is current, since an answer that was truly received is the truth. Repeating a
   * completion that an earlier try had done is done.
   */
  public static Decision<SettleOutcome> complete(
      @Nullable IdempotencyRecord current, FencingToken token, StoredAnswer answer, Instant now) {
    if (current == null) {
      return new Decision<>(new SettleOutcome.Gone(), null);
    }
    if (!current.facts().token().equals(token)) {
      return new Decision<>(new SettleOutcome.Fenced(), current);
    }
    if (current instanceof Claimed || current instanceof Unknown) {
      Completed next = new Completed(current.facts(), answer, now, false);
      return new Decision<>(new SettleOutcome.Done(next.publishedDeadline()), next);
    }
    if (current instanceof Completed done && done.answer().digest().equals(answer.digest())) {
      return new Decision<>(new SettleOutcome.Done(done.publishedDeadline()), current);
    }
    return new Decision<>(new SettleOutcome.Fenced(), current);
  }

  /** The owner gives the key back: surely not executed, or a transient answer was received. */
  public static Decision<SettleOutcome> release(
      @Nullable IdempotencyRecord current, FencingToken token) {
    if (current == null) {
      return new Decision<>(new SettleOutcome.Gone(), null);
    }
    boolean mine = current.facts().token().equals(token);
    if (mine && (current instanceof Claimed || current instanceof Unknown)) {
      return new Decision<>(new SettleOutcome.Done(null), null);
    }
    return new Decision<>(new SettleOutcome.Fenced(), current);
  }

  /** The owner says that its outcome cannot be told. Repeating it is done. The token stays. */
  public static Decision<SettleOutcome> markUnknown(
      @Nullable IdempotencyRecord current, FencingToken token, Instant now) {
    if (current == null) {
      return new Decision<>(new SettleOutcome.Gone(), null);
    }
    boolean mine = current.facts().token().equals(token);
    if (mine && current instanceof Claimed) {
      return new Decision<>(new SettleOutcome.Done(null), new Unknown(current.facts(), now));
    }
    if (mine && current instanceof Unknown) {
      return new Decision<>(new SettleOutcome.Done(null), current);
    }
    return new Decision<>(new SettleOutcome.Fenced(), current);
  }

  /**
   * A verdict settles an unknown record under its token: of verdict and late owner the first wins,
   * and the other one finds nothing to change (S7). A lapsed claim that nobody has written down yet
   * is unknown already.
   */
  public static Decision<ResolveOutcome> resolve(
      @Nullable IdempotencyRecord current, FencingToken token, Verdict verdict, Instant now) {
    IdempotencyRecord live = aged(current, now);
    if (!(live instanceof Unknown unknown) || !unknown.facts().token().equals(token)) {
      return new Decision<>(new ResolveOutcome.Stale(), current);
    }
    if (verdict instanceof Verdict.Applied applied) {
      Completed next = new Completed(unknown.facts(), applied.answer(), now, true);
      return new Decision<>(new ResolveOutcome.Resolved(next.publishedDeadline()), next);
    } else if (verdict instanceof Verdict.NotApplied notApplied) {
      Instant until = unknown.since().plus(notApplied.quarantine());
      return notApplied.askedAt().isBefore(until)
          ? new Decision<>(new ResolveOutcome.Quarantined(until), unknown)
          : new Decision<>(new ResolveOutcome.Resolved(null), null);
    } else if (verdict instanceof Verdict.Undecided) {
      return new Decision<>(new ResolveOutcome.Resolved(null), unknown);
    }
    throw new BrokenInvariant("no such verdict: " + verdict.getClass());
  }

  /** The owner extends its lease. A lapsed lease is not revived, even if nobody has noticed yet. */
  public static Decision<RenewOutcome> renew(
      @Nullable IdempotencyRecord current, FencingToken token, Duration ttl, Instant now) {
    if (aged(current, now) instanceof Claimed live && live.facts().token().equals(token)) {
      Instant until = now.plus(ttl);
      Instant later = until.isAfter(live.leaseUntil()) ? until : live.leaseUntil();
      return new Decision<>(new RenewOutcome.Renewed(later), new Claimed(live.facts(), later));
    }
    return new Decision<>(new RenewOutcome.Fenced(), current);
  }
}
