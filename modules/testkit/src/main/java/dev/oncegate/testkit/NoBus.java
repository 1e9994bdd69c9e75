package dev.oncegate.testkit;

import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.WaiterBus;
import dev.oncegate.engine.port.Waiting;
import io.vertx.core.Future;

/** Nobody can be reached: all that waiters have is the store. */
public final class NoBus implements WaiterBus {
  @Override
  public Future<Hint> attach(String owner, Waiting waiting) {
    return Future.failedFuture("there is no bus");
  }

  @Override
  public Future<Integer> seats(String owner, Waiting waiting, int wanted) {
    return Future.failedFuture("there is no bus");
  }

  @Override
  public boolean isLocal(String owner) {
    return false;
  }

  @Override
  public boolean healthy() {
    return true;
  }
}
