package dev.oncegate.testkit;

import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Expired;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.RecordRules;
import dev.oncegate.core.RecordRules.Decision;
import dev.oncegate.core.ResolveOutcome;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.StoredBody;
import dev.oncegate.core.TimelineEntry;
import dev.oncegate.core.TimelineEntry.Kind;
import dev.oncegate.core.TimelineEntry.Note;
import dev.oncegate.core.Verdict;
import dev.oncegate.engine.port.RecordReader;
import dev.oncegate.engine.port.RecordUpkeep;
import dev.oncegate.testkit.InMemoryRows.Row;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Upkeep and reading of the reference store. */
public final class InMemoryUpkeep implements RecordUpkeep, RecordReader {
  private static final Comparator<Row> NEWEST_FIRST =
      Comparator.comparing((Row row) -> row.record().facts().claimedAt())
          .thenComparing(row -> row.record().facts().id().hex())
          .reversed();

  private final InMemoryRows rows;

  InMemoryUpkeep(InMemoryRows rows) {
    this.rows = rows;
  }

  private Instant now() {
    return rows.clock.get();
  }

  @Override
  public Future<List<Moved>> lapse(int limit) {
    List<Moved> moved = new ArrayList<>();
    for (Row row : List.copyOf(rows.all().values())) {
      if (moved.size() < limit
          && row.record() instanceof Claimed claimed
          && RecordRules.aged(claimed, now()) instanceof Unknown unknown) {
        rows.decide(
            claimed.facts().id(),
            InMemoryRows.lapsed("sweeper"),
            record -> new Decision<>("", record == claimed ? unknown : record));
        moved.add(
            new Moved(
                claimed.facts().tenant(),
                claimed.facts().route(),
                claimed.facts().id(),
                claimed.facts().token()));
      }
    }
    return Future.succeededFuture(moved);
  }

  @Override
  public Future<Integer> expire(int limit) {
    return Future.succeededFuture(age(limit, Completed.class));
  }

  @Override
  public Future<Integer> forget(int limit) {
    return Future.succeededFuture(age(limit, Expired.class));
  }

  private int age(int limit, Class<? extends IdempotencyRecord> state) {
    int changed = 0;
    for (Row row : List.copyOf(rows.all().values())) {
      IdempotencyRecord old = row.record();
      if (changed < limit && state.isInstance(old) && RecordRules.aged(old, now()) != old) {
        rows.decide(
            old.facts().id(),
            InMemoryRows.lapsed("sweeper"),
            record -> new Decision<>("", record == old ? RecordRules.aged(old, now()) : record));
        changed++;
      }
    }
    return changed;
  }

  @Override
  public Future<Integer> trimTimelines(Duration keep, int limit) {
    return Future.succeededFuture(rows.trim(now().minus(keep), limit));
  }

  @Override
  public Future<List<Due>> take(int limit, Duration hold) {
    List<Due> taken = new ArrayList<>();
    List<Row> due =
        rows.all().values().stream()
            .filter(row -> row.record() instanceof Unknown && row.due() != null)
            .filter(row -> !now().isBefore(row.due()))
            .sorted(Comparator.comparing(Row::due))
            .limit(limit)
            .toList();
    for (Row row : due) {
      Row held =
          new Row(row.record(), now().plus(hold), row.questions(), row.lastSaid(), row.reason());
      if (rows.all().replace(row.record().facts().id(), row, held)) {
        taken.add(new Due((Unknown) row.record(), now(), row.questions(), row.lastSaid()));
      }
    }
    return Future.succeededFuture(taken);
  }

  @Override
  public Future<ResolveOutcome> resolve(
      RecordId id, FencingToken token, Verdict verdict, List<Note> notes) {
    lapsedFirst(id, token, verdict);
    List<String> tenant = new ArrayList<>(1);
    ResolveOutcome outcome =
        rows.decide(
            id,
            InMemoryRows.lapsed("sweeper"),
            record -> {
              Decision<ResolveOutcome> decision =
                  RecordRules.resolve(record, token, verdict, now());
              if (record != null && decision.outcome() instanceof ResolveOutcome.Resolved) {
                tenant.add(record.facts().tenant());
                return decision;
              }
              return new Decision<>(decision.outcome(), record);
            });
    if (!tenant.isEmpty()) {
      notes.forEach(note -> rows.note(id, tenant.get(0), token, note));
      if (verdict instanceof Verdict.Undecided undecided) {
        rows.all().computeIfPresent(id, (i, row) -> asked(row, undecided, notes));
      }
    }
    return Future.succeededFuture(outcome);
  }

