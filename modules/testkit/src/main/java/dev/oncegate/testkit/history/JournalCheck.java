package dev.oncegate.testkit.history;

import dev.oncegate.engine.port.RecordReader.State;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** C9, and what the steps say of C7 and C10: the record went only where the rules let it go. */
final class JournalCheck {
  /** Where a record may go under its token; to be gone is not in it. */
  private static final Map<State, Set<State>> ALLOWED =
      Map.of(
          State.CLAIMED, EnumSet.of(State.CLAIMED, State.UNKNOWN, State.COMPLETED),
          State.UNKNOWN, EnumSet.of(State.UNKNOWN, State.COMPLETED),
          State.COMPLETED, EnumSet.of(State.EXPIRED),
          State.EXPIRED, EnumSet.noneOf(State.class));

  private final KeyHistory key;
  private final List<Violation> found;

  JournalCheck(KeyHistory key, List<Violation> found) {
    this.key = key;
    this.found = found;
  }

  void run() {
    long greatest = 0;
    Optional<Step> before = Optional.empty();
    for (Step step : key.steps()) {
      follows(before, step);
      if (step.claims() && step.token() <= greatest) {
        fail(Check.C9_TOKENS, "token " + step.token() + " after " + greatest);
      }
      greatest = Math.max(greatest, step.token());
      if (step.forgets() && step.at() < step.strangerFrom()) {
        fail(Check.C10_DEADLINE, "forgotten before its tombstone was over: " + step);
      }
      before = Optional.of(step);
    }
    if (key.journalKept()) {
      owners();
    }
  }

  private void fail(Check check, String text) {
    found.add(new Violation(check, key.key(), text));
  }

  private void follows(Optional<Step> before, Step step) {
    if (!before.flatMap(Step::to).equals(step.from())) {
      fail(Check.C9_TOKENS, "a step is missing before " + step);
      return;
    }
    if (step.from().isEmpty() || step.claims()) {
      boolean stranger = step.from().isEmpty() || step.forgets();
      if (!step.claims() || !stranger) {
        fail(Check.C9_TOKENS, "no claim: " + step);
      }
      return;
    }
    Set<State> allowed = ALLOWED.getOrDefault(step.from().get(), Set.of());
    if (step.to().isPresent() && !allowed.contains(step.to().get())) {
      fail(Check.C9_TOKENS, "no step of a record: " + step);
    } else if (step.token() != step.tokenBefore()) {
      fail(Check.C9_TOKENS, "another token in " + step);
    }
    if (before.filter(b -> !b.fingerprint().equals(step.fingerprint())).isPresent()) {
      fail(Check.C7_MISMATCH_EXECUTED, "another fingerprint in " + step);
    }
  }

  /** An owner completes with its own token, under which it sent. */
  private void owners() {
    for (Step step : key.steps()) {
      if (step.completes() && !step.reconstructed()) {
        boolean tokensKnown = key.lines().stream().allMatch(l -> l.token().isPresent());
        if (tokensKnown
            && !key.lines().isEmpty()
            && key.lines().stream().noneMatch(l -> l.token().getAsLong() == step.token())) {
          fail(Check.C9_TOKENS, "completed under a token that sent nothing: " + step);
        }
      }
    }
    for (LedgerLine line : key.lines()) {
      boolean executed =
          key.attempts().stream()
              .anyMatch(a -> a.id().equals(line.attempt()) && a.said() == Said.EXECUTED);
      if (executed
          && line.token().isPresent()
          && key.steps().stream().noneMatch(s -> completed(s, line.token().getAsLong()))) {
        fail(Check.C9_TOKENS, line.attempt() + " was told executed, its token completed nothing");
      }
    }
  }

  private static boolean completed(Step step, long token) {
    return step.completes() && !step.reconstructed() && step.token() == token;
  }
}
