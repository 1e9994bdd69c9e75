package dev.oncegate.bench;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests at a steady pace, whether or not those before have been answered: a closed loop would
 * ask less of a slow gateway, and hide how slow it is. Belongs to one event loop.
 */
final class PacedLoad {
  private static final Logger LOG = LoggerFactory.getLogger(PacedLoad.class);
  private static final long TICK_MILLIS = 1;

  private final Vertx vertx;
  private final Supplier<Future<Void>> work;
  private final long every;
  private final Delays delays = new Delays();
  private final Promise<Delays> ended = Promise.promise();
  private long due;
  private long countFrom;
  private long end;
  private int open;
  private long failed;

  PacedLoad(Vertx vertx, Supplier<Future<Void>> work, int perSecond) {
    this.vertx = vertx;
    this.work = work;
    this.every = 1_000_000_000L / perSecond;
  }

  /** How long each took; fails where one of those that count failed. */
  Future<Delays> run(int warmUpMillis, int measuredMillis) {
    due = System.nanoTime();
    countFrom = due + warmUpMillis * 1_000_000L;
    end = countFrom + measuredMillis * 1_000_000L;
    vertx.setPeriodic(TICK_MILLIS, this::tick);
    return ended.future();
  }

  private void tick(long timer) {
    long now = System.nanoTime();
    while (due - now <= 0 && due - end < 0) {
      send(due);
      due += every;
    }
    if (due - end >= 0) {
      vertx.cancelTimer(timer);
      endIfLast();
    }
  }

  private void send(long wasDue) {
    open++;
    long from = System.nanoTime();
    work.get()
        .onComplete(
            answered -> {
              open--;
              if (wasDue - countFrom >= 0) {
                if (answered.succeeded()) {
                  delays.add(System.nanoTime() - from);
                } else if (failed++ == 0) {
                  LOG.warn("the first failure", answered.cause());
                }
              }
              if (due - end >= 0) {
                endIfLast();
              }
            });
  }

  private void endIfLast() {
    if (open > 0) {
      return;
    }
    if (failed > 0) {
      ended.tryFail(failed + " requests failed");
    } else {
      ended.tryComplete(delays);
    }
  }
}
