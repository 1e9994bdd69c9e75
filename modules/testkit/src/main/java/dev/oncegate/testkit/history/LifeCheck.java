package dev.oncegate.testkit.history;

import dev.oncegate.engine.port.RecordReader.State;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** C1 to C5 and C7 on one life of a key. */
final class LifeCheck {
  private final Life life;
  private final List<Violation> found;
  private final Set<Check> failed = EnumSet.noneOf(Check.class);

  LifeCheck(Life life, List<Violation> found) {
    this.life = life;
    this.found = found;
  }

  void run() {
    payloads();
    duplicates();
    phantoms();
    agreement();
    order();
    if (!failed.contains(Check.C3_DIVERGENT)) {
      winner();
    }
    denials();
  }

  /** One line for each check is enough. */
  private void fail(Check check, String text) {
    if (failed.add(check)) {
      found.add(new Violation(check, life.key, text));
    }
  }

  /** C7: the fingerprint is compared first, in every state. */
  private void payloads() {
    life.mismatched.forEach(
        l -> fail(Check.C7_MISMATCH_EXECUTED, l.attempt() + " was told mismatch and sent"));
    List<String> payloads = life.finals().stream().map(Attempt::payload).distinct().toList();
    if (payloads.size() > 1) {
      fail(Check.C7_MISMATCH_EXECUTED, "one outcome was given to several payloads");
    }
    List<LedgerLine> sources = life.sources();
    if (payloads.size() == 1
        && !sources.isEmpty()
        && sources.stream().noneMatch(l -> life.of(l).payload().equals(payloads.get(0)))) {
      fail(Check.C7_MISMATCH_EXECUTED, "an outcome was given to another payload than its own");
    }
    for (Attempt a : life.attempts) {
      if (a.said() == Said.MISMATCH && !metAnotherPayload(a, payloads)) {
        fail(Check.C7_MISMATCH_EXECUTED, a.id() + " was told mismatch, but nothing else was sent");
      }
    }
  }

  private boolean metAnotherPayload(Attempt told, List<String> settled) {
    // From then on its own payload is the one that others are compared with.
    long until = settled.contains(told.payload()) ? life.settledBy() : Long.MAX_VALUE;
    return life.attempts.stream()
        .anyMatch(
            o ->
                !o.payload().equals(told.payload()) && o.invoked() < Math.min(told.ended(), until));
  }

  /** C1. */
  private void duplicates() {
    if (life.lines.stream().filter(LedgerLine::effect).count() > 1) {
      fail(Check.C1_DUPLICATE, "several effects: " + life.lines);
    }
    if (life.lines.stream().map(LedgerLine::attempt).distinct().count() < life.lines.size()) {
      fail(Check.C1_DUPLICATE, "one claim was sent twice: " + life.lines);
    }
    if (life.finals().stream().filter(a -> a.said() == Said.EXECUTED).count() > 1) {
      fail(Check.C1_DUPLICATE, "several clients were told executed");
    }
    List<LedgerLine> sources = life.sources();
    long last = sources.isEmpty() ? Long.MAX_VALUE : sources.get(sources.size() - 1).sequence();
    long effect =
        life.lines.stream()
            .filter(LedgerLine::effect)
            .mapToLong(LedgerLine::sequence)
            .min()
            .orElse(Long.MAX_VALUE);
    for (LedgerLine line : life.lines) {
      if (!line.repeated() && line.sequence() > Math.min(last, effect)) {
        fail(Check.C1_DUPLICATE, line.attempt() + " was sent after the key was settled");
      }
      if (life.of(line).invoked() > life.settledBy()) {
        fail(Check.C1_DUPLICATE, line.attempt() + " was sent after a final answer");
      }
    }
  }

  /** C2: what was answered was handled before. */
  private void phantoms() {
    for (Attempt a : life.attempts) {
      boolean own = !life.linesOf(a).isEmpty();
      if ((a.said() == Said.EXECUTED || a.said() == Said.TRANSIENT) && !own) {
        fail(Check.C2_PHANTOM, a.id() + " was answered by nobody");
      }
      if (a.said().isFinal() && life.lines.stream().noneMatch(l -> explains(l, a))) {
        fail(Check.C2_PHANTOM, a.id() + " was told an outcome that nobody had handled");
      }
    }
    if (life.stored().isPresent() && life.lines.stream().noneMatch(l -> handled(l))) {
      fail(Check.C2_PHANTOM, "an outcome is stored that nobody had handled");
    }
    long bound = Long.MAX_VALUE;
    for (int i = life.lines.size() - 1; i >= 0; i--) {
      Attempt attempt = life.of(life.lines.get(i));
      if (attempt.invoked() >= bound) {
        fail(Check.C2_PHANTOM, "answered before " + attempt.id() + ", and handled after it");
      }
      // What was sent under a token that is lost may arrive at any time.
      boolean inOrder = attempt.answered() && !life.lost(life.lines.get(i));
      bound = inOrder ? Math.min(bound, attempt.ended()) : bound;
    }
  }

