package dev.oncegate.testkit.history;

import dev.oncegate.engine.port.RecordReader.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether there is any order of claims, sends, completions, verdicts and releases that explains
 * what clients and upstream saw of one key in one life: by trying them all. The reference of {@link
 * LifeCheck}, without a journal and without upstreams that recognise keys.
 */
final class BruteForce {
  private static final int NOBODY = -1;

  private final List<Attempt> attempts;
  private final List<LedgerLine> lines;
  private final Optional<FinalRow> row;
  private final boolean rowRead;
  private final List<Long> times = new ArrayList<>();

  private BruteForce(History history) {
    attempts = history.attempts();
    lines =
        history.ledger().stream().sorted(Comparator.comparingLong(LedgerLine::sequence)).toList();
    rowRead = history.rows().isPresent();
    row = history.rows().orElse(List.of()).stream().findFirst();
    attempts.forEach(
        a -> {
          times.add(a.invoked());
          times.add(a.ended());
        });
    times.sort(Comparator.naturalOrder());
  }

  /**
   * A moment.
   *
   * @param passed how many begins and ends have been
   * @param holder whose claim stands, or whose outcome is stored
   * @param handled how many lines have been written
   * @param claimed bits of attempts that have claimed
   * @param told bits of attempts whose answer is decided
   */
  private record Moment(
      int passed, int holder, boolean done, boolean verdict, int handled, int claimed, int told) {}

  static boolean explains(History history) {
    return new BruteForce(history).search();
  }

  private boolean search() {
    Set<Moment> seen = new HashSet<>();
    Deque<Moment> open = new ArrayDeque<>();
    open.push(new Moment(0, NOBODY, false, false, 0, 0, 0));
    while (!open.isEmpty()) {
      Moment moment = open.pop();
      if (!seen.add(moment)) {
        continue;
      }
      if (moment.passed() == times.size() && fitsEnd(moment)) {
        return true;
      }
      open.addAll(next(moment));
    }
    return false;
  }

  private boolean fitsEnd(Moment m) {
    if (m.handled() < lines.size()) {
      return false;
    }
    if (!rowRead) {
      return true;
    }
    if (row.isEmpty()) {
      return m.holder() == NOBODY;
    }
    return row.get().state() == State.COMPLETED
        ? m.done()
            && m.verdict() == row.get().reconstructed()
            && outcome(m).agrees(row.get().answer().orElseThrow())
        // Whose claim it is cannot be seen.
        : !m.done();
  }

  private List<Moment> next(Moment m) {
    List<Moment> next = new ArrayList<>();
    if (m.passed() < times.size() && everybodyToldBy(m)) {
      next.add(
          new Moment(
              m.passed() + 1,
              m.holder(),
              m.done(),
              m.verdict(),
              m.handled(),
              m.claimed(),
              m.told()));
    }
    for (int i = 0; i < attempts.size(); i++) {
      if (begun(m, i) && !is(m.claimed(), i) && !is(m.told(), i) && m.holder() == NOBODY) {
        boolean may = !over(m, i) || !attempts.get(i).answered();
        if (may && mayClaim(attempts.get(i).said())) {
          next.add(
              new Moment(m.passed(), i, false, false, m.handled(), m.claimed() | 1 << i, m.told()));
        }
      }
      if (begun(m, i) && !over(m, i) && !is(m.told(), i) && tells(m, i)) {
        next.add(
            new Moment(
                m.passed(),
                m.holder(),
                m.done(),
                m.verdict(),
                m.handled(),
                m.claimed(),
                m.told() | 1 << i));
      }
    }
    if (m.holder() != NOBODY && !m.done()) {
      held(m, next);
    }
    return next;
  }

  private void held(Moment m, List<Moment> next) {
    int holder = m.holder();
    boolean sent = handled(m, holder).isPresent();
    if (m.handled() < lines.size()
        && lines.get(m.handled()).attempt().equals(attempts.get(holder).id())
        && !sent) {
      next.add(
          new Moment(m.passed(), holder, false, false, m.handled() + 1, m.claimed(), m.told()));
    }
    if (handled(m, holder).filter(LedgerLine::terminal).isPresent()) {
      next.add(new Moment(m.passed(), holder, true, false, m.handled(), m.claimed(), m.told()));
    }
    if (handled(m, holder).filter(LedgerLine::effect).isPresent()) {
      next.add(new Moment(m.passed(), holder, true, true, m.handled(), m.claimed(), m.told()));
    } else {
      next.add(new Moment(m.passed(), NOBODY, false, false, m.handled(), m.claimed(), m.told()));
    }
  }

  private static boolean mayClaim(Said said) {
    return said != Said.REFUSED && said != Said.MISMATCH && said != Said.ATTEMPT_RELEASED;
  }

  private boolean tells(Moment m, int i) {
    Attempt a = attempts.get(i);
    boolean holds = m.holder() == i;
    boolean hasLine = lines.stream().anyMatch(l -> l.attempt().equals(a.id()));
    return switch (a.said()) {
      case EXECUTED ->
          m.done() && holds && !m.verdict() && !a.reply().reconstructed() && same(m, a);
      case REPLAYED ->
          m.done()
              && m.verdict() == a.reply().reconstructed()
              && (!holds || m.verdict())
              && a.payload().equals(attempts.get(m.holder()).payload())
              && same(m, a);
      case TRANSIENT ->
          !holds
              && handled(m, i)
                  .filter(l -> !l.terminal() && l.answer().agrees(a.answer()))
                  .isPresent();
      case UNREACHABLE -> is(m.claimed(), i) && !holds && !hasLine;
      case REFUSED -> !hasLine;
      case ATTEMPT_RELEASED -> !m.done() && !hasLine;
      case IN_FLIGHT -> !m.done() && !holds;
      case STILL_RUNNING -> is(m.claimed(), i);
      case UNKNOWN -> !m.done() || holds;
      case MISMATCH -> !hasLine && mismatches(m, a);
      case EXPIRED -> false;
      case NOTHING -> true;
    };
  }

  private boolean mismatches(Moment m, Attempt a) {
    if (m.done()) {
      return !attempts.get(m.holder()).payload().equals(a.payload());
    }
    for (int j = 0; j < attempts.size(); j++) {
      if (begun(m, j) && !attempts.get(j).payload().equals(a.payload())) {
        return true;
      }
    }
    return false;
  }

  private boolean same(Moment m, Attempt a) {
    return outcome(m).agrees(a.answer());
  }

  private Answer outcome(Moment m) {
    LedgerLine line = handled(m, m.holder()).orElseThrow();
    return m.verdict() ? line.probed().orElseThrow() : line.answer();
  }

  private Optional<LedgerLine> handled(Moment m, int attempt) {
    return lines.subList(0, m.handled()).stream()
        .filter(l -> l.attempt().equals(attempts.get(attempt).id()))
        .findFirst();
  }

  private boolean everybodyToldBy(Moment m) {
    long time = times.get(m.passed());
    for (int i = 0; i < attempts.size(); i++) {
      if (attempts.get(i).ended() == time && attempts.get(i).answered() && !is(m.told(), i)) {
        return false;
      }
    }
    return true;
  }

  private boolean begun(Moment m, int i) {
    return m.passed() > 0 && times.get(m.passed() - 1) >= attempts.get(i).invoked();
  }

  private boolean over(Moment m, int i) {
    return m.passed() > 0 && times.get(m.passed() - 1) >= attempts.get(i).ended();
  }

  private static boolean is(int bits, int i) {
    return (bits & 1 << i) != 0;
  }
}
