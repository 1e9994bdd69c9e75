package dev.oncegate.store.postgres;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.ResolveOutcome;
import dev.oncegate.core.TimelineEntry;
import dev.oncegate.core.TimelineEntry.Note;
import dev.oncegate.core.Verdict;
import dev.oncegate.engine.port.RecordReader;
import dev.oncegate.engine.port.RecordStore.StoreUnavailable;
import dev.oncegate.engine.port.RecordUpkeep;
import dev.oncegate.store.postgres.Lane.Reply;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Upkeep and looking, on three connections of their own: two that write, and one for people, whose
 * questions may take long. One per process; asked from any context. A statement ends by the
 * server's own time limit, and one whose answer never comes costs its connection, so nothing hangs.
 */
public final class PgUpkeep implements RecordUpkeep, RecordReader {
  /**
   * Every statement that writes finds its rows by an index: in its order where it looks for what is
   * due, by id where it changes that. Planned anew each time, for the tables as large as they are
   * then: a plan from when they were empty would read them from end to end, and these are few
   * statements.
   */
  static final Map<String, String> PLANS =
      Map.of(
          "plan_cache_mode", "force_custom_plan",
          "enable_seqscan", "off",
          "enable_bitmapscan", "off",
          "enable_hashjoin", "off",
          "enable_mergejoin", "off",
          "jit", "off",
          "statement_timeout", "8000");

  /** People's questions have values that decide how to look for them. */
  private static final Map<String, String> FREE =
      Map.of("plan_cache_mode", "force_custom_plan", "jit", "off", "statement_timeout", "4000");

  private static final Duration WRITE_PATIENCE = Duration.ofSeconds(10);
  private static final Duration READ_PATIENCE = Duration.ofSeconds(5);
  private static final int MOST_FOUND = 1000;

  /** How long a verdict waits for an owner that is just settling. */
  private static final PgStoreSettings SETTINGS =
      new PgStoreSettings(
          1,
          1,
          1,
          1024,
          WRITE_PATIENCE,
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          Duration.ofSeconds(1));

  private final Loop loop;
  private final Sweeps sweeps = new Sweeps(this::write);
  private final LongSupplier nanos;
  private final Wire writing;
  private final Wire reading;
  private final Lane writes;
  private final Lane reads;

  private PgUpkeep(ContextInternal context, PgConnectOptions options, LongSupplier nanos) {
    this.loop = new Loop(context);
    this.nanos = nanos;
    writing = new Wire(context.owner(), Wire.prepared(options, "oncegate upkeep", SETTINGS, PLANS));
    reading = new Wire(context.owner(), Wire.prepared(options, "oncegate reader", SETTINGS, FREE));
    writes = new Lane(context, "upkeep", 2, writing, SETTINGS, nanos);
    reads = new Lane(context, "reader", 1, reading, SETTINGS, nanos);
  }

  /**
   * On the calling context's event loop (a loop of its own where there is none); begins to connect
   * at once and does not wait for it.
   *
   * @param options where Postgres is; the schema must be migrated ({@link SchemaMigrator})
   * @param nanos a monotonic clock
   */
  public static PgUpkeep open(Vertx vertx, PgConnectOptions options, LongSupplier nanos) {
    ContextInternal context = (ContextInternal) vertx.getOrCreateContext();
    PgUpkeep upkeep = new PgUpkeep(context.unwrap(), options, nanos);
    upkeep.loop.run(
        () -> {
          upkeep.writes.open();
          upkeep.reads.open();
          return Future.succeededFuture();
        });
    return upkeep;
  }

  @Override
  public Future<List<Moved>> lapse(int limit) {
    return sweeps.lapse(limit);
  }

  @Override
  public Future<Integer> expire(int limit) {
    return sweeps.purge(UpkeepSql.EXPIRE, limit);
  }

  @Override
  public Future<Integer> forget(int limit) {
    return sweeps.purge(UpkeepSql.FORGET, limit);
  }

  @Override
  public Future<Integer> trimTimelines(Duration keep, int limit) {
    return write(UpkeepSql.TRIM, UpkeepSql.limited(limit, keep)).map(PgUpkeep::changed);
  }

  static int changed(Reply reply) {
    return theRow(reply).getInteger("changed");
  }

  static Row theRow(Reply reply) {
    Row row = reply.row();
    if (row == null) {
      throw new BrokenInvariant("there is always a row");
    }
    return row;
  }

  @Override
  public Future<List<Due>> take(int limit, Duration hold) {
    return write(UpkeepSql.TAKE, UpkeepSql.limited(limit, hold))
        .map(reply -> rows(reply).flatMap(PgUpkeep::due).toList());
  }

  private static Stream<Due> due(Row row) {
    return RecordRows.readable(row)
        .filter(Unknown.class::isInstance)
        .map(
            record ->
                new Due(
                    (Unknown) record,
                    RecordRows.now(row),
                    row.getInteger("questions"),
                    row.getString("last_said")))
        .stream();
  }

