package dev.oncegate.bench;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Event loops, and the way from the thread that measures to them. */
final class Loops {
  private Loops() {}

  /** With a loop for each context, up to {@code count} of them. */
  static Vertx vertx(int count) {
    return Vertx.vertx(new VertxOptions().setEventLoopPoolSize(count));
  }

  /** The next loop. */
  static Context next(Vertx vertx) {
    return ((VertxInternal) vertx).createEventLoopContext();
  }

  /** Runs it there and waits for what comes of it. */
  static <T> T on(Context context, Supplier<Future<T>> work) {
    return await(
        Future.future(result -> context.runOnContext(go -> work.get().onComplete(result))));
  }

  /** Waits until it is so; looks every few milliseconds. */
  static void until(Vertx vertx, String what, BooleanSupplier condition) {
    Promise<Void> so = Promise.promise();
    long timer =
        vertx.setPeriodic(
            5,
            tick -> {
              if (condition.getAsBoolean()) {
                so.tryComplete();
              }
            });
    try {
      so.future().await(2, TimeUnit.MINUTES);
    } catch (TimeoutException e) {
      throw new IllegalStateException("it has not come to this: " + what, e);
    } finally {
      vertx.cancelTimer(timer);
    }
  }

  static <T> T await(Future<T> future) {
    try {
      return future.await(5, TimeUnit.MINUTES);
    } catch (TimeoutException e) {
      throw new IllegalStateException("the measurement does not end", e);
    }
  }
}
