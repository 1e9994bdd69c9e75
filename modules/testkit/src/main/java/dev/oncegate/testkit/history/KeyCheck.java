package dev.oncegate.testkit.history;

import dev.oncegate.engine.port.RecordReader.State;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** C6, C8 and what answers say of C10, on all that concerns one key. */
final class KeyCheck {
  /** Deadlines are published in whole seconds, rounded down. */
  private static final long PUBLISHED_STEP = 1_000_000;

  private final KeyHistory key;
  private final List<Violation> found;

  KeyCheck(KeyHistory key, List<Violation> found) {
    this.key = key;
    this.found = found;
  }

  void run() {
    lost();
    key.attempts()
        .forEach(
            a -> {
              if (a.reply().scope().filter(s -> !s.equals(a.tenant())).isPresent()) {
                fail(Check.C8_SCOPE, a.id() + " got bytes of " + a.reply().scope().get());
              }
            });
    deadlines();
  }

  private void fail(Check check, String text) {
    found.add(new Violation(check, key.key(), text));
  }

  /** A client that asks until it is told is told, and no record is left in between. */
  private void lost() {
    key.row()
        .filter(r -> !r.waits())
        .filter(r -> r.state() == State.CLAIMED || r.state() == State.UNKNOWN)
        .ifPresent(r -> fail(Check.C6_LOST, "left " + r.state()));
    if (!key.rowsRead() || key.row().filter(FinalRow::waits).isPresent()) {
      return;
    }
    Map<String, Attempt> last = new HashMap<>();
    key.attempts().stream()
        .sorted(Comparator.comparingLong(Attempt::invoked))
        .forEach(a -> last.put(a.payload(), a));
    last.values().stream()
        .filter(a -> !a.said().isDefinite())
        .forEach(a -> fail(Check.C6_LOST, "its client ends with " + a.said() + " of " + a.id()));
  }

  private void deadlines() {
    for (Attempt a : key.attempts()) {
      if (a.said().isFinal()
          && a.reply().deadline().isPresent()
          && a.invoked() >= a.reply().deadline().getAsLong() + PUBLISHED_STEP) {
        fail(Check.C10_DEADLINE, a.id() + " was told the outcome after its deadline");
      }
    }
    long first =
        key.attempts().stream()
            .filter(a -> a.said().isFinal() && a.reply().deadline().isPresent())
            .mapToLong(a -> a.reply().deadline().getAsLong())
            .min()
            .orElse(Long.MIN_VALUE);
    key.attempts().stream()
        .filter(a -> a.said() == Said.EXPIRED && a.ended() < first)
        .forEach(a -> fail(Check.C10_DEADLINE, a.id() + " was told expired before the deadline"));
  }
}
