package dev.oncegate.testkit.history;

import dev.oncegate.engine.port.RecordReader.State;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;

/**
 * Random histories of one key: a run of the machine with at most eight requests, and then, often, a
 * few things changed in what was seen of it.
 */
final class SmallHistories {
  private static final String KEY = "k";
  private static final String TENANT = "t";

  private final Random random;
  private final List<Attempt> attempts = new ArrayList<>();
  private final List<LedgerLine> lines = new ArrayList<>();
  private Optional<FinalRow> row = Optional.empty();
  private boolean reconstructed;

  private SmallHistories(Random random) {
    this.random = random;
  }

  static History random(long seed) {
    SmallHistories it = new SmallHistories(new Random(seed));
    it.run(1 + it.random.nextInt(8));
    for (int changes = it.random.nextInt(3); changes > 0; changes--) {
      it.change();
    }
    History history = History.of(List.copyOf(it.attempts), List.copyOf(it.lines));
    return it.random.nextBoolean()
        ? history.withRows(it.row.map(List::of).orElse(List.of()))
        : history;
  }

  /** Claims one after the other until one stands; everybody else meets what is there. */
  private void run(int size) {
    List<Long> times = new ArrayList<>();
    for (long t = 1; t <= 2L * size; t++) {
      times.add(t);
    }
    // Neighbours are exchanged a few times, so that intervals overlap.
    for (int i = 0; i < 2 * size; i++) {
      int at = random.nextInt(times.size() - 1 + (times.size() == 1 ? 1 : 0));
      Collections.swap(times, at, Math.min(at + 2, times.size() - 1));
    }
    boolean settled = false;
    boolean held = false;
    String owner = "";
    for (int i = 0; i < size; i++) {
      long from = Math.min(times.get(2 * i), times.get(2 * i + 1));
      long to = Math.max(times.get(2 * i), times.get(2 * i + 1));
      String id = "a" + i;
      String payload = random.nextInt(6) == 0 ? "B" : owner.isEmpty() ? "A" : owner;
      if (settled && payload.equals(owner)) {
        attempts.add(attempt(id, payload, from, to, Said.REPLAYED, stored()));
      } else if (settled || (held && !payload.equals(owner))) {
        attempts.add(attempt(id, payload, from, to, Said.MISMATCH, own(422)));
      } else if (held) {
        Said said = random.nextBoolean() ? Said.IN_FLIGHT : Said.UNKNOWN;
        attempts.add(attempt(id, payload, from, to, said, own(409)));
        if (random.nextInt(3) == 0) {
          settled = true;
          row = Optional.of(row(State.COMPLETED, Optional.of(stored())));
        }
      } else {
        int way = random.nextInt(6);
        if (way == 0) {
          attempts.add(attempt(id, payload, from, to, Said.UNREACHABLE, own(502)));
        } else if (way == 1) {
          lines.add(line(id, false, false, 503));
          attempts.add(attempt(id, payload, from, to, Said.TRANSIENT, last().answer()));
        } else {
          owner = payload;
          held = true;
          boolean effect = random.nextInt(4) > 0;
          lines.add(line(id, effect, true, effect ? 201 : 404));
          reconstructed = effect && random.nextInt(3) == 0;
          settled = random.nextInt(3) > 0;
          Said lost = random.nextBoolean() ? Said.NOTHING : Said.STILL_RUNNING;
          Said said = settled && !reconstructed ? Said.EXECUTED : lost;
          attempts.add(
              attempt(id, payload, from, to, said, said == Said.EXECUTED ? stored() : own(504)));
          row =
              Optional.of(
                  settled
                      ? row(State.COMPLETED, Optional.of(stored()))
                      : row(State.UNKNOWN, Optional.empty()));
        }
      }
    }
  }

  private LedgerLine last() {
    return lines.get(lines.size() - 1);
  }

  private Answer stored() {
    return reconstructed ? last().probed().orElseThrow() : last().answer();
  }

  private static Answer own(int status) {
    return new Answer(status, "own");
  }

  private FinalRow row(State state, Optional<Answer> answer) {
    return new FinalRow(
        KEY, TENANT, state, 1, answer, state == State.COMPLETED && reconstructed, false);
  }

  private LedgerLine line(String attempt, boolean effect, boolean terminal, int status) {
    return new LedgerLine(
        attempt,
        KEY,
        OptionalLong.empty(),
        effect,
        false,
        terminal,
        new Answer(status, "d-" + attempt),
        effect ? Optional.of(new Answer(200, "p-" + attempt)) : Optional.empty(),
        lines.stream().mapToLong(LedgerLine::sequence).max().orElse(0) + 10);
  }

  private Attempt attempt(String id, String payload, long from, long to, Said said, Answer answer) {
    boolean verdict = said == Said.REPLAYED && reconstructed;
    return new Attempt(id, TENANT, KEY, payload, from, to, reply(said, answer, verdict));
  }

  private static Attempt.Reply reply(Said said, Answer answer, boolean verdict) {
    return new Attempt.Reply(said, answer, verdict, Optional.empty(), OptionalLong.empty());
  }

  private void change() {
    int at = random.nextInt(attempts.size());
    Attempt a = attempts.get(at);
    switch (random.nextInt(6)) {
      case 0 -> {
        Said said = Said.values()[random.nextInt(Said.values().length)];
        if (said != Said.EXPIRED) {
          attempts.set(
              at, with(a, a.payload(), reply(said, a.answer(), a.reply().reconstructed())));
        }
      }
      case 1 -> {
        Answer other = attempts.get(random.nextInt(attempts.size())).answer();
        attempts.set(at, with(a, a.payload(), reply(a.said(), other, a.reply().reconstructed())));
      }
      case 2 -> attempts.set(at, with(a, a.payload().equals("A") ? "B" : "A", a.reply()));
      case 3 -> {
        if (!lines.isEmpty()) {
          lines.remove(random.nextInt(lines.size()));
        }
      }
      case 4 -> {
        boolean effect = random.nextBoolean();
        boolean terminal = effect || random.nextBoolean();
        lines.add(line(a.id(), effect, terminal, effect ? 201 : terminal ? 404 : 503));
        Collections.shuffle(lines, random);
        for (int i = 0; i < lines.size(); i++) {
          LedgerLine l = lines.get(i);
          lines.set(
              i,
              new LedgerLine(
                  l.attempt(),
                  l.key(),
                  l.token(),
                  l.effect(),
                  l.repeated(),
                  l.terminal(),
                  l.answer(),
                  l.probed(),
                  i));
        }
      }
      default ->
          attempts.set(
              at,
              with(
                  a,
                  a.payload(),
                  reply(
                      a.said(),
                      a.answer(),
                      a.said() == Said.REPLAYED && !a.reply().reconstructed())));
    }
  }

  private static Attempt with(Attempt a, String payload, Attempt.Reply reply) {
    return new Attempt(a.id(), a.tenant(), a.key(), payload, a.invoked(), a.ended(), reply);
  }
}
