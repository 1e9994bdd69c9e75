package dev.oncegate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Expired;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.RecordRules.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every state met by every command, at the times when it matters. */
class RecordRulesTest {
  private static final Instant CLAIMED_AT = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration LEASE = Duration.ofSeconds(45);
  private static final Duration RETENTION = Duration.ofHours(1);
  private static final Duration TOMBSTONE = Duration.ofHours(2);
  private static final Instant COMPLETED_AT = CLAIMED_AT.plusSeconds(10);
  private static final FencingToken MINE = new FencingToken(41);
  private static final FencingToken NEXT = new FencingToken(42);
  private static final UUID OWN = new UUID(0, 1);
  private static final RecordId ID =
      RecordId.of(new Scope("t", "r", ""), new IdempotencyKey("key"));
  private static final Fingerprint FINGERPRINT = new Fingerprint(1, Bytes.wrap(new byte[32]));
  private static final StoredAnswer ANSWER = answer(1);

  private static final ClaimFacts FACTS =
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

  private static StoredAnswer answer(int seed) {
    byte[] digest = new byte[32];
    digest[0] = (byte) seed;
    return new StoredAnswer(201, Bytes.EMPTY, new StoredBody.NotKept(), Bytes.wrap(digest), false);
  }

  /** A record as a store may hold it, and a time at which it means what its name says. */
  private record Situation(IdempotencyRecord record, Instant now) {}

  private static final Completed COMPLETED = new Completed(FACTS, ANSWER, COMPLETED_AT, false);
  private static final Instant DEADLINE = COMPLETED_AT.plus(RETENTION);
  private static final Instant GONE = DEADLINE.plus(TOMBSTONE);

  private static final Map<String, Situation> SITUATIONS =
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

  private static Situation claimed(Duration later) {
    return new Situation(new Claimed(FACTS, CLAIMED_AT.plus(LEASE)), CLAIMED_AT.plus(later));
  }

