package dev.oncegate.testkit.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Says what is wrong with a history (reliability §6). Keys do not interact, so each is looked at
 * alone: per life of a key the specification is a write-once register behind a guard, and no search
 * is needed.
 */
public final class HistoryChecker {
  private final History history;
  private final List<Violation> found = new ArrayList<>();

  private HistoryChecker(History history) {
    this.history = history;
  }

  /** Everything that is wrong; empty: the history is good. */
  public static List<Violation> check(History history) {
    HistoryChecker checker = new HistoryChecker(history);
    checker.keys();
    BookCheck.check(history, checker.found);
    checker.counts();
    return List.copyOf(checker.found);
  }

  private void keys() {
    Map<String, List<Attempt>> attempts = byKey(history.attempts(), Attempt::key);
    Map<String, List<LedgerLine>> lines = byKey(history.ledger(), LedgerLine::key);
    Map<String, List<FinalRow>> rows = byKey(history.rows().orElse(List.of()), FinalRow::key);
    Map<String, List<Step>> steps = byKey(history.journal().orElse(List.of()), Step::key);
    Set<String> keys = new HashSet<>(attempts.keySet());
    keys.addAll(lines.keySet());
    keys.addAll(rows.keySet());
    keys.addAll(steps.keySet());
    for (String key : keys.stream().sorted().toList()) {
      check(
          new KeyHistory(
              key,
              attempts.getOrDefault(key, List.of()),
              lines.getOrDefault(key, List.of()),
              history.rows().isPresent(),
              rows.getOrDefault(key, List.of()).stream().findFirst(),
              history.journal().isPresent(),
              steps.getOrDefault(key, List.of())));
    }
  }

  private void check(KeyHistory key) {
    for (Life life : key.lives()) {
      new LifeCheck(life, found).run();
    }
    new JournalCheck(key, found).run();
    new KeyCheck(key, found).run();
  }

  /** C12: a run in which nothing happened proves nothing. */
  private void counts() {
    history
        .counts()
        .forEach(
            (name, count) -> {
              if (count.seen() < count.atLeast()) {
                found.add(
                    new Violation(
                        Check.C12_VACUITY,
                        name,
                        "seen " + count.seen() + " times, wanted " + count.atLeast()));
              }
            });
  }

  private static <T> Map<String, List<T>> byKey(List<T> all, Function<T, String> key) {
    Map<String, List<T>> by = new HashMap<>();
    all.forEach(each -> by.computeIfAbsent(key.apply(each), k -> new ArrayList<>()).add(each));
    return by;
  }
}
