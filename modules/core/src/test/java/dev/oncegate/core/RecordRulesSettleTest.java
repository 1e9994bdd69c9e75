package dev.oncegate.core;

import static dev.oncegate.core.RecordSituations.ANSWER;
import static dev.oncegate.core.RecordSituations.CLAIMED_AT;
import static dev.oncegate.core.RecordSituations.COMPLETED;
import static dev.oncegate.core.RecordSituations.COMPLETED_AT;
import static dev.oncegate.core.RecordSituations.DEADLINE;
import static dev.oncegate.core.RecordSituations.LEASE;
import static dev.oncegate.core.RecordSituations.MINE;
import static dev.oncegate.core.RecordSituations.NEXT;
import static dev.oncegate.core.RecordSituations.SITUATIONS;
import static dev.oncegate.core.RecordSituations.answer;
import static dev.oncegate.core.RecordSituations.assertDecision;
import static dev.oncegate.core.RecordSituations.claimed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.RecordRules.Decision;
import dev.oncegate.core.RecordSituations.Situation;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every write after the claim met by every state, with the record's token and another. */
class RecordRulesSettleTest {
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
}
