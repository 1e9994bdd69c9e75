package dev.oncegate.testkit.history;

import dev.oncegate.engine.port.RecordReader.State;
import dev.oncegate.engine.port.RecordUpkeep.Book;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** C13: three books that were kept apart say the same, per tenant. */
final class BookCheck {
  private final History history;
  private final List<Violation> found;

  private BookCheck(History history, List<Violation> found) {
    this.history = history;
    this.found = found;
  }

  static void check(History history, List<Violation> found) {
    BookCheck check = new BookCheck(history, found);
    history.books().forEach(check::balances);
    history.journal().ifPresent(check::journal);
    history.rows().ifPresent(check::effects);
  }

  private void fail(String tenant, String text) {
    found.add(new Violation(Check.C13_TRIAL_BALANCE, tenant, text));
  }

  private void balances(Book book) {
    if (book.imbalance() != 0) {
      fail(book.tenant(), "claims that nobody accounts for: " + book.imbalance() + " in " + book);
    }
  }

  private void journal(List<Step> steps) {
    Set<String> tenants = new HashSet<>();
    steps.forEach(s -> tenants.add(s.tenant()));
    Map<String, Book> books = new HashMap<>();
    history.books().forEach(b -> books.put(b.tenant(), b));
    for (String tenant : tenants) {
      long claims = count(steps, tenant, Step::claims);
      long completed = count(steps, tenant, Step::completes);
      long released = count(steps, tenant, Step::releases);
      Book book = books.get(tenant);
      if (book != null
          && (book.claims() != claims
              || book.completed() != completed
              || book.released() != released)) {
        fail(tenant, "steps " + claims + "/" + completed + "/" + released + ", the book " + book);
      }
      history.rows().ifPresent(rows -> open(tenant, rows, claims - completed - released));
      executions(tenant, count(steps, tenant, s -> s.completes() && !s.reconstructed()));
    }
  }

  private void open(String tenant, List<FinalRow> rows, long expected) {
    long open =
        rows.stream()
            .filter(r -> r.tenant().equals(tenant))
            .filter(r -> r.state() == State.CLAIMED || r.state() == State.UNKNOWN)
            .count();
    if (open != expected) {
      fail(tenant, "open by the steps " + expected + ", by the records " + open);
    }
  }

  private void executions(String tenant, long completions) {
    History.Executions counted = history.executions().get(tenant);
    if (counted != null
        && (completions < counted.counted()
            || completions > counted.counted() + counted.unseen())) {
      fail(tenant, completions + " completions by owners, the metrics say " + counted);
    }
  }

  /** An effect belongs to a record that is completed, or that says that it does not know. */
  private void effects(List<FinalRow> rows) {
    Map<String, FinalRow> byKey = new HashMap<>();
    rows.forEach(r -> byKey.put(r.key(), r));
    Map<String, String> tenants = new HashMap<>();
    history.attempts().forEach(a -> tenants.put(a.key(), a.tenant()));
    Set<String> forgotten = new HashSet<>();
    history.journal().orElse(List.of()).stream()
        .filter(Step::forgets)
        .forEach(s -> forgotten.add(s.key()));
    for (LedgerLine line : history.ledger()) {
      if (line.effect() && !byKey.containsKey(line.key()) && !forgotten.contains(line.key())) {
        fail(
            tenants.getOrDefault(line.key(), "?"),
            "the effect of " + line.attempt() + " has no record");
      }
    }
  }

  private static long count(List<Step> steps, String tenant, Predicate<Step> which) {
    return steps.stream().filter(s -> s.tenant().equals(tenant)).filter(which).count();
  }
}
