package dev.oncegate.testkit.history;

import dev.oncegate.engine.port.RecordReader.State;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One life of a key, and what is asked of it more than once. */
final class Life {
  final String key;

  /** In the order in which they ended. */
  final List<Attempt> attempts;

  /** In the order of handling, without those of requests that were told {@code mismatch}. */
  final List<LedgerLine> lines;

  /** Of requests that were told {@code mismatch}: there should be none. */
  final List<LedgerLine> mismatched;

  final boolean rowsRead;
  final Optional<FinalRow> row;
  private final Map<String, Attempt> byId = new HashMap<>();
  private final Set<Long> lostTokens = new HashSet<>();
  private final List<Attempt> finals;
  private final List<LedgerLine> sources;

  Life(
      String key,
      List<Attempt> attempts,
      List<LedgerLine> lines,
      boolean rowsRead,
      Optional<FinalRow> row,
      List<Step> steps) {
    this.key = key;
    this.attempts = attempts;
    attempts.forEach(a -> byId.put(a.id(), a));
    steps.forEach(this::follow);
    this.lines = lines.stream().filter(l -> !toldMismatch(l)).toList();
    this.mismatched = lines.stream().filter(this::toldMismatch).toList();
    this.rowsRead = rowsRead;
    this.row = row;
    this.finals = attempts.stream().filter(a -> a.said().isFinal()).toList();
    this.sources = findSources();
  }

  /** A token is lost where anybody but its owner ended its claim with another outcome. */
  private void follow(Step step) {
    if (step.releases() || (step.completes() && step.reconstructed())) {
      lostTokens.add(step.tokenBefore());
    }
  }

  private boolean toldMismatch(LedgerLine line) {
    Attempt attempt = byId.get(line.attempt());
    // An owner that lost its record may be told that it belongs to another payload by now.
    return attempt != null && attempt.said() == Said.MISMATCH && !lost(line);
  }

  Attempt of(LedgerLine line) {
    Attempt attempt = byId.get(line.attempt());
    if (attempt == null) {
      throw new IllegalArgumentException("a line of an attempt that nobody made: " + line);
    }
    return attempt;
  }

  List<LedgerLine> linesOf(Attempt attempt) {
    return lines.stream().filter(l -> l.attempt().equals(attempt.id())).toList();
  }

  List<Attempt> finals() {
    return finals;
  }

  /** When the first final answer had arrived; nothing before it where there was none. */
  long settledBy() {
    return finals.isEmpty() ? Long.MAX_VALUE : finals.get(0).ended();
  }

  /** Whether the record was lost to somebody else while its owner was under way. */
  boolean lost(LedgerLine line) {
    return line.token().isPresent() && lostTokens.contains(line.token().getAsLong());
  }

  Optional<Answer> stored() {
    return row.filter(r -> r.state() == State.COMPLETED).flatMap(FinalRow::answer);
  }

  /** Whether the outcome came from a verdict, as final answers and the record say. */
  boolean reconstructed() {
    return finals().stream().anyMatch(a -> a.reply().reconstructed())
        || row.filter(FinalRow::reconstructed).isPresent();
  }

  /** What everybody was told, where anybody was told anything; bytes before none. */
  Optional<Answer> outcome() {
    List<Answer> told = finals().stream().map(Attempt::answer).toList();
    return told.stream()
        .filter(a -> !a.digest().isEmpty())
        .findFirst()
        .or(() -> told.stream().findFirst())
        .or(this::stored);
  }

  /**
   * The lines from which the outcome can stem: the executed one's own, else every one that gave it.
   * Empty where there is no outcome, or none fits.
   */
  List<LedgerLine> sources() {
    return sources;
  }

  private List<LedgerLine> findSources() {
    Optional<Answer> outcome = outcome();
    if (outcome.isEmpty()) {
      return List.of();
    }
    boolean executed = finals().stream().anyMatch(a -> a.said() == Said.EXECUTED);
    return lines.stream().filter(l -> gives(l, outcome.get(), executed)).toList();
  }

  private boolean gives(LedgerLine line, Answer outcome, boolean executed) {
    if (reconstructed()) {
      return line.probed().filter(outcome::agrees).isPresent();
    }
    return line.terminal()
        && line.answer().agrees(outcome)
        && (!executed || of(line).said() == Said.EXECUTED);
  }

  /** Whether a repeated key could release a claim that had its effect. */
  boolean upstreamRecognisedKey() {
    return lines.stream().anyMatch(LedgerLine::repeated);
  }
}
