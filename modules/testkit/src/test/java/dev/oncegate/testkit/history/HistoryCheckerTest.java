package dev.oncegate.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oncegate.engine.port.RecordReader.State;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Each planted fault is refused by its own check and by no other (reliability §6). */
class HistoryCheckerTest {
  @Test
  void goodRun_isAccepted() {
    assertThat(HistoryChecker.check(new SampleRun().history())).isEmpty();
  }

  @Test
  void twoEffectsUnderOneKey_areADuplicate() {
    refused(
        Check.C1_DUPLICATE,
        run -> {
          run.tell("p2", "t", "plain", "A", 12, 20, Said.NOTHING, 0, "");
          run.handle("p2", "plain", 11, true, 201, "plain-2");
        });
  }

  /** Whether it had an effect again is luck. */
  @Test
  void sendBehindAFinalAnswer_isADuplicate() {
    refused(Check.C1_DUPLICATE, run -> run.handle("p5", "plain", 11, false, 404, "plain-5"));
  }

  @Test
  void outcomeThatNobodyHandled_isAPhantom() {
    refused(Check.C2_PHANTOM, run -> run.ledger.removeIf(l -> l.attempt().equals("p1")));
    // A probe that says "applied" of nothing.
    refused(Check.C2_PHANTOM, run -> run.ledger.removeIf(l -> l.attempt().equals("v1")));
  }

  @Test
  void twoClientsToldDifferentBytes_areDivergent() {
    refused(
        Check.C3_DIVERGENT,
        run -> run.tell("p4", "t", "plain", "A", 40, 50, Said.REPLAYED, 201, "other"));
  }

  @Test
  void settledKeyThatIsInFlightAgain_isDivergent() {
    refused(
        Check.C3_DIVERGENT,
        run -> run.tell("p4", "t", "plain", "A", 40, 50, Said.IN_FLIGHT, 409, ""));
  }

  @Test
  void outcomeOfNeitherRecordNorLedger_isAWrongWinner() {
    refused(Check.C4_WRONG_WINNER, run -> run.row("t", "plain", 11, 201, "other", false));
    refused(
        Check.C4_WRONG_WINNER,
        run -> {
          run.tell("a3", "t", "again", "A", 40, 50, Said.EXECUTED, 201, "other");
          run.row("t", "again", 14, 201, "other", false);
        });
    // A probe's answer that is not what the tenant's API says.
    refused(
        Check.C4_WRONG_WINNER,
        run -> {
          run.rows.removeIf(r -> r.key().equals("verdict"));
          run.row("t", "verdict", 12, 201, "other", true);
          reply(run, "v3", r -> with(r, new Answer(201, "other")));
        });
  }

  @Test
  void effectOfARequestThatWasRefused_isFalselyNotExecuted() {
    refused(
        Check.C5_FALSE_NOT_EXECUTED,
        run -> run.tell("v1", "t", "verdict", "A", 10, 30, Said.REFUSED, 503, ""));
    refused(
        Check.C5_FALSE_NOT_EXECUTED,
        run -> run.tell("v1", "t", "verdict", "A", 10, 30, Said.UNREACHABLE, 502, ""));
  }

  /** Its record was completed by a verdict while it was under way: it may be told that. */
  @Test
  void ownerThatLostItsRecord_mayBeToldWhatTheRecordSays() {
    SampleRun run = new SampleRun();
    reply(
        run,
        "v1",
        r ->
            new Attempt.Reply(
                Said.REPLAYED,
                new Answer(201, "probed-v1"),
                true,
                Optional.of("t"),
                OptionalLong.empty()));
    run.attempts.replaceAll(
        a -> a.id().equals("v1") ? new Attempt("v1", "t", "verdict", "A", 10, 92, a.reply()) : a);
    assertThat(HistoryChecker.check(run.history())).isEmpty();
  }

  @Test
  void clientThatIsNeverTold_isLost() {
    refused(Check.C6_LOST, run -> run.tell("p6", "t", "plain", "A", 80, 90, Said.NOTHING, 0, ""));
  }

