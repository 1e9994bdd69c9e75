package dev.oncegate.parking.eventbus;

import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.WaiterBus;
import dev.oncegate.engine.port.Waiting;
import dev.oncegate.parking.eventbus.RemoteOwners.NoAnswer;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;

/**
 * The bus of one event loop: an owner of this process is asked in memory, any other through the
 * cluster. Whatever thread an answer comes on, the loop that asked gets it on its own context, and
 * no later than it said.
 */
final class EventBusWaiterBus implements WaiterBus {
  /** "Within a moment": a waiter that nobody counts must not be kept from waiting. */
  static final Duration SEATS_LIMIT = Duration.ofMillis(500);

  private final Context loop;
  private final LocalOwners local;
  private final RemoteOwners remote;

  EventBusWaiterBus(Context loop, LocalOwners local, RemoteOwners remote) {
    this.loop = loop;
    this.local = local;
    this.remote = remote;
  }

  @Override
  public Future<Hint> attach(String owner, Waiting waiting) {
    return onLoop(
        waiting.timeLeft(),
        local
            .find(owner)
            .map(here -> here.ask(winners -> winners.attach(waiting)))
            .orElseGet(() -> remote.attach(owner, waiting)));
  }

  @Override
  public Future<Integer> seats(String owner, Waiting waiting, int wanted) {
    return onLoop(
        SEATS_LIMIT,
        local
            .find(owner)
            .map(here -> here.ask(winners -> winners.seats(waiting, wanted)))
            .orElseGet(() -> remote.seats(owner, waiting, wanted)));
  }

  @Override
  public boolean isLocal(String owner) {
    return local.find(owner).isPresent();
  }

  @Override
  public boolean healthy() {
    return remote.healthy();
  }

  private <T> Future<T> onLoop(Duration limit, Future<T> answer) {
    Promise<T> here = Promise.promise();
    long timer =
        loop.owner().setTimer(millis(limit), fired -> here.tryFail(new NoAnswer("no answer")));
    answer.onComplete(came -> handOver(came, here, timer));
    return here.future();
  }

  private <T> void handOver(AsyncResult<T> came, Promise<T> here, long timer) {
    try {
      loop.runOnContext(turn -> finish(came, here, timer));
    } catch (RuntimeException e) {
      // The loop that asked has been shut down: nobody waits on it any more.
      here.tryFail(e);
    }
  }

  private <T> void finish(AsyncResult<T> came, Promise<T> here, long timer) {
    loop.owner().cancelTimer(timer);
    if (came.succeeded()) {
      here.tryComplete(came.result());
    } else {
      here.tryFail(came.cause());
    }
  }

  /** Vert.x knows no timer below 1 ms. */
  static long millis(Duration limit) {
    return Math.max(1, limit.toMillis());
  }
}
