package dev.oncegate.core;

import static dev.oncegate.core.RecordSituations.ANSWER;
import static dev.oncegate.core.RecordSituations.CLAIMED_AT;
import static dev.oncegate.core.RecordSituations.COMPLETED;
import static dev.oncegate.core.RecordSituations.COMPLETED_AT;
import static dev.oncegate.core.RecordSituations.DEADLINE;
import static dev.oncegate.core.RecordSituations.FACTS;
import static dev.oncegate.core.RecordSituations.FINGERPRINT;
import static dev.oncegate.core.RecordSituations.ID;
import static dev.oncegate.core.RecordSituations.LEASE;
import static dev.oncegate.core.RecordSituations.MINE;
import static dev.oncegate.core.RecordSituations.NEXT;
import static dev.oncegate.core.RecordSituations.OWN;
import static dev.oncegate.core.RecordSituations.RETENTION;
import static dev.oncegate.core.RecordSituations.SITUATIONS;
import static dev.oncegate.core.RecordSituations.TOMBSTONE;
import static dev.oncegate.core.RecordSituations.assertDecision;
import static dev.oncegate.core.RecordSituations.claim;
import static dev.oncegate.core.RecordSituations.claimed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.RecordRules.Decision;
import dev.oncegate.core.RecordSituations.Situation;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A claim met by every state, at the times when it matters. */
class RecordRulesClaimTest {
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