  private boolean explains(LedgerLine line, Attempt told) {
    return handled(line) && life.of(line).invoked() < told.ended();
  }

  private boolean handled(LedgerLine line) {
    return life.reconstructed() ? line.effect() : true;
  }

  /** C3: who was told the outcome was told the same. */
  private void agreement() {
    List<Attempt> finals = life.finals();
    for (Attempt a : finals) {
      if (life.outcome().filter(a.answer()::agrees).isEmpty()) {
        fail(Check.C3_DIVERGENT, "different answers: " + a + " and others");
      }
      if (a.reply().reconstructed() != finals.get(0).reply().reconstructed()
          || (a.reply().reconstructed() && a.said() == Said.EXECUTED)) {
        fail(Check.C3_DIVERGENT, "reconstructed for some and not for others: " + a);
      }
    }
  }

  /** C3 in time: behind a final answer there is only that, or the tombstone. */
  private void order() {
    String settled = life.finals().isEmpty() ? "" : life.finals().get(0).payload();
    for (Attempt a : life.attempts) {
      boolean quiet = a.said() == Said.REFUSED || !a.answered() || a.said().isFinal();
      if (a.invoked() > life.settledBy() && !quiet) {
        boolean same = a.payload().equals(settled);
        boolean told = a.said() == Said.MISMATCH;
        if (same == told) {
          fail(Check.C7_MISMATCH_EXECUTED, a.id() + " was compared with another payload");
        } else if (same && a.said() != Said.EXPIRED) {
          fail(Check.C3_DIVERGENT, a.id() + " was told " + a.said() + " of a settled key");
        }
      }
    }
    if (!life.upstreamRecognisedKey()) {
      for (Attempt a : life.attempts) {
        if (a.said().needsClaim() && life.lines.stream().anyMatch(l -> holds(l, a))) {
          fail(Check.C3_DIVERGENT, a.id() + " claimed what another attempt had settled");
        }
      }
    }
  }

  /** Whether that line's claim, which was never released, had been made before the other asked. */
  private boolean holds(LedgerLine line, Attempt other) {
    Attempt owner = life.of(line);
    boolean settles = line.effect() || life.sources().equals(List.of(line));
    return settles
        && !life.lost(line)
        && owner.answered()
        && !owner.id().equals(other.id())
        && other.invoked() >= owner.ended();
  }

  /** C4: the outcome is the one of the claim that stands. */
  private void winner() {
    if (life.outcome().isPresent()
        && life.sources().isEmpty()
        && life.lines.stream().anyMatch(this::handled)) {
      fail(Check.C4_WRONG_WINNER, "no handling gave " + life.outcome().get());
    }
    if (life.rowsRead && !life.finals().isEmpty()) {
      boolean kept =
          life.row
              .filter(r -> r.state() == State.COMPLETED || r.state() == State.EXPIRED)
              .isPresent();
      if (!kept || life.stored().filter(s -> !s.agrees(life.outcome().get())).isPresent()) {
        fail(Check.C4_WRONG_WINNER, "told " + life.outcome() + ", the record is " + life.row);
      }
      if (kept && life.row.get().reconstructed() != life.finals().get(0).reply().reconstructed()) {
        fail(Check.C4_WRONG_WINNER, "only one of answer and record is reconstructed");
      }
    }
    for (Attempt a : life.attempts) {
      for (LedgerLine line : life.linesOf(a)) {
        boolean passed = a.said() == Said.TRANSIENT;
        if (passed && (line.terminal() || !line.answer().agrees(a.answer()))) {
          fail(Check.C4_WRONG_WINNER, a.id() + " was passed another answer than its own");
        }
      }
    }
  }

  /** C5: who is told that nothing was done for him is told the truth. */
  private void denials() {
    for (LedgerLine line : life.lines) {
      Attempt a = life.of(line);
      boolean foreign = a.said() == Said.REPLAYED && a.reply().reconstructed();
      boolean denied =
          a.said().deniesSend()
              || (a.said() == Said.TRANSIENT && line.effect())
              || (a.said().deniesEffect() && line.effect() && !foreign && !life.lost(line));
      if (denied) {
        fail(Check.C5_FALSE_NOT_EXECUTED, a + " has " + line);
      }
    }
    List<LedgerLine> sources = life.sources();
    if (!life.reconstructed()
        && !sources.isEmpty()
        && sources.stream().map(life::of).map(Attempt::said).allMatch(Said::deniesEffect)) {
      fail(Check.C5_FALSE_NOT_EXECUTED, "the winner was told that it is none");
    }
  }
}
