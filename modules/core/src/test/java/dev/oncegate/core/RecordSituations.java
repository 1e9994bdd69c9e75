package dev.oncegate.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Expired;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.RecordRules.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/** Records in every state, each with a time at which it matters, for tests of the rules. */
final class RecordSituations {
  private RecordSituations() {}

  static final Instant CLAIMED_AT = Instant.parse("2026-01-01T00:00:00Z");
  static final Duration LEASE = Duration.ofSeconds(45);
  static final Duration RETENTION = Duration.ofHours(1);
  static final Duration TOMBSTONE = Duration.ofHours(2);
  static final Instant COMPLETED_AT = CLAIMED_AT.plusSeconds(10);
  static final FencingToken MINE = new FencingToken(41);
  static final FencingToken NEXT = new FencingToken(42);
  static final UUID OWN = new UUID(0, 1);
  static final RecordId ID = RecordId.of(new Scope("t", "r", ""), new IdempotencyKey("key"));
  static final Fingerprint FINGERPRINT = new Fingerprint(1, Bytes.wrap(new byte[32]));
  static final StoredAnswer ANSWER = answer(1);

  static final ClaimFacts FACTS =
      new ClaimFacts(
          ID,
          "t",
          "r",
          Bytes.EMPTY,
          FINGERPRINT,
          "p",
          "s",
          MINE,
          OWN,
          "owner",
          CLAIMED_AT,
          RETENTION,
          TOMBSTONE,
          Bytes.EMPTY);

  static StoredAnswer answer(int seed) {
    byte[] digest = new byte[32];
    digest[0] = (byte) seed;
    return new StoredAnswer(201, Bytes.EMPTY, new StoredBody.NotKept(), Bytes.wrap(digest), false);
  }

  /** A record as a store may hold it, and a time at which it means what its name says. */
  record Situation(IdempotencyRecord record, Instant now) {}

  static final Completed COMPLETED = new Completed(FACTS, ANSWER, COMPLETED_AT, false);
  static final Instant DEADLINE = COMPLETED_AT.plus(RETENTION);
  static final Instant GONE = DEADLINE.plus(TOMBSTONE);

  static final Map<String, Situation> SITUATIONS =
      Map.ofEntries(
          Map.entry("absent", new Situation(null, COMPLETED_AT)),
          Map.entry("claimed", claimed(LEASE.minusNanos(1))),
          Map.entry("lapsed", claimed(LEASE)),
          Map.entry("long-lapsed", claimed(Duration.ofDays(900))),
          Map.entry(
              "unknown",
              new Situation(new Unknown(FACTS, COMPLETED_AT), CLAIMED_AT.plusSeconds(900_000))),
          Map.entry("completed", new Situation(COMPLETED, DEADLINE.minusNanos(1))),
          Map.entry("past-deadline", new Situation(COMPLETED, DEADLINE)),
          Map.entry("expired", new Situation(new Expired(FACTS, COMPLETED_AT), GONE.minusNanos(1))),
          Map.entry("completed-and-gone", new Situation(COMPLETED, GONE)),
          Map.entry("gone", new Situation(new Expired(FACTS, COMPLETED_AT), GONE)));

  static Situation claimed(Duration later) {
    return new Situation(new Claimed(FACTS, CLAIMED_AT.plus(LEASE)), CLAIMED_AT.plus(later));
  }

  static Claim claim(UUID claimId, boolean samePayload) {
    return new Claim(
        ID,
        "t",
        "r",
        Bytes.EMPTY,
        FINGERPRINT,
        facts -> samePayload,
        "p",
        "s",
        claimId,
        "other",
        LEASE,
        RETENTION,
        TOMBSTONE,
        Bytes.EMPTY);
  }

  static void assertDecision(
      Decision<?> decision, IdempotencyRecord before, String outcome, String next) {
    assertThat(decision.outcome().getClass().getSimpleName()).isEqualTo(outcome);
    if (next.equals("same")) {
      assertThat(decision.next()).isEqualTo(before);
    } else {
      String state = decision.next() == null ? "none" : decision.next().getClass().getSimpleName();
      assertThat(state).isEqualTo(next);
    }
  }
}