  /** A verdict on a lapsed claim that nobody has written down yet: its timeline says that first. */
  private void lapsedFirst(RecordId id, FencingToken token, Verdict verdict) {
    rows.decide(
        id,
        InMemoryRows.lapsed("sweeper"),
        record ->
            record instanceof Claimed
                    && RecordRules.resolve(record, token, verdict, now()).outcome()
                        instanceof ResolveOutcome.Resolved
                ? new Decision<>("", RecordRules.aged(record, now()))
                : new Decision<>("", record));
  }

  private Row asked(Row row, Verdict.Undecided verdict, List<Note> notes) {
    String said =
        notes.stream()
            .filter(n -> n.kind() == Kind.PROBED)
            .map(Note::text)
            .reduce(row.lastSaid(), (old, now) -> now);
    return new Row(
        row.record(),
        verdict.askAgain().map(wait -> now().plus(wait)).orElse(null),
        row.questions() + (verdict.asked() ? 1 : 0),
        said,
        row.reason());
  }

  @Override
  public Future<Instant> clock() {
    return Future.succeededFuture(now());
  }

  @Override
  public Future<List<Book>> books() {
    List<Book> books = new ArrayList<>();
    rows.tallies().forEach((tenant, tally) -> books.add(book(tenant, tally)));
    return Future.succeededFuture(books);
  }

  private Book book(String tenant, InMemoryRows.Tally tally) {
    List<Row> own =
        rows.all().values().stream()
            .filter(row -> row.record().facts().tenant().equals(tenant))
            .toList();
    Duration oldest =
        own.stream()
            .map(Row::record)
            .filter(Unknown.class::isInstance)
            .map(record -> Duration.between(((Unknown) record).since(), now()))
            .max(Comparator.naturalOrder())
            .orElse(null);
    return new Book(
        tenant,
        tally.claims.get(),
        tally.completed.get(),
        tally.released.get(),
        count(own, Unknown.class),
        count(own, Claimed.class),
        count(own, Completed.class),
        count(own, Expired.class),
        own.stream().filter(r -> r.record() instanceof Unknown && r.due() == null).count(),
        oldest);
  }

  private static long count(List<Row> own, Class<?> state) {
    return own.stream().filter(row -> state.isInstance(row.record())).count();
  }

  @Override
  public Future<List<Found>> find(Query query) {
    return Future.succeededFuture(
        rows.all().values().stream()
            .filter(row -> row.record().facts().tenant().equals(query.tenant()))
            .sorted(NEWEST_FIRST)
            .map(this::found)
            .flatMap(Optional::stream)
            .filter(found -> fits(query, found))
            .limit(query.limit())
            .toList());
  }

  private static boolean fits(Query query, Found found) {
    var facts = found.record().facts();
    return query.state().map(s -> s == State.of(found.record())).orElse(true)
        && query.route().map(r -> r.equals(facts.route())).orElse(true)
        && query.id().map(id -> id.equals(facts.id())).orElse(true)
        && query.claimedFrom().map(t -> !facts.claimedAt().isBefore(t)).orElse(true)
        && query.claimedUntil().map(t -> facts.claimedAt().isBefore(t)).orElse(true)
        && query
            .before()
            .map(
                p ->
                    facts.claimedAt().isBefore(p.claimedAt())
                        || (facts.claimedAt().equals(p.claimedAt())
                            && facts.id().hex().compareTo(p.id().hex()) < 0))
            .orElse(true);
  }

  @Override
  public Future<Optional<Found>> show(String tenant, RecordId id) {
    return Future.succeededFuture(
        rows.row(id)
            .filter(row -> row.record().facts().tenant().equals(tenant))
            .flatMap(this::found));
  }

  private Optional<Found> found(Row row) {
    return Optional.ofNullable(RecordRules.aged(row.record(), now()))
        .map(
            record ->
                new Found(
                    withoutBody(record),
                    row.record() instanceof Claimed && record instanceof Unknown
                        ? "the lease lapsed"
                        : row.reason(),
                    row.questions(),
                    row.record() instanceof Unknown && row.due() == null));
  }

  private static IdempotencyRecord withoutBody(IdempotencyRecord record) {
    if (!(record instanceof Completed completed)) {
      return record;
    }
    StoredAnswer answer = completed.answer();
    return new Completed(
        completed.facts(),
        new StoredAnswer(
            answer.status(),
            answer.head(),
            new StoredBody.NotKept(),
            answer.digest(),
            answer.sealed()),
        completed.completedAt(),
        completed.reconstructed());
  }

  @Override
  public Future<List<TimelineEntry>> timeline(String tenant, RecordId id) {
    return Future.succeededFuture(rows.timeline(tenant, id));
  }
}
