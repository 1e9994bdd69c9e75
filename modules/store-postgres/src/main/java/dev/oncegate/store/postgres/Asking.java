package dev.oncegate.store.postgres;

import dev.oncegate.engine.port.RecordStore.StoreUnavailable;
import io.vertx.core.Future;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Repeats a statement whose outcome is not known, or not yet, until it is told or the time is up.
 * Every statement here is safe to repeat. There is no pause between tries: each waits for a lock, a
 * connection (whose making backs off) or a rival's commit.
 */
final class Asking {
  private Asking() {}

  static <T> Future<T> until(long deadline, LongSupplier nanos, Supplier<Future<T>> attempt) {
    return Future.<Void>succeededFuture()
        .compose(go -> attempt.get())
        .recover(
            failure -> {
              if (!PgFailures.worthAskingAgain(failure)) {
                return Future.failedFuture(PgFailures.translated(failure));
              }
              if (nanos.getAsLong() >= deadline) {
                return Future.failedFuture(
                    new StoreUnavailable("not told in time", PgFailures.translated(failure)));
              }
              return until(deadline, nanos, attempt);
            });
  }
}