  private static Claim claim(UUID claimId, boolean samePayload) {
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

  private static void assertDecision(
      Decision<?> decision, IdempotencyRecord before, String outcome, String next) {
    assertThat(decision.outcome().getClass().getSimpleName()).isEqualTo(outcome);
    if (next.equals("same")) {
      assertThat(decision.next()).isEqualTo(before);
    } else {
      String state = decision.next() == null ? "none" : decision.next().getClass().getSimpleName();
      assertThat(state).isEqualTo(next);
    }
  }

  @ParameterizedTest
  @CsvSource({
    // situation, request of the same payload, of another one, record afterwards
    "absent, Won, Won, Claimed",
    "claimed, InFlight, Mismatch, same",
    "lapsed, OutcomeUnknown, Mismatch, Unknown",
    "long-lapsed, OutcomeUnknown, Mismatch, Unknown",
    "unknown, OutcomeUnknown, Mismatch, same",
    "completed, Replay, Mismatch, same",
    "past-deadline, DeadlinePassed, Mismatch, Expired",
    "expired, DeadlinePassed, Mismatch, same",
    "completed-and-gone, Won, Won, Claimed",
    "gone, Won, Won, Claimed"
  })
  void claim_meetsEachState(String situation, String same, String other, String next) {
    Situation at = SITUATIONS.get(situation);
    UUID stranger = new UUID(0, 2);
    assertDecision(
        RecordRules.claim(at.record(), claim(stranger, true), NEXT, at.now()),
        at.record(),
        same,
        next);
    assertDecision(
        RecordRules.claim(at.record(), claim(stranger, false), NEXT, at.now()),
        at.record(),
        other,
        next);
  }

  @ParameterizedTest
  @CsvSource({
    "claimed, Won, same",
    "lapsed, OutcomeUnknown, Unknown",
    "unknown, OutcomeUnknown, same",
    "completed, Replay, same"
  })
  void claim_askedAgainWithItsOwnId_winsOnlyWhileItsLeaseLives(
      String situation, String outcome, String next) {
    Situation at = SITUATIONS.get(situation);
    Decision<ClaimOutcome> decision =
        RecordRules.claim(at.record(), claim(OWN, true), MINE, at.now());
    assertDecision(decision, at.record(), outcome, next);
    if (decision.outcome() instanceof ClaimOutcome.Won won) {
      assertThat(won.token()).isEqualTo(MINE);
      assertThat(won.leaseUntil()).isEqualTo(CLAIMED_AT.plus(LEASE));
    }
  }

  @Test
  void wonClaim_holdsALeaseAndPublishesItsDeadline() {
    Decision<ClaimOutcome> decision = RecordRules.claim(null, claim(OWN, true), NEXT, CLAIMED_AT);
    assertThat(decision.outcome())
        .isEqualTo(new ClaimOutcome.Won(NEXT, CLAIMED_AT.plus(LEASE), CLAIMED_AT.plus(RETENTION)));
    assertThat(decision.next().facts().token()).isEqualTo(NEXT);
    assertThat(decision.next().facts().claimedAt()).isEqualTo(CLAIMED_AT);
  }

  @Test
  void inFlight_saysHowLongTheWinnerHasRun() {
    Situation at = claimed(Duration.ofSeconds(7));
    assertThat(
            RecordRules.claim(at.record(), claim(new UUID(0, 2), true), NEXT, at.now()).outcome())
        .isEqualTo(new ClaimOutcome.InFlight((Claimed) at.record(), Duration.ofSeconds(7)));
  }

  @Test
  void tokenThatDoesNotGrow_breaksAnInvariant() {
    Situation at = SITUATIONS.get("completed");
    assertThatThrownBy(
            () -> RecordRules.claim(at.record(), claim(new UUID(0, 2), true), MINE, at.now()))
        .isInstanceOf(BrokenInvariant.class);
  }

  @Test
  void anotherKeysRecord_breaksAnInvariant() {
    RecordId other = RecordId.of(new Scope("t", "r", ""), new IdempotencyKey("other"));
    Claim claim =
        new Claim(
            other,
            "t",
            "r",
            Bytes.EMPTY,
            FINGERPRINT,
            facts -> true,
            "p",
            "s",
            OWN,
            "o",
            LEASE,
            RETENTION,
            TOMBSTONE,
            Bytes.EMPTY);
    assertThatThrownBy(() -> RecordRules.claim(COMPLETED, claim, NEXT, COMPLETED_AT))
        .isInstanceOf(BrokenInvariant.class);
  }

  @ParameterizedTest
  @CsvSource({
    // situation, with the record's token, record afterwards, with another token
    "absent, Gone, none, Gone",
    "claimed, Done, Completed, Fenced",
    "lapsed, Done, Completed, Fenced",
    "unknown, Done, Completed, Fenced",
    "completed, Done, same, Fenced",
    "past-deadline, Done, same, Fenced",
    "expired, Fenced, same, Fenced"
  })
  void complete_namesTheToken(String situation, String mine, String next, String other) {
    Situation at = SITUATIONS.get(situation);
    assertDecision(
        RecordRules.complete(at.record(), MINE, ANSWER, at.now()), at.record(), mine, next);
    assertDecision(
        RecordRules.complete(at.record(), NEXT, ANSWER, at.now()), at.record(), other, "same");
  }

  @Test
  void completedRecord_isImmutable() {
    assertDecision(
        RecordRules.complete(COMPLETED, MINE, answer(2), COMPLETED_AT),
        COMPLETED,
        "Fenced",
        "same");
  }

  @Test
  void completion_countsItsDeadlineFromCompletion() {
    Decision<SettleOutcome> decision =
        RecordRules.complete(SITUATIONS.get("claimed").record(), MINE, ANSWER, COMPLETED_AT);
    assertThat(decision.outcome()).isEqualTo(new SettleOutcome.Done(DEADLINE));
    assertThat(decision.next()).isEqualTo(COMPLETED);
    assertThat(SITUATIONS.get("claimed").record().publishedDeadline())
        .as("what was published before is not later")
        .isBeforeOrEqualTo(DEADLINE);
  }

  @ParameterizedTest
  @CsvSource({
    "absent, Gone, none, Gone",
    "claimed, Done, none, Fenced",
    "lapsed, Done, none, Fenced",
    "unknown, Done, none, Fenced",
    "completed, Fenced, same, Fenced",
    "past-deadline, Fenced, same, Fenced",
    "expired, Fenced, same, Fenced"
  })
  void release_namesTheToken(String situation, String mine, String next, String other) {
    Situation at = SITUATIONS.get(situation);
    assertDecision(RecordRules.release(at.record(), MINE), at.record(), mine, next);
    assertDecision(RecordRules.release(at.record(), NEXT), at.record(), other, "same");
  }

  @ParameterizedTest
  @CsvSource({
    "absent, Gone, none, Gone",
    "claimed, Done, Unknown, Fenced",
    "lapsed, Done, Unknown, Fenced",
    "unknown, Done, same, Fenced",
    "completed, Fenced, same, Fenced",
    "past-deadline, Fenced, same, Fenced",
    "expired, Fenced, same, Fenced"
  })
  void markUnknown_namesTheToken(String situation, String mine, String next, String other) {
    Situation at = SITUATIONS.get(situation);
    Decision<SettleOutcome> decision = RecordRules.markUnknown(at.record(), MINE, at.now());
    assertDecision(decision, at.record(), mine, next);
    if (decision.next() instanceof Unknown unknown) {
      assertThat(unknown.facts().token()).as("the token stays").isEqualTo(MINE);
    }
    assertDecision(
        RecordRules.markUnknown(at.record(), NEXT, at.now()), at.record(), other, "same");
  }

  @ParameterizedTest
  @CsvSource({
    "absent, Fenced",
    "claimed, Renewed",
    "lapsed, Fenced",
    "unknown, Fenced",
    "completed, Fenced",
    "past-deadline, Fenced",
    "expired, Fenced"
  })
  void renew_livesOnALiveLeaseOnly(String situation, String mine) {
    Situation at = SITUATIONS.get(situation);
    String next = mine.equals("Renewed") ? "Claimed" : "same";
    assertDecision(RecordRules.renew(at.record(), MINE, LEASE, at.now()), at.record(), mine, next);
    assertDecision(
        RecordRules.renew(at.record(), NEXT, LEASE, at.now()), at.record(), "Fenced", "same");
  }

  @Test
  void renewal_neverShortensALease() {
    Situation at = claimed(Duration.ofSeconds(1));
    assertThat(RecordRules.renew(at.record(), MINE, Duration.ofSeconds(1), at.now()).outcome())
        .isEqualTo(new RenewOutcome.Renewed(CLAIMED_AT.plus(LEASE)));
    assertThat(RecordRules.renew(at.record(), MINE, LEASE, at.now()).outcome())
        .isEqualTo(new RenewOutcome.Renewed(at.now().plus(LEASE)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"long-lapsed", "unknown"})
  void unsettledRecords_areNeverPurgedByAge(String situation) {
    Situation at = SITUATIONS.get(situation);
    assertThat(RecordRules.aged(at.record(), CLAIMED_AT.plus(Duration.ofDays(10_000))))
        .isInstanceOf(Unknown.class);
  }

  @Test
  void lapsedClaim_isUnknownSinceItsLapse() {
    Situation at = SITUATIONS.get("long-lapsed");
    assertThat(RecordRules.aged(at.record(), at.now()))
        .isEqualTo(new Unknown(FACTS, CLAIMED_AT.plus(LEASE)));
  }

  @Test
  void forgottenKey_isAStrangerAtItsDeadline() {
    ClaimFacts forget =
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
            Duration.ZERO,
            Bytes.EMPTY);
    Completed record = new Completed(forget, ANSWER, COMPLETED_AT, false);
    assertThat(RecordRules.aged(record, DEADLINE.minusNanos(1))).isEqualTo(record);
    assertThat(RecordRules.aged(record, DEADLINE)).isNull();
  }
}
