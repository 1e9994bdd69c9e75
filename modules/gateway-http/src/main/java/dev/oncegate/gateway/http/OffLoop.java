package dev.oncegate.gateway.http;

import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.concurrent.Callable;

/**
 * The one use of worker threads on a request's path: pure functions over bodies that would hold up
 * the loop, and all other requests with it.
 */
final class OffLoop {
  private final Context context;
  private final int onLoop;

  /** For bodies that are no client's, under the built-in bound. */
  OffLoop(Context context) {
    this.context = context;
    this.onLoop = GatewayLimits.BUILT_IN.projectOnLoop();
  }

  OffLoop(GatewayParts parts) {
    this.context = parts.context();
    this.onLoop = parts.limits().projectOnLoop();
  }

  /** Whether so many bytes are too many for the loop. */
  boolean isLarge(long bytes) {
    return bytes > onLoop;
  }

  /**
   * Runs a pure function here or on a worker; the future completes on the calling context.
   *
   * @param bytes how many bytes it may have to go through
   */
  <T> Future<T> run(long bytes, Callable<T> work) {
    if (isLarge(bytes)) {
      return context.owner().executeBlocking(work, false);
    }
    try {
      return Future.succeededFuture(work.call());
    } catch (Exception e) {
      return Future.failedFuture(e);
    }
  }
}
