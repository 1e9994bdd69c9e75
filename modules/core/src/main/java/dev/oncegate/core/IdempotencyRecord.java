package dev.oncegate.core;

import java.time.Instant;

/**
 * What is stored about one operation under one key. Absent, and released, is no record.
 *
 * <pre>
 * absent ─claim→ claimed ─complete→ completed ─deadline→ expired ─tombstone ends→ absent
 *                   │  └─release→ absent
 *                   └─lease lapses, or outcome cannot be told→ unknown ─→ completed | absent
 * </pre>
 */
public sealed interface IdempotencyRecord {
  ClaimFacts facts();

  /** The retry deadline as published now: never later than the enforced one (contract §2). */
  Instant publishedDeadline();

  /** A winner holds a lease, until {@code leaseUntil} by the database's clock. */
  record Claimed(ClaimFacts facts, Instant leaseUntil) implements IdempotencyRecord {
    @Override
    public Instant publishedDeadline() {
      return facts.claimedAt().plus(facts.retention());
    }
  }

  /** The winner's outcome cannot be told; never executed again meanwhile, never purged by age. */
  record Unknown(ClaimFacts facts, Instant since) implements IdempotencyRecord {
    @Override
    public Instant publishedDeadline() {
      return facts.claimedAt().plus(facts.retention());
    }
  }

  /**
   * A terminal outcome is stored, immutable until its deadline.
   *
   * @param reconstructed completed by a probe's or a person's verdict
   */
  record Completed(
      ClaimFacts facts, StoredAnswer answer, Instant completedAt, boolean reconstructed)
      implements IdempotencyRecord {
    @Override
    public Instant publishedDeadline() {
      return completedAt.plus(facts.retention());
    }

    /** From here on the key is a stranger. */
    public Instant tombstoneUntil() {
      return publishedDeadline().plus(facts.tombstone());
    }
  }

  /** Past the retry deadline: the body is gone, the tombstone stays. */
  record Expired(ClaimFacts facts, Instant completedAt) implements IdempotencyRecord {
    @Override
    public Instant publishedDeadline() {
      return completedAt.plus(facts.retention());
    }

    /** From here on the key is a stranger. */
    public Instant tombstoneUntil() {
      return publishedDeadline().plus(facts.tombstone());
    }
  }
}
