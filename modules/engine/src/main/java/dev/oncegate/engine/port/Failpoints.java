package dev.oncegate.engine.port;

import io.vertx.core.Future;
import java.util.function.Supplier;

/**
 * Named places at which a test can make a process halt, sleep or fail. Off in production: then
 * {@link #then} is a plain call.
 */
@FunctionalInterface
public interface Failpoints {
  /** Nothing happens anywhere. */
  Failpoints NONE =
      new Failpoints() {
        @Override
        public Future<Void> pass(Point point) {
          return Future.succeededFuture();
        }

        @Override
        public <T> Future<T> then(Point point, Supplier<Future<T>> next) {
          return next.get();
        }
      };

  /** The places. */
  enum Point {
    CLAIM_BEFORE,
    CLAIM_AFTER,
    FORWARD_BEFORE,
    FORWARD_AFTER,
    COMPLETE_BEFORE,
    COMPLETE_AFTER,
    REPLY_BEFORE,
    SWEEP_EXPIRED,
    PROBE_AFTER;

    /** As a system property names it, such as {@code claim.before}. */
    public String label() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', '.');
    }
  }

  /**
   * Passes the point: at once, later, never, or with a failure. Completes on the calling context.
   */
  Future<Void> pass(Point point);

  /** Passes the point, then goes on. */
  default <T> Future<T> then(Point point, Supplier<Future<T>> next) {
    return pass(point).compose(passed -> next.get());
  }

  /** Passes two points, then goes on. */
  default <T> Future<T> then(Point first, Point second, Supplier<Future<T>> next) {
    return then(first, () -> then(second, next));
  }
}
