package dev.oncegate.store.postgres;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.store.postgres.Lane.Job;
import dev.oncegate.store.postgres.Lane.Reply;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.pgclient.PgNotice;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection of a lane: made again whenever it is lost, at most one statement in flight. */
final class LaneConnection {
  private static final Logger LOG = LoggerFactory.getLogger(LaneConnection.class);

  /** Doubled with each failed try. The first try after a loss is made at once. */
  private static final long FIRST_BACKOFF_MS = 50;

  /**
   * The client cannot take back a try to connect. Where packets are dropped each ends after a
   * minute; where a frozen server has accepted them they stay, and are used when it comes back.
   */
  private static final int MOST_PENDING = 30;

  private static final long CROWDED_BACKOFF_MS = 60_000;

  private final ContextInternal context;
  private final Lane lane;
  private final Wire wire;
  private final PgStoreSettings settings;
  private @Nullable PgConnection connection;
  private @Nullable Job running;
  private @Nullable Throwable lastFailure;
  private boolean warned;
  private boolean closed;

  /** Whether this connection has answered anything: one that never did is no reason to hurry. */
  private boolean proved;

  private int failures;
  private int pending;

  /** Counts tries and connections, so that the late word of an earlier one is known as such. */
  private int epoch;

  LaneConnection(ContextInternal context, Lane lane, Wire wire, PgStoreSettings settings) {
    this.context = context;
    this.lane = lane;
    this.wire = wire;
    this.settings = settings;
  }

  boolean idle() {
    return connection != null && running == null;
  }

  boolean connected() {
    return connection != null;
  }

  boolean runs(Job job) {
    return running == job;
  }

  /** Why there is no connection; null while there is one. */
  @Nullable Throwable lastFailure() {
    return lastFailure;
  }

  void connect() {
    int mine = ++epoch;
    pending++;
    long timer =
        context.setTimer(
            settings.connectTimeout().toMillis(),
            fired -> failed(mine, new LaneFailure.NotAsked("connecting took too long", null)));
    wire.connect(context)
        .onComplete(
            made -> {
              pending--;
              context.owner().cancelTimer(timer);
              if (made.succeeded()) {
                connected(made.result());
              } else {
                failed(mine, made.cause());
              }
            });
  }

  /** Takes a try that was given up as well: a frozen server may have come back to it. */
  private void connected(PgConnection fresh) {
    if (connection != null || closed) {
      Wire.cut(fresh);
      return;
    }
    int mine = ++epoch;
    fresh.noticeHandler(this::noticed);
    fresh.exceptionHandler(broken -> LOG.debug("{} lane: {}", lane.name(), broken.toString()));
    fresh.closeHandler(gone -> lost(mine, "the connection closed"));
    connection = fresh;
    proved = false;
    lastFailure = null;
    lane.connected();
  }

  private void failed(int mine, Throwable cause) {
    if (mine != epoch || closed) {
      return;
    }
    int after = ++epoch;
    lastFailure = cause;
    lane.disconnected(cause);
    long backoff =
        Math.min(settings.longestBackoff().toMillis(), FIRST_BACKOFF_MS << Math.min(failures, 10));
    failures++;
    context.setTimer(
        pending < MOST_PENDING ? backoff : CROWDED_BACKOFF_MS,
        fired -> {
          if (after == epoch && !closed) {
            connect();
          }
        });
  }

  void run(Job job) {
    PgConnection on = connection;
    BrokenInvariant.require(on != null && running == null, "one statement in flight");
    int mine = epoch;
    running = job;
    warned = false;
    if (on != null) {
      on.preparedQuery(job.sql).execute(job.parameters).onComplete(told -> answered(mine, told));
    }
  }

  private void answered(int mine, AsyncResult<RowSet<Row>> told) {
    Job job = running;
    if (mine != epoch || job == null) {
      return;
    }
    if (told.failed() && !(told.cause() instanceof PgException)) {
      lost(mine, "the connection broke");
      return;
    }
    running = null;
    proved = true;
    failures = 0;
    if (told.succeeded()) {
      job.succeed(context, new Reply(told.result(), warned));
    } else {
      job.fail(context, told.cause());
      if (PgFailures.spoilsConnection(told.cause())) {
        drop("it is of no use any more");
      }
    }
    lane.wake();
  }

  /**
   * Class 01 is a warning in any language; the severity is a translated word. A commit whose wait
   * for the standby was cut short ends with one, after its row has come back (reliability 5).
   */
  private void noticed(PgNotice notice) {
    String code = notice.getCode();
    if (code == null || code.startsWith("01")) {
      warned = true;
    }
  }

  /** Gives the connection up without waiting for anything, and makes another. */
  void drop(String why) {
    PgConnection old = connection;
    lost(epoch, why);
    if (old != null) {
      Wire.cut(old);
    }
  }

  private void lost(int mine, String why) {
    if (mine != epoch || closed) {
      return;
    }
    connection = null;
    Job job = running;
    running = null;
    if (proved) {
      connect();
    } else {
      failed(mine, new LaneFailure.Lost(why, null));
    }
    if (job != null) {
      job.fail(context, new LaneFailure.Lost("lost a statement: " + why, null));
    }
  }

  Future<Void> close() {
    closed = true;
    epoch++;
    Job job = running;
    running = null;
    if (job != null) {
      job.fail(context, new LaneFailure.Lost("lost a statement: the lane closed", null));
    }
    PgConnection old = connection;
    connection = null;
    return old == null ? context.succeededFuture() : old.close().otherwiseEmpty();
  }
}
