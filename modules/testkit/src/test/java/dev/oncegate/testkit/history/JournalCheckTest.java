package dev.oncegate.testkit.history;

import static dev.oncegate.testkit.history.HistoryCheckerTest.refused;
import static dev.oncegate.testkit.history.HistoryCheckerTest.reply;
import static dev.oncegate.testkit.history.SampleRun.SECOND;

import dev.oncegate.engine.port.RecordReader.State;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What steps and deadlines give away. */
class JournalCheckTest {
  @Test
  void tokenThatGoesBack_isRefused() {
    refused(
        Check.C9_TOKENS,
        run -> {
          run.journal.replaceAll(
              s ->
                  s.key().equals("again") && s.token() == 13
                      ? new Step(
                          "again",
                          "t",
                          s.at(),
                          s.from(),
                          s.to(),
                          s.from().isEmpty() ? 0 : 15,
                          15,
                          "f",
                          false,
                          0)
                      : s);
        });
  }

  @Test
  void stepThatTheRulesDoNotKnow_isRefused() {
    refused(
        Check.C9_TOKENS,
        run -> run.step("t", "plain", 95, State.COMPLETED, State.COMPLETED, 11, 11));
  }

  @Test
  void completionUnderATokenThatSentNothing_isRefused() {
    refused(
        Check.C9_TOKENS,
        run ->
            run.ledger.replaceAll(
                l ->
                    l.attempt().equals("p1")
                        ? new LedgerLine(
                            "p1",
                            "plain",
                            OptionalLong.of(10),
                            true,
                            false,
                            true,
                            l.answer(),
                            l.probed(),
                            l.sequence())
                        : l));
  }

  @Test
  void replayAfterItsDeadline_isLate() {
    refused(
        Check.C10_DEADLINE,
        run ->
            reply(
                run,
                "p6",
                r ->
                    new Attempt.Reply(
                        r.said(), r.answer(), false, r.scope(), OptionalLong.of(80 - SECOND))));
  }

  @Test
  void keyThatIsForgottenBeforeItsTombstoneIsOver_isEarly() {
    refused(
        Check.C10_DEADLINE,
        run ->
            run.journal.replaceAll(
                s ->
                    s.forgets()
                        ? new Step(
                            s.key(),
                            s.tenant(),
                            s.at(),
                            s.from(),
                            s.to(),
                            s.tokenBefore(),
                            s.token(),
                            s.fingerprint(),
                            false,
                            s.at() + 1)
                        : s));
  }
}
