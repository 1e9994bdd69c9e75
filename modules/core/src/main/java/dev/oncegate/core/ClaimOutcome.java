package dev.oncegate.core;

import java.time.Duration;
import java.time.Instant;

/** What the one atomic claim found. All of these are expected; none is an error of the store. */
public sealed interface ClaimOutcome {
  /**
   * This request is the winner and its claim is durable.
   *
   * @param deadline the retry deadline to publish while claimed
   */
  record Won(FencingToken token, Instant leaseUntil, Instant deadline) implements ClaimOutcome {}

  /** The stored outcome is to be given again. */
  record Replay(IdempotencyRecord.Completed record) implements ClaimOutcome {}

  /**
   * A winner holds an unlapsed lease.
   *
   * @param running how long ago it claimed, by the database's clock
   */
  record InFlight(IdempotencyRecord.Claimed record, Duration running) implements ClaimOutcome {}

  /** The key belongs to another payload; said first, in every state. */
  record Mismatch(IdempotencyRecord record) implements ClaimOutcome {}

  /** The winner's outcome cannot be told. */
  record OutcomeUnknown(IdempotencyRecord.Unknown record) implements ClaimOutcome {}

  /** Past the retry deadline, within the tombstone. */
  record DeadlinePassed(IdempotencyRecord.Expired record) implements ClaimOutcome {}
}
