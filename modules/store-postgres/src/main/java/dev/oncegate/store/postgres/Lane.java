package dev.oncegate.store.postgres;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One loop's queue for one kind of statement: first come, first served, with a limit, over a few
 * connections of its own with one statement in flight each. Everything here runs on that loop.
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
  private final Deque<Job> queue = new ArrayDeque<>();
  private final List<LaneConnection> connections = new ArrayList<>();
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
    for (int i = 0; i < size; i++) {
      connections.add(new LaneConnection(context, this, wire, settings));
    }
  }

  /** Begins to connect; what is asked meanwhile waits. */
  void open() {
    connections.forEach(LaneConnection::connect);
  }

  /**
   * Asks one statement. The future fails with {@link LaneFailure} or what Postgres answered.
   *
   * @param deadline on the monotonic clock, for waiting in the queue and for the answer
   */
  Future<Reply> ask(String sql, Tuple parameters, long deadline) {
    long left = Duration.ofNanos(deadline - nanos.getAsLong()).toMillis() - reserve;
    if (closed || left <= 0) {
      return context.failedFuture(notAsked(closed ? "is closed" : "had no time left", null));
    }
    if (queue.size() >= limit) {
      return context.failedFuture(notAsked("has a full queue", null));
    }
    Job job = new Job(sql, parameters, context.promise());
    job.timer = context.setTimer(left, fired -> lateInQueue(job));
    queue.add(job);
    pump();
    return job.promise.future();
  }

  /** Gives waiting statements to idle connections. */
  void pump() {
    for (LaneConnection connection : connections) {
      if (queue.isEmpty()) {
        return;
      }
      if (connection.idle()) {
        connection.run(queue.remove());
      }
    }
  }

  /** Ends the lane; what still waits was not asked, what runs is lost to us. */
  Future<Void> close() {
    closed = true;
    while (!queue.isEmpty()) {
      queue.remove().fail(context, notAsked("is closed", null));
    }
    return Future.join(connections.stream().map(LaneConnection::close).toList()).mapEmpty();
  }

  String name() {
    return name;
  }

  /** A connection is there (again). */
  void connected() {
    if (down) {
      down = false;
      LOG.info("{} lane: connected to Postgres again", name);
    }
    pump();
  }

  /** A try to connect failed; said once until one succeeds. */
  void disconnected(Throwable cause) {
    if (!down && connections.stream().noneMatch(LaneConnection::connected)) {
      down = true;
      LOG.warn("{} lane: no connection to Postgres: {}", name, cause.toString());
    }
  }

  private void lateInQueue(Job job) {
    if (queue.remove(job)) {
      job.fail(context, notAsked("had no connection in time", lastFailure()));
    } else {
      job.timer = context.setTimer(reserve, fired -> lateInFlight(job));
    }
  }

  private void lateInFlight(Job job) {
    for (LaneConnection connection : connections) {
      if (connection.runs(job)) {
        connection.drop("no answer in time");
      }
    }
  }

  private @Nullable Throwable lastFailure() {
    for (LaneConnection connection : connections) {
      if (connection.lastFailure() != null) {
        return connection.lastFailure();
      }
    }
    return null;
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
    final Promise<Reply> promise;
    long timer;

    Job(String sql, Tuple parameters, Promise<Reply> promise) {
      this.sql = sql;
      this.parameters = parameters;
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
