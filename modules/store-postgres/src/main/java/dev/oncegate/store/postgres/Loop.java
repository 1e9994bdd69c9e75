package dev.oncegate.store.postgres;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.util.function.Supplier;

/**
 * Works on one event loop for callers on any.
 *
 * @param context of that loop
 */
record Loop(ContextInternal context) {
  /** The work's outcome, on the caller's context. */
  <T> Future<T> run(Supplier<Future<T>> work) {
    ContextInternal caller = ContextInternal.current();
    Promise<T> promise = (caller == null ? context : caller).promise();
    Runnable task =
        () -> Future.<Void>succeededFuture().compose(go -> work.get()).onComplete(promise);
    if (context.inThread()) {
      task.run();
    } else {
      context.runOnContext(go -> task.run());
    }
    return promise.future();
  }
}
