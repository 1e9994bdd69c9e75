package dev.oncegate.testkit;

import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.RecordRules.Decision;
import dev.oncegate.core.TimelineEntry;
import dev.oncegate.core.TimelineEntry.Kind;
import dev.oncegate.core.TimelineEntry.Note;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The rows behind the reference store: each rule runs atomically on one of them. */
final class InMemoryRows {
  /** Longest text of an entry or a reason. */
  private static final int LONGEST = 500;

  private final Map<RecordId, Row> rows = new ConcurrentHashMap<>();
  private final Map<RecordId, List<Told>> timelines = new ConcurrentHashMap<>();
  private final Map<String, Tally> tallies = new ConcurrentSkipListMap<>();
  final Supplier<Instant> clock;

  InMemoryRows(Supplier<Instant> clock) {
    this.clock = clock;
  }

  /**
   * A record and what upkeep knows of it.
   *
   * @param due when somebody is to ask about an unknown record; null: a person decides
   */
  record Row(
      IdempotencyRecord record,
      @Nullable Instant due,
      int questions,
      String lastSaid,
      String reason) {}

  private record Told(String tenant, TimelineEntry entry) {}

  /** What a tenant's claims have come to. */
  static final class Tally {
    final AtomicLong claims = new AtomicLong();
    final AtomicLong completed = new AtomicLong();
    final AtomicLong released = new AtomicLong();
  }

  Map<RecordId, Row> all() {
    return rows;
  }

  Map<String, Tally> tallies() {
    return tallies;
  }

  Optional<Row> row(RecordId id) {
    return Optional.ofNullable(rows.get(id));
  }

  List<TimelineEntry> timeline(String tenant, RecordId id) {
    return timelines.getOrDefault(id, List.of()).stream()
        .filter(told -> told.tenant().equals(tenant))
        .map(Told::entry)
        .toList();
  }

  /** Applies a rule; a change to unknown takes {@code reason} into the timeline. */
  <T> T decide(RecordId id, Note unknown, Function<@Nullable IdempotencyRecord, Decision<T>> rule) {
    List<T> outcome = new ArrayList<>(1);
    rows.compute(
        id,
        (unused, row) -> {
          IdempotencyRecord before = row == null ? null : row.record();
          Decision<T> decision = rule.apply(before);
          outcome.add(decision.outcome());
          return after(id, row, decision.next(), unknown);
        });
    return outcome.get(0);
  }

  private @Nullable Row after(
      RecordId id, @Nullable Row row, @Nullable IdempotencyRecord next, Note unknown) {
    IdempotencyRecord before = row == null ? null : row.record();
    count(before, next);
    if (next == null) {
      return null;
    }
    if (row != null && before != null && before.getClass() == next.getClass()) {
      return new Row(next, row.due(), row.questions(), row.lastSaid(), row.reason());
    }
    if (next instanceof Unknown now) {
      note(id, now, unknown);
      return new Row(next, clock.get(), 0, "", bounded(unknown.text()));
    }
    return row == null || next instanceof Claimed
        ? new Row(next, null, 0, "", "")
        : new Row(next, null, row.questions(), row.lastSaid(), "");
  }

  private void count(@Nullable IdempotencyRecord before, @Nullable IdempotencyRecord next) {
    boolean open = before instanceof Claimed || before instanceof Unknown;
    IdempotencyRecord any = next == null ? before : next;
    if (any == null) {
      return;
    }
    Tally tally = tallies.computeIfAbsent(any.facts().tenant(), t -> new Tally());
    if (next instanceof Claimed
        && (before == null || !before.facts().token().equals(next.facts().token()))) {
      tally.claims.incrementAndGet();
    } else if (open && next instanceof Completed) {
      tally.completed.incrementAndGet();
    } else if (open && next == null) {
      tally.released.incrementAndGet();
    }
  }

  void note(RecordId id, IdempotencyRecord record, Note note) {
    note(id, record.facts().tenant(), record.facts().token(), note);
  }

  void note(RecordId id, String tenant, FencingToken token, Note note) {
    timelines
        .computeIfAbsent(id, i -> new CopyOnWriteArrayList<>())
        .add(
            new Told(
                tenant,
                new TimelineEntry(
                    clock.get(), token, note.kind(), bounded(note.by()), bounded(note.text()))));
  }

  /** Forgets old entries of records that are gone; how many. */
  int trim(Instant until, int limit) {
    int gone = 0;
    for (Map.Entry<RecordId, List<Told>> timeline : timelines.entrySet()) {
      if (!rows.containsKey(timeline.getKey())) {
        for (Told told : List.copyOf(timeline.getValue())) {
          if (gone < limit && !told.entry().at().isAfter(until)) {
            timeline.getValue().remove(told);
            gone++;
          }
        }
      }
    }
    return gone;
  }

  static Note lapsed(String by) {
    return new Note(Kind.UNKNOWN, by, "the lease lapsed");
  }

  private static String bounded(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
  }
}
