package dev.oncegate.testkit.history;

import dev.oncegate.engine.port.RecordUpkeep.Book;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that a run has gathered.
 *
 * @param attempts H
 * @param ledger L, in any order
 * @param rows D; empty where nobody looked
 * @param journal J, of each key in order; empty where it was not kept
 * @param books what the store says that each tenant's claims have come to
 * @param executions what the metrics say, by tenant
 * @param counts how often each kind of fault and each rare event was there
 */
public record History(
    List<Attempt> attempts,
    List<LedgerLine> ledger,
    Optional<List<FinalRow>> rows,
    Optional<List<Step>> journal,
    List<Book> books,
    Map<String, Executions> executions,
    Map<String, Count> counts) {

  /** Only what clients and upstream saw. */
  public static History of(List<Attempt> attempts, List<LedgerLine> ledger) {
    return new History(
        attempts, ledger, Optional.empty(), Optional.empty(), List.of(), Map.of(), Map.of());
  }

  public History withRows(List<FinalRow> rows) {
    return new History(attempts, ledger, Optional.of(rows), journal, books, executions, counts);
  }

  public History withJournal(List<Step> steps) {
    return new History(attempts, ledger, rows, Optional.of(steps), books, executions, counts);
  }

  public History withBooks(List<Book> its, Map<String, Executions> counted) {
    return new History(attempts, ledger, rows, journal, its, counted, counts);
  }

  public History withCounts(Map<String, Count> its) {
    return new History(attempts, ledger, rows, journal, books, executions, its);
  }

  /**
   * Completions by their owners as the metrics counted them.
   *
   * @param unseen how many more there may have been: of processes that were killed before anybody
   *     read their counters
   */
  public record Executions(long counted, long unseen) {}

  /** How often something was there, and how often it has to be. */
  public record Count(long seen, long atLeast) {}
}
