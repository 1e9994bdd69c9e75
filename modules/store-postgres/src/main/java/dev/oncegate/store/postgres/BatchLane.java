package dev.oncegate.store.postgres;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.RecordId;
import dev.oncegate.store.postgres.BatchRow.Told;
import dev.oncegate.store.postgres.Lane.Job;
import dev.oncegate.store.postgres.Lane.Reply;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rows that leave a lane together: whatever waits when a connection is idle is one statement, one
 * transaction, one commit. One statement text serves every number of rows, since its parameters are
 * arrays.
 *
 * <p>A failure stays with its row. Where Postgres refuses a statement of several rows, each is
 * asked again by itself, so that the bad one costs only itself. Rows that have to wait for a rival
 * ({@link #askPatiently}) never take more than half of the lane's connections: a rival that never
 * commits stalls only those who want its key.
 *
 * <p>No record is twice in one statement, nor in two that run at once: of two rows with the same id
 * the later one waits behind the earlier.
 */
final class BatchLane<R extends BatchRow> implements Lane.Source {
  /** Column with the id of the row that an answer belongs to. */
  static final String ASKED = "asked";

  private final ContextInternal context;
  private final Lane lane;
  private final Shape<R> shape;
  private final int mostBytes;
  private final Line gathered;
  private final Line suspects;
  private final Line patient;

  /** The records of rows in flight, each with the rows that wait behind it. */
  private final Map<RecordId, Deque<R>> flying = new HashMap<>();

  private int behind;

  BatchLane(ContextInternal context, Lane lane, Shape<R> shape, PgStoreSettings settings) {
    this.context = context;
    this.lane = lane;
    this.shape = shape;
    this.mostBytes = settings.batchBytes();
    this.gathered = new Line(settings.batchRows(), lane.size(), settings.batchRows() == 1);
    this.suspects = new Line(1, lane.size(), false);
    this.patient = new Line(1, Math.max(1, lane.size() / 2), true);
    lane.add(this);
  }

  /** How rows become a statement. Its answer has at most one row for each, with {@link #ASKED}. */
  interface Shape<R> {
    String sql();

    /**
     * The arrays, each as long as {@code rows}.
     *
     * @param patient whether to wait for a rival as long as the connection allows; only where there
     *     is one row
     */
    Tuple parameters(List<R> rows, boolean patient);
  }

  /** Asks a row together with what else waits; fails as {@link Lane#ask} does. */
  Future<Told> ask(R row, long deadline) {
    return ask(row, deadline, gathered);
  }

  /** Asks a row in a statement of its own that waits for a rival, as long as for a lock. */
  Future<Told> askPatiently(R row, long deadline) {
    return ask(row, deadline, patient);
  }

  private Future<Told> ask(R row, long deadline, Line line) {
    LaneFailure refusal = lane.refusal(deadline);
    if (refusal != null) {
      return context.failedFuture(refusal);
    }
    Promise<Told> promise = context.promise();
    row.begin(promise, deadline);
    enqueue(row, line);
    return promise.future();
  }

  private void enqueue(R row, Line line) {
    row.ticket = lane.ticket();
    row.timer = context.setTimer(Math.max(1, lane.patience(row.deadline)), fired -> late(row));
    line.rows.add(row);
    lane.wake();
  }

  private void late(R row) {
    Deque<R> waiters = flying.get(row.id());
    if (lines().anyMatch(line -> line.rows.remove(row))) {
      row.end().fail(lane.late());
    } else if (waiters != null && waiters.remove(row)) {
      behind--;
      row.end().fail(lane.late());
    }
  }

  @Override
  public @Nullable Long oldest() {
    Line line = first();
    return line == null ? null : line.rows.element().ticket;
  }

  private @Nullable Line first() {
    return lines()
        .filter(line -> !line.rows.isEmpty() && line.inFlight < line.mostInFlight)
        .min(Comparator.comparingLong(line -> line.rows.element().ticket))
        .orElse(null);
  }

  private Stream<Line> lines() {
    return Stream.of(gathered, suspects, patient);
  }

  @Override
  public @Nullable Job take() {
    Line line = first();
    List<R> rows = line == null ? List.of() : gather(line);
    if (line == null || rows.isEmpty()) {
      return null;
    }
    line.inFlight++;
    long deadline = Long.MAX_VALUE;
    for (R row : rows) {
      context.owner().cancelTimer(row.timer);
      row.markSent();
      // nanoTime may be negative and wrap: only differences mean anything.
      deadline =
          deadline == Long.MAX_VALUE || row.deadline - deadline < 0 ? row.deadline : deadline;
    }
    Promise<Reply> promise = context.promise();
    promise.future().onComplete(told -> answered(line, rows, told));
    Tuple parameters = shape.parameters(rows, line.patient);
    return new Job(shape.sql(), parameters, deadline, promise);
  }

  private List<R> gather(Line line) {
    List<R> rows = new ArrayList<>(Math.min(line.mostRows, line.rows.size()));
    long bytes = 0;
    while (!line.rows.isEmpty() && rows.size() < line.mostRows) {
      R row = line.rows.element();
      bytes += row.bytes();
      if (bytes > mostBytes && !rows.isEmpty()) {
        break;
      }
      line.rows.remove();
      Deque<R> waiters = flying.get(row.id());
      if (waiters == null) {
        flying.put(row.id(), new ArrayDeque<>(0));
        rows.add(row);
      } else {
        bytes -= row.bytes();
        behind++;
        waiters.add(row);
      }
    }
    return rows;
  }

  private void answered(Line line, List<R> rows, AsyncResult<Reply> told) {
    line.inFlight--;
    rows.forEach(this::landed);
    if (told.succeeded()) {
      share(rows, told.result());
    } else if (rows.size() > 1 && PgFailures.mayBeOneRows(told.cause())) {
      rows.forEach(row -> suspect(row, told.cause()));
    } else {
      rows.forEach(row -> row.end().fail(told.cause()));
    }
    lane.wake();
  }

  /** Those who waited behind it go first: they came before whatever has been gathered since. */
  private void landed(R row) {
    Deque<R> waiters = flying.remove(row.id());
    BrokenInvariant.require(waiters != null, "a row lands once");
    while (waiters != null && !waiters.isEmpty()) {
      behind--;
      gathered.rows.addFirst(waiters.removeLast());
    }
  }

  private void share(List<R> rows, Reply reply) {
    Map<RecordId, Row> answers = new HashMap<>();
    for (Row row : reply.rows()) {
      answers.put(RecordRows.id(row.getBuffer(ASKED)), row);
    }
    rows.forEach(row -> row.end().complete(new Told(answers.get(row.id()), reply.warned())));
  }

  private void suspect(R row, Throwable refusal) {
    if (lane.patience(row.deadline) <= 0) {
      row.end().fail(refusal);
    } else {
      enqueue(row, suspects);
    }
  }

  @Override
  public int waiting() {
    return gathered.rows.size() + suspects.rows.size() + patient.rows.size() + behind;
  }

  @Override
  public void clear(LaneFailure why) {
    List<R> waiting = new ArrayList<>();
    Stream.concat(lines().map(line -> line.rows), flying.values().stream())
        .forEach(
            rows -> {
              waiting.addAll(rows);
              rows.clear();
            });
    behind = 0;
    for (R row : waiting) {
      context.owner().cancelTimer(row.timer);
      row.end().fail(why);
    }
  }

  /** Rows in the order in which they came, and how they are sent. */
  private final class Line {
    final Deque<R> rows = new ArrayDeque<>();
    final int mostRows;
    final int mostInFlight;
    final boolean patient;
    int inFlight;

    Line(int mostRows, int mostInFlight, boolean patient) {
      this.mostRows = mostRows;
      this.mostInFlight = mostInFlight;
      this.patient = patient;
    }
  }
}
