package dev.oncegate.bench;

import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.WaiterBus;
import dev.oncegate.engine.port.Waiting;
import io.vertx.core.Future;

/** Carries nothing and knows it: waiters look at the store every 100 ms, and that is all. */
final class DeafBus implements WaiterBus {
  @Override
  public Future<Hint> attach(String owner, Waiting waiting) {
    return Future.failedFuture("deaf");
  }

  @Override
  public Future<Integer> seats(String owner, Waiting waiting, int wanted) {
    return Future.failedFuture("deaf");
  }

  @Override
  public boolean isLocal(String owner) {
    return false;
  }

  @Override
  public boolean healthy() {
    return false;
  }
}
