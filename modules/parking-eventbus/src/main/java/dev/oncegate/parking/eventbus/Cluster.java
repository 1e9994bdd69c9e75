package dev.oncegate.parking.eventbus;

import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.Waiting;
import dev.oncegate.parking.eventbus.BusMessage.Attach;
import dev.oncegate.parking.eventbus.BusMessage.HintReply;
import dev.oncegate.parking.eventbus.BusMessage.Question;
import dev.oncegate.parking.eventbus.BusMessage.Reply;
import dev.oncegate.parking.eventbus.BusMessage.Seats;
import dev.oncegate.parking.eventbus.BusMessage.SeatsReply;
import dev.oncegate.parking.eventbus.ClusterNode.Shared;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The owners of other processes, while there is a cluster. It is formed in the background, and
 * formed again whenever it could not be or has ended; until then every question fails at once. All
 * that may block has one thread of its own.
 */
final class Cluster implements RemoteOwners {
  private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);
  private static final long FIRST_RETRY_MILLIS = 1000;
  private static final long LONGEST_RETRY_MILLIS = 30_000;

  private final ClusterSettings settings;
  private final Shared shared;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread made = new Thread(task, "oncegate-cluster");
            made.setDaemon(true);
            return made;
          });

  private volatile @Nullable ClusterNode node;
  private volatile String notFormed = "the cluster has not formed yet";
  private volatile boolean joining;
  private volatile boolean closed;

  /** Belongs to the thread. */
  private long retryMillis = FIRST_RETRY_MILLIS;

  Cluster(ClusterSettings settings, Shared shared) {
    this.settings = settings;
    this.shared = shared;
  }

  /** Returns at once. */
  void start() {
    thread.execute(this::form);
  }

  @Override
  public Future<Hint> attach(String owner, Waiting waiting) {
    return ask(owner, new Attach(waiting), waiting.timeLeft())
        .compose(
            reply ->
                reply instanceof HintReply its
                        && its.id().equals(waiting.id())
                        && its.token().equals(waiting.token())
                    ? Future.succeededFuture(its.hint())
                    : Future.failedFuture(new NoAnswer("a reply to something else")));
  }

  @Override
  public Future<Integer> seats(String owner, Waiting waiting, int wanted) {
    return ask(owner, new Seats(waiting, wanted), EventBusWaiterBus.SEATS_LIMIT)
        .compose(
            reply ->
                reply instanceof SeatsReply its
                        && its.id().equals(waiting.id())
                        && its.token().equals(waiting.token())
                    ? Future.succeededFuture(Math.min(its.granted(), wanted))
                    : Future.failedFuture(new NoAnswer("a reply to something else")));
  }

  @Override
  public boolean healthy() {
    return trouble().isEmpty();
  }

  Optional<String> trouble() {
    ClusterNode now = node;
    return now == null ? Optional.of(notFormed) : now.trouble();
  }

  /** The node of the moment; null while there is no cluster. */
  @Nullable ClusterNode node() {
    return node;
  }

  /** Messages that were none of ours. */
  long refused() {
    return shared.refused().count();
  }

  void ownersChanged() {
    ClusterNode now = node;
    if (now != null) {
      now.ownersChanged();
    }
  }

  /**
   * Leaves the cluster. A member that is just joining is left to end by itself, which may take as
   * long as joining does: nobody waits for it.
   */
  Future<Void> close() {
    Promise<Void> done = Promise.promise();
    closed = true;
    if (joining) {
      done.complete();
    }
    try {
      thread.execute(() -> end(done));
    } catch (RejectedExecutionException e) {
      done.tryComplete();
    }
    return done.future();
  }

  private Future<Reply> ask(String owner, Question question, Duration limit) {
    ClusterNode now = node;
    return now == null
        ? Future.failedFuture(new NoAnswer(notFormed))
        : now.asker().ask(owner, question, limit);
  }

  private void form() {
    if (closed) {
      return;
    }
    joining = true;
    try {
      Formation.start(settings)
          .onComplete(formed -> onThread(() -> formed(formed.result(), formed.cause())));
    } catch (RuntimeException e) {
      formed(null, e);
    }
  }

  private void formed(@Nullable Formation formation, @Nullable Throwable cause) {
    joining = false;
    if (formation == null && closed) {
      thread.shutdown();
    } else if (formation == null) {
      retry(cause);
    } else if (closed) {
      formation.vertx().close().onComplete(left -> onThread(() -> endHazelcast(formation)));
    } else {
      retryMillis = FIRST_RETRY_MILLIS;
      ClusterNode made =
          new ClusterNode(settings, formation, shared, () -> onThread(this::stopped));
      node = made;
      made.start();
      LOG.atInfo().addKeyValue("members", formation.members().size()).log("the cluster has formed");
    }
  }

  private void retry(@Nullable Throwable cause) {
    String why = cause == null ? "" : firstLine(cause);
    notFormed = "the cluster has not formed: " + why;
    LOG.atWarn()
        .addKeyValue("retry_ms", retryMillis)
        .addKeyValue("why", why)
        .log("the cluster has not formed; waiters poll");
    later(retryMillis);
    retryMillis = Math.min(2 * retryMillis, LONGEST_RETRY_MILLIS);
  }

  /** Hazelcast ended by itself, out of memory perhaps: what is left is closed, a new one formed. */
  private void stopped() {
    ClusterNode ended = node;
    node = null;
    notFormed = "the cluster has ended";
    if (ended != null) {
      LOG.warn("Hazelcast has stopped; the cluster is formed again");
      ended.close().onComplete(left -> onThread(() -> later(FIRST_RETRY_MILLIS)));
    }
  }

  private void end(Promise<Void> done) {
    ClusterNode last = node;
    node = null;
    notFormed = "the cluster was left";
    if (last != null) {
      last.close()
          .onComplete(
              left ->
                  onThread(
                      () -> {
                        endHazelcast(last.formation());
                        done.tryComplete();
                      }));
    } else {
      done.tryComplete();
      if (!joining) {
        thread.shutdown();
      }
    }
  }

  /** The last thing that the thread does. */
  private void endHazelcast(Formation formation) {
    thread.shutdown();
    try {
      formation.stopHazelcast();
    } catch (RuntimeException e) {
      LOG.debug("Hazelcast was not stopped in order", e);
    }
  }

  private void later(long millis) {
    if (!closed) {
      thread.schedule(this::form, millis, TimeUnit.MILLISECONDS);
    }
  }

  private void onThread(Runnable task) {
    try {
      thread.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("the cluster was left meanwhile", e);
    }
  }

  private static String firstLine(Throwable cause) {
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
  }
}