  @Test
  void recordThatStaysUnknown_isLost_unlessAPersonIsAwaited() {
    Consumer<SampleRun> unknown =
        run -> {
          run.attempts.removeIf(a -> a.id().equals("v3"));
          run.journal.removeIf(s -> s.key().equals("verdict") && s.reconstructed());
          run.books.set(
              0, new dev.oncegate.engine.port.RecordUpkeep.Book("t", 4, 2, 1, 1, 0, 2, 0, 0, null));
        };
    refused(Check.C6_LOST, unknown.andThen(run -> unknownRow(run, false)));
    SampleRun run = new SampleRun();
    unknown.accept(run);
    unknownRow(run, true);
    assertThat(HistoryChecker.check(run.history())).isEmpty();
  }

  private static void unknownRow(SampleRun run, boolean waits) {
    run.rows.removeIf(r -> r.key().equals("verdict"));
    run.rows.add(new FinalRow("verdict", "t", State.UNKNOWN, 12, Optional.empty(), false, waits));
  }

  @Test
  void mismatchThatWasSent_isExecuted() {
    refused(Check.C7_MISMATCH_EXECUTED, run -> run.handle("p3", "plain", 11, true, 201, "plain-3"));
  }

  @Test
  void recordThatTakesAnotherFingerprint_isAMismatchExecuted() {
    refused(
        Check.C7_MISMATCH_EXECUTED,
        run ->
            run.journal.replaceAll(
                s ->
                    s.key().equals("plain") && s.completes()
                        ? new Step("plain", "t", s.at(), s.from(), s.to(), 11, 11, "g", false, 0)
                        : s));
  }

  @Test
  void bytesOfAnotherTenant_areOutOfScope() {
    refused(
        Check.C8_SCOPE,
        run ->
            reply(
                run,
                "p4",
                r ->
                    new Attempt.Reply(
                        r.said(), r.answer(), false, Optional.of("u"), r.deadline())));
  }

  @Test
  void runInWhichTooLittleHappened_isVacuous() {
    refused(Check.C12_VACUITY, run -> run.kills = 2);
  }

  @Test
  void booksThatDiffer_areUnbalanced() {
    refused(Check.C13_TRIAL_BALANCE, run -> run.books.set(0, SampleRun.book("t", 5, 3, 1)));
    // Balanced in itself, and not what the steps say.
    refused(Check.C13_TRIAL_BALANCE, run -> run.books.set(0, SampleRun.book("t", 4, 4, 0)));
    refused(Check.C13_TRIAL_BALANCE, run -> run.executedByMetrics = 4);
  }

  @Test
  void effectWithoutARecord_isUnbalanced() {
    refused(
        Check.C13_TRIAL_BALANCE,
        run -> {
          run.attempts.removeIf(a -> a.id().equals("v2") || a.id().equals("v3"));
          run.rows.removeIf(r -> r.key().equals("verdict"));
          run.journal.removeIf(s -> s.key().equals("verdict") && s.reconstructed());
          run.step("t", "verdict", 80, State.UNKNOWN, null, 12, 12);
          run.books.set(0, SampleRun.book("t", 4, 2, 2));
          run.tell("v4", "t", "verdict", "B", 300, 310, Said.EXPIRED, 410, "");
          run.tell("v1", "t", "verdict", "A", 10, 30, Said.NOTHING, 0, "");
          run.tell("v5", "t", "verdict", "A", 300, 310, Said.EXPIRED, 410, "");
        });
  }

  @Test
  void lineOfAnAttemptThatIsNotThere_isNoHistory() {
    SampleRun run = new SampleRun();
    run.handle("nobody", "plain", 11, true, 201, "x");
    assertThatThrownBy(() -> HistoryChecker.check(run.history()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Attempt.Reply with(Attempt.Reply reply, Answer answer) {
    return new Attempt.Reply(
        reply.said(), answer, reply.reconstructed(), reply.scope(), reply.deadline());
  }

  static void reply(SampleRun run, String id, UnaryOperator<Attempt.Reply> change) {
    run.attempts.replaceAll(
        a ->
            a.id().equals(id)
                ? new Attempt(
                    id,
                    a.tenant(),
                    a.key(),
                    a.payload(),
                    a.invoked(),
                    a.ended(),
                    change.apply(a.reply()))
                : a);
  }

  static void refused(Check by, Consumer<SampleRun> plant) {
    SampleRun run = new SampleRun();
    plant.accept(run);
    assertThat(HistoryChecker.check(run.history()))
        .isNotEmpty()
        .allSatisfy(violation -> assertThat(violation.check()).isEqualTo(by));
  }
}
