package dev.oncegate.store.postgres;

import dev.oncegate.store.postgres.Lane.Job;
import dev.oncegate.store.postgres.Lane.Reply;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Statements that are sent as they are, one by one. */
final class Singles implements Lane.Source {
  private final Lane lane;
  private final ContextInternal context;
  private final Deque<Waiting> queue = new ArrayDeque<>();

  Singles(Lane lane, ContextInternal context) {
    this.lane = lane;
    this.context = context;
  }

  Future<Reply> ask(String sql, Tuple parameters, long deadline) {
    LaneFailure refusal = lane.refusal(deadline);
    if (refusal != null) {
      return context.failedFuture(refusal);
    }
    Job job = new Job(sql, parameters, deadline, context.promise());
    Waiting waiting = new Waiting(job, lane.ticket());
    job.timer =
        context.setTimer(
            lane.patience(deadline),
            fired -> {
              if (queue.remove(waiting)) {
                job.fail(context, lane.late());
              }
            });
    queue.add(waiting);
    lane.wake();
    return job.promise.future();
  }

  @Override
  public @Nullable Long oldest() {
    Waiting first = queue.peek();
    return first == null ? null : first.ticket();
  }

  @Override
  public @Nullable Job take() {
    Waiting first = queue.poll();
    if (first == null) {
      return null;
    }
    context.owner().cancelTimer(first.job().timer);
    return first.job();
  }

  @Override
  public int waiting() {
    return queue.size();
  }

  @Override
  public void clear(LaneFailure why) {
    while (!queue.isEmpty()) {
      queue.remove().job().fail(context, why);
    }
  }

  private record Waiting(Job job, long ticket) {}
}
