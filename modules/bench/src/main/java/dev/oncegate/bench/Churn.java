package dev.oncegate.bench;

import dev.oncegate.bench.Connection.Answered;
import dev.oncegate.core.BrokenInvariant;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Keys whose waiters are parked, answered, and parked again on a new key, until it is stopped. */
final class Churn {
  private static final String TENANT = "acme";

  private final Vertx vertx;
  private final Plan plan;
  private final NetClient client;
  private final List<Future<?>> ended = new ArrayList<>();
  private final AtomicLong answered = new AtomicLong();
  private boolean stopped;

  private Churn(Vertx vertx, Plan plan) {
    this.vertx = vertx;
    this.plan = plan;
    this.client = vertx.createNetClient();
  }

  /**
   * How many wait, and where.
   *
   * @param winners port at which the winners come in
   * @param waiters port at which those come in who wait for them
   * @param keys at the same time
   * @param perKey waiters of each
   * @param holdMillis how long an upstream takes for a winner
   */
  record Plan(Charges upstream, int winners, int waiters, int keys, int perKey, int holdMillis) {}

  /** Begins; to be called, as {@link #stop}, on its loop. */
  static Future<Churn> start(Vertx vertx, Plan plan) {
    Churn churn = new Churn(vertx, plan);
    List<Future<List<Connection>>> lanes = new ArrayList<>();
    for (int i = 0; i < plan.keys(); i++) {
      lanes.add(churn.lane());
    }
    return Future.all(lanes)
        .map(
            connected -> {
              for (int i = 0; i < lanes.size(); i++) {
                churn.begin(lanes.get(i).result(), i);
              }
              return churn;
            });
  }

  /** The winner's connection first. */
  private Future<List<Connection>> lane() {
    List<Future<Connection>> made = new ArrayList<>();
    made.add(Connection.open(client, plan.winners()));
    for (int i = 0; i < plan.perKey(); i++) {
      made.add(Connection.open(client, plan.waiters()));
    }
    return Future.all(made).map(all -> made.stream().map(Future::result).toList());
  }

  /** The keys take turns: they do not all end in the same moment. */
  private void begin(List<Connection> lane, int number) {
    Promise<Void> end = Promise.promise();
    ended.add(end.future());
    long offset = 1 + (long) plan.holdMillis() * number / plan.keys();
    vertx.setTimer(offset, go -> next(lane, end));
  }

  private void next(List<Connection> lane, Promise<Void> end) {
    if (stopped) {
      end.complete();
      return;
    }
    String key = UUID.randomUUID().toString();
    Future<Answered> won = lane.get(0).charge(TENANT, key);
    plan.upstream()
        .arrival(key)
        .compose(
            letGo -> {
              List<Future<Answered>> waited =
                  lane.stream().skip(1).map(waiter -> waiter.charge(TENANT, key)).toList();
              vertx.setTimer(plan.holdMillis(), held -> letGo.run());
              return Future.all(waited).compose(all -> won);
            })
        .onSuccess(
            all -> {
              answered.addAndGet(plan.perKey());
              next(lane, end);
            })
        .onFailure(end::tryFail);
  }

  /** That it was a load at all. */
  void requireWork() {
    BrokenInvariant.require(answered.get() > 0, "waiters were answered meanwhile");
  }

  Future<Void> stop() {
    stopped = true;
    return Future.all(ended).compose(all -> client.close());
  }
}
