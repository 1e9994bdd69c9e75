package dev.oncegate.engine;

import dev.oncegate.engine.port.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;

/**
 * One parked request: its answer to come, and when it gives up. It keeps nothing of the request
 * itself, whose payload was compared before it waited and is never sent.
 */
final class Waiter {
  private final Patience patience;
  private final long since;
  private final long until;
  private final Promise<Answer> answer = Promise.promise();
  private Time.Timer limit = () -> {};

  /**
   * A request that begins to wait.
   *
   * @param since monotonic time
   */
  Waiter(Patience patience, long since) {
    this.patience = patience;
    this.since = since;
    this.until = since + patience.limit().toNanos();
  }

  /** What its client gets; never fails. */
  Future<Answer> answer() {
    return answer.future();
  }

  /** Monotonic time at which it gives up. */
  long until() {
    return until;
  }

  Duration waited(long now) {
    return Duration.ofNanos(now - since);
  }

  /**
   * Begins the wait.
   *
   * @param timeout its limit has passed
   * @param gone its client has left
   */
  void wait(Time time, Runnable timeout, Runnable gone) {
    limit = time.after(patience.limit(), timeout);
    patience.whenGone(gone);
  }

  /** Ends the wait. */
  void done(Answer given) {
    limit.cancel();
    patience.whenGone(() -> {});
    answer.complete(given);
  }
}
