package dev.oncegate.engine;

import io.vertx.core.Future;

/**
 * How a request goes on once nothing of it has to be looked at any more.
 *
 * <p>A value of its own, and not the future itself, so that the steps before are over when a wait
 * begins: a future that was composed stays with whatever its steps have captured until the last of
 * them is done, and that would be the request with its body for as long as it waits.
 *
 * @param answer may be long in coming
 */
record Course(Future<Answer> answer) {
  static Course of(Answer answer) {
    return new Course(Future.succeededFuture(answer));
  }
}
