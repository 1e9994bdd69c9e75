package dev.oncegate.store.postgres;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One loop's queue for one kind of statement: first come, first served, with a limit, over a few
 * connections of its own with one statement in flight each. Everything here runs on that loop.
 *
 * <p>What waits is kept by {@link Source}s: {@link Singles} for statements as they are, a {@link
 * BatchLane} for rows that leave together, {@link LookUps} for reads that do. Statements leave at
 * the end of the loop's turn, so that all which arrives within it can leave as one; there is no
 * timer, so an idle lane sends one row at once and a busy one makes bigger batches by itself
 * (architecture D).
 *
 * <p>Own connections, because a notice handler on a pooled one is lost, and a warning is what tells
 * a durable commit from another (libraries 3.4). A statement is never cancelled: one whose answer
 * does not come in time costs its connection.
 */
final class Lane {
  private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

  /** For the statement itself and the way there and back. */
  private static final long ANSWER_MS = 100;

  private final ContextInternal context;
  private final String name;
  private final int limit;

  /**
   * What a statement has at least once it is sent: time to wait for a lock and say so. Without it a
   * lane under too much load would send what is about to be given up, and lose its connections.
   */
  private final long reserve;

  private final LongSupplier nanos;
  private final List<LaneConnection> connections = new ArrayList<>();
  private final List<Source> sources = new ArrayList<>();
  private final Singles singles;
  private long tickets;
  private long statements;
  private boolean woken;
  private boolean closed;
  private boolean down;

  Lane(
      ContextInternal context,
      String name,
      int size,
      Wire wire,
      PgStoreSettings settings,
      LongSupplier nanos) {
    this.context = context;
    this.name = name;
    this.limit = settings.queue();
    this.reserve = settings.lockTimeout().toMillis() + ANSWER_MS;
    this.nanos = nanos;
    this.singles = new Singles(this, context);
    sources.add(singles);
    for (int i = 0; i < size; i++) {
      connections.add(new LaneConnection(context, this, wire, settings));
    }
  }

  /** What waits for a connection of this lane. */
  interface Source {
    /** Ticket of the one that has waited longest and may be sent now; null where there is none. */
    @Nullable Long oldest();

    /** The next statement to send; null where it turns out that none may be. */
    @Nullable Job take();

    /** How many rows or statements wait, of those that the lane's limit is for. */
    int waiting();

    /** Fails everything that waits. */
    void clear(LaneFailure why);
  }

  /** Begins to connect; what is asked meanwhile waits. */
  void open() {
    connections.forEach(LaneConnection::connect);
  }

  void add(Source source) {
    sources.add(source);
  }

  /**
   * Asks one statement. The future fails with {@link LaneFailure} or what Postgres answered.
   *
   * @param deadline on the monotonic clock, for waiting in the queue and for the answer
   */
  Future<Reply> ask(String sql, Tuple parameters, long deadline) {
    return singles.ask(sql, parameters, deadline);
  }

  /** Why nothing more can wait until then; null where it can. */
  @Nullable LaneFailure refusal(long deadline) {
    int waiting = 0;
    for (Source source : sources) {
      waiting += source.waiting();
    }
    return refusal(deadline, waiting, limit);
  }

  /** The same for a source that has a limit of its own. */
  @Nullable LaneFailure refusal(long deadline, int waiting, int most) {
    if (closed) {
      return notAsked("is closed", null);
    } else if (patience(deadline) <= 0) {
      return notAsked("had no time left", null);
    }
    return waiting >= most ? notAsked("has a full queue", null) : null;
  }

  /** Milliseconds that something with this deadline may wait before it is sent. */
  long patience(long deadline) {
    return Duration.ofNanos(deadline - nanos.getAsLong()).toMillis() - reserve;
  }

  /** Numbers what waits, over all sources. */
  long ticket() {
    return ++tickets;
  }

  /** Something that waits may be sent, at the end of this turn. */
  void wake() {
    if (!woken) {
      woken = true;
      context.runOnContext(
          turnEnded -> {
            woken = false;
            pump();
          });
    }
  }

  /** Gives what waits to idle connections. */
  private void pump() {
    for (LaneConnection connection : connections) {
      if (connection.idle()) {
        Job job = next();
        if (job == null) {
          return;
        }
        send(connection, job);
      }
    }
  }

  private @Nullable Job next() {
    while (true) {
      Source first = null;
      long least = Long.MAX_VALUE;
      for (Source source : sources) {
        Long ticket = source.oldest();
        if (ticket != null && ticket < least) {
          least = ticket;
          first = source;
        }
      }
      if (first == null) {
        return null;
      }
      Job job = first.take();
      if (job != null) {
        return job;
      }
    }
  }

  private void send(LaneConnection connection, Job job) {
    long left = Math.max(1, Duration.ofNanos(job.deadline - nanos.getAsLong()).toMillis());
    job.timer =
        context.setTimer(
            left,
            fired -> {
              if (connection.runs(job)) {
                connection.drop("no answer in time");
              }
            });
    statements++;
    connection.run(job);
  }

  /** Ends the lane; what still waits was not asked, what runs is lost to us. */
  Future<Void> close() {
    closed = true;
    sources.forEach(source -> source.clear(notAsked("is closed", null)));
    return Future.join(connections.stream().map(LaneConnection::close).toList()).mapEmpty();
  }

  String name() {
    return name;
  }

  int size() {
    return connections.size();
  }

  /** How many statements were sent. */
  long statements() {
    return statements;
  }

  /** A connection is there (again). */
  void connected() {
    if (down) {
      down = false;
      LOG.info("{} lane: connected to Postgres again", name);
    }
    wake();
  }

  /** A try to connect failed; said once until one succeeds. */
  void disconnected(Throwable cause) {
    if (!down && connections.stream().noneMatch(LaneConnection::connected)) {
      down = true;
      LOG.warn("{} lane: no connection to Postgres: {}", name, cause.toString());
    }
  }

  /** That its time to wait is over. */
  LaneFailure late() {
    for (LaneConnection connection : connections) {
      if (connection.lastFailure() != null) {
        return notAsked("had no connection in time", connection.lastFailure());
      }
    }
    return notAsked("had no connection in time", null);
  }

  private LaneFailure notAsked(String what, @Nullable Throwable cause) {
    return new LaneFailure.NotAsked("the " + name + " lane " + what, cause);
  }

  /**
   * What came back.
   *
   * @param warned whether the server warned meanwhile: what was committed may not be durable
   */
  record Reply(RowSet<Row> rows, boolean warned) {
    /** The only row, or null where there is none. */
    @Nullable Row row() {
      var iterator = rows.iterator();
      return iterator.hasNext() ? iterator.next() : null;
    }
  }

  /** One statement on its way. */
  static final class Job {
    final String sql;
    final Tuple parameters;
    final long deadline;
    final Promise<Reply> promise;

    /** Set while it waits and while it runs. */
    long timer;

    Job(String sql, Tuple parameters, long deadline, Promise<Reply> promise) {
      this.sql = sql;
      this.parameters = parameters;
      this.deadline = deadline;
      this.promise = promise;
    }

    void succeed(ContextInternal context, Reply reply) {
      context.owner().cancelTimer(timer);
      promise.tryComplete(reply);
    }

    void fail(ContextInternal context, Throwable failure) {
      context.owner().cancelTimer(timer);
      promise.tryFail(failure);
    }
  }
}