  @Override
  public Future<ResolveOutcome> resolve(
      RecordId id, FencingToken token, Verdict verdict, List<Note> notes) {
    if (verdict instanceof Verdict.Applied applied) {
      return write(ResolveSql.APPLIED, ResolveSql.applied(id, token, applied.answer(), notes))
          .compose(reply -> resolved(reply, Duration.ZERO));
    } else if (verdict instanceof Verdict.NotApplied not) {
      return write(ResolveSql.NOT_APPLIED, ResolveSql.notApplied(id, token, not, notes))
          .compose(reply -> resolved(reply, not.quarantine()));
    } else if (verdict instanceof Verdict.Undecided undecided) {
      return write(ResolveSql.UNDECIDED, ResolveSql.undecided(id, token, undecided, notes))
          .compose(reply -> resolved(reply, Duration.ZERO));
    }
    throw new BrokenInvariant("no such verdict: " + verdict.getClass());
  }

  /**
   * A commit with a warning may not survive a failover: whoever asked asks again, and meets what
   * has become of it.
   */
  private static Future<ResolveOutcome> resolved(Reply reply, Duration quarantine) {
    Row row = reply.row();
    if (row == null) {
      return Future.succeededFuture(new ResolveOutcome.Stale());
    }
    if (!row.getBoolean("settled")) {
      return Future.succeededFuture(
          new ResolveOutcome.Quarantined(RecordRows.time(row, "since").plus(quarantine)));
    }
    return reply.warned()
        ? Future.failedFuture(new StoreUnavailable("the verdict was committed with a warning"))
        : Future.succeededFuture(
            new ResolveOutcome.Resolved(
                row.getOffsetDateTime("deadline") == null
                    ? null
                    : RecordRows.time(row, "deadline")));
  }

  /** Of the primary, which judges what is asked at it. */
  @Override
  public Future<Instant> clock() {
    return write(UpkeepSql.CLOCK, Tuple.tuple()).map(reply -> RecordRows.now(theRow(reply)));
  }

  @Override
  public Future<List<Book>> books() {
    return write(UpkeepSql.BOOKS, Tuple.tuple())
        .map(reply -> rows(reply).map(PgUpkeep::book).toList());
  }

  private static Book book(Row row) {
    Instant now = RecordRows.now(row);
    boolean any = row.getOffsetDateTime("oldest") != null;
    return new Book(
        row.getString("tenant"),
        row.getLong("claims"),
        row.getLong("completed"),
        row.getLong("released"),
        row.getLong("unknown"),
        row.getLong("running"),
        row.getLong("completed") - row.getLong("expired"),
        row.getLong("expired") - row.getLong("forgotten"),
        row.getLong("waiting"),
        any ? Duration.between(RecordRows.time(row, "oldest"), now) : null);
  }

  @Override
  public Future<List<Found>> find(Query query) {
    BrokenInvariant.require(
        query.limit() > 0 && query.limit() <= MOST_FOUND, "1 to 1,000 records at a time");
    return read(FindSql.find(query.state()), FindSql.find(query))
        .map(reply -> rows(reply).flatMap(row -> found(row).stream()).toList());
  }

  @Override
  public Future<Optional<Found>> show(String tenant, RecordId id) {
    return read(FindSql.SHOW, FindSql.one(tenant, id))
        .map(reply -> rows(reply).findFirst().flatMap(PgUpkeep::found));
  }

  private static Optional<Found> found(Row row) {
    return RecordRows.readable(row).flatMap(written -> FoundRows.found(row, written));
  }

  @Override
  public Future<List<TimelineEntry>> timeline(String tenant, RecordId id) {
    return read(FindSql.TIMELINE, FindSql.one(tenant, id))
        .map(reply -> rows(reply).flatMap(row -> FoundRows.entry(row).stream()).toList());
  }

  /** Closes the connections; statements that still run are lost to their callers. */
  public Future<Void> close() {
    return loop.run(
        () ->
            Future.join(writes.close(), reads.close())
                .onComplete(
                    closed -> {
                      writing.close();
                      reading.close();
                    })
                .mapEmpty());
  }

  private Future<Reply> write(String sql, Tuple parameters) {
    return ask(writes, sql, parameters, WRITE_PATIENCE);
  }

  private Future<Reply> read(String sql, Tuple parameters) {
    return ask(reads, sql, parameters, READ_PATIENCE);
  }

  /**
   * Once: whoever asks comes again in any case, and finds what an answer that was lost has done.
   */
  private Future<Reply> ask(Lane lane, String sql, Tuple parameters, Duration patience) {
    return loop.run(
        () ->
            lane.ask(sql, parameters, nanos.getAsLong() + patience.toNanos())
                .recover(failure -> Future.failedFuture(PgFailures.unavailable(failure))));
  }

  static Stream<Row> rows(Reply reply) {
    return StreamSupport.stream(reply.rows().spliterator(), false);
  }
}
