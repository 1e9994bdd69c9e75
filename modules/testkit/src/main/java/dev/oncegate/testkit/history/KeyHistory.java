package dev.oncegate.testkit.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All that concerns one key.
 *
 * @param rowsRead whether it is known which record there is at the end
 * @param journalKept whether {@code steps} are all its steps
 */
record KeyHistory(
    String key,
    List<Attempt> attempts,
    List<LedgerLine> lines,
    boolean rowsRead,
    Optional<FinalRow> row,
    boolean journalKept,
    List<Step> steps) {

  KeyHistory {
    attempts = attempts.stream().sorted(Comparator.comparingLong(Attempt::ended)).toList();
    lines = lines.stream().sorted(Comparator.comparingLong(LedgerLine::sequence)).toList();
  }

  /** From first claim to forgetting, one after the other. Without a journal all is one life. */
  List<Life> lives() {
    List<List<Step>> parts = new ArrayList<>();
    List<Step> part = new ArrayList<>();
    for (Step step : steps) {
      if (step.forgets()) {
        parts.add(part);
        part = new ArrayList<>();
      }
      if (!step.forgets() || step.claims()) {
        part.add(step);
      }
    }
    if (!part.isEmpty() || parts.isEmpty()) {
      parts.add(part);
    }
    if (parts.size() == 1 && steps.stream().noneMatch(Step::forgets)) {
      return List.of(new Life(key, attempts, lines, rowsRead, row, steps));
    }
    return split(parts);
  }

  private List<Life> split(List<List<Step>> parts) {
    Map<String, Integer> lifeOf = new HashMap<>();
    List<List<LedgerLine>> theirLines = empty(parts.size());
    for (LedgerLine line : lines) {
      for (int i = 0; i < parts.size(); i++) {
        if (line.token().isPresent() && tokens(parts.get(i)).contains(line.token().getAsLong())) {
          theirLines.get(i).add(line);
          lifeOf.putIfAbsent(line.attempt(), i);
        }
      }
    }
    List<List<Attempt>> theirAttempts = empty(parts.size());
    for (Attempt attempt : attempts) {
      Optional<Integer> life =
          Optional.ofNullable(lifeOf.get(attempt.id())).or(() -> onlyLifeAt(parts, attempt));
      life.ifPresent(i -> theirAttempts.get(i).add(attempt));
    }
    List<Life> lives = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      boolean last = i == parts.size() - 1;
      lives.add(
          new Life(
              key,
              theirAttempts.get(i),
              theirLines.get(i),
              last && rowsRead,
              last ? row : Optional.empty(),
              parts.get(i)));
    }
    return lives;
  }

  /** Who asked while one life ended and the next one began may have met either. */
  private static Optional<Integer> onlyLifeAt(List<List<Step>> parts, Attempt attempt) {
    List<Integer> met = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      long from = parts.get(i).get(0).at();
      long until = i + 1 < parts.size() ? parts.get(i + 1).get(0).at() : Long.MAX_VALUE;
      if (attempt.ended() >= from && attempt.invoked() < until) {
        met.add(i);
      }
    }
    return met.size() == 1 ? Optional.of(met.get(0)) : Optional.empty();
  }

  private static Set<Long> tokens(List<Step> steps) {
    Set<Long> tokens = new HashSet<>();
    steps.forEach(step -> tokens.add(step.token()));
    return tokens;
  }

  private static <T> List<List<T>> empty(int size) {
    List<List<T>> lists = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      lists.add(new ArrayList<>());
    }
    return lists;
  }
}
