package dev.oncegate.store.postgres;

import dev.oncegate.store.postgres.Lane.Job;
import dev.oncegate.store.postgres.Lane.Reply;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads that wait together: whoever asks for what is already asked for and not yet sent shares its
 * answer, which is then no older than the question; and what waits when a connection is idle leaves
 * as one statement.
 *
 * <p>Others on the lane do not suffer from however many there are: these have a limit of their own,
 * and after each of their statements it is the turn of what else has come by then.
 *
 * @param <K> what is looked up, a value
 * @param <T> what it is told
 */
final class LookUps<K, T> implements Lane.Source {
  private final ContextInternal context;
  private final Lane lane;
  private final Shape<K, T> shape;
  private final Limits limits;

  /** What waits to be sent, in the order in which it was first asked for. */
  private final Map<K, Waiting<T>> queue = new LinkedHashMap<>();

  private int askers;
  private int inFlight;

  /** Drawn as the last statement left: nothing of these goes before what has come until then. */
  private long turn;

  LookUps(ContextInternal context, Lane lane, Shape<K, T> shape, Limits limits) {
    this.context = context;
    this.lane = lane;
    this.shape = shape;
    this.limits = limits;
    lane.add(this);
  }

  /** How keys become a statement that reads, and its rows their answers. */
  interface Shape<K, T> {
    String sql();

    Tuple parameters(List<K> keys);

    /** The answer of each key. What is thrown here, or by the function, fails those who asked. */
    Function<K, T> answers(Reply reply);
  }

  /**
   * Of one kind of look-ups.
   *
   * @param askers how many may wait; beyond it {@link LaneFailure.NotAsked} at once
   * @param rows most keys of one statement
   * @param inFlight most statements at one time
   */
  record Limits(int askers, int rows, int inFlight) {}

  /** Asks for a key; fails as {@link Lane#ask} does. */
  Future<T> ask(K key, long deadline) {
    LaneFailure refusal = lane.refusal(deadline, askers, limits.askers());
    if (refusal != null) {
      return context.failedFuture(refusal);
    }
    Waiting<T> waiting = queue.computeIfAbsent(key, first -> new Waiting<>(lane.ticket()));
    Asker<T> asker = new Asker<>(context.promise(), deadline);
    asker.timer =
        context.setTimer(Math.max(1, lane.patience(deadline)), fired -> late(key, waiting, asker));
    waiting.askers().add(asker);
    askers++;
    lane.wake();
    return asker.promise.future();
  }

  private void late(K key, Waiting<T> waiting, Asker<T> asker) {
    if (queue.get(key) == waiting && waiting.askers().remove(asker)) {
      askers--;
      if (waiting.askers().isEmpty()) {
        queue.remove(key);
      }
      asker.promise.fail(lane.late());
    }
  }

  @Override
  public @Nullable Long oldest() {
    if (queue.isEmpty() || inFlight == limits.inFlight()) {
      return null;
    }
    return Math.max(turn, queue.values().iterator().next().ticket());
  }

  @Override
  public Job take() {
    Map<K, Waiting<T>> taken = new LinkedHashMap<>();
    long deadline = Long.MAX_VALUE;
    var next = queue.entrySet().iterator();
    while (next.hasNext() && taken.size() < limits.rows()) {
      var entry = next.next();
      taken.put(entry.getKey(), entry.getValue());
      next.remove();
      for (Asker<T> asker : entry.getValue().askers()) {
        context.owner().cancelTimer(asker.timer);
        // nanoTime may be negative and wrap: only differences mean anything.
        deadline =
            deadline == Long.MAX_VALUE || asker.deadline - deadline < 0 ? asker.deadline : deadline;
      }
      askers -= entry.getValue().askers().size();
    }
    inFlight++;
    turn = lane.ticket();
    Promise<Reply> promise = context.promise();
    promise.future().map(shape::answers).onComplete(told -> answered(taken, told));
    return new Job(shape.sql(), shape.parameters(List.copyOf(taken.keySet())), deadline, promise);
  }

  private void answered(Map<K, Waiting<T>> asked, AsyncResult<Function<K, T>> told) {
    inFlight--;
    asked.forEach(
        (key, waiting) -> {
          Future<T> answer =
              told.succeeded()
                  ? Future.<Void>succeededFuture().map(go -> told.result().apply(key))
                  : Future.failedFuture(told.cause());
          waiting.askers().forEach(asker -> answer.onComplete(asker.promise));
        });
    lane.wake();
  }

  /** None that takes a place of the lane's own. */
  @Override
  public int waiting() {
    return 0;
  }

  @Override
  public void clear(LaneFailure why) {
    List<Asker<T>> all = new ArrayList<>();
    queue.values().forEach(waiting -> all.addAll(waiting.askers()));
    queue.clear();
    askers = 0;
    for (Asker<T> asker : all) {
      context.owner().cancelTimer(asker.timer);
      asker.promise.fail(why);
    }
  }

  /** Those who want one key. */
  private record Waiting<T>(long ticket, Set<Asker<T>> askers) {
    Waiting(long ticket) {
      this(ticket, new HashSet<>());
    }
  }

  private static final class Asker<T> {
    final Promise<T> promise;
    final long deadline;
    long timer;

    Asker(Promise<T> promise, long deadline) {
      this.promise = promise;
      this.deadline = deadline;
    }
  }
}
