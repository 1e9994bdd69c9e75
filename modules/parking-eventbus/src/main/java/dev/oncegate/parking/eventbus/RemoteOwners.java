package dev.oncegate.parking.eventbus;

import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.Waiting;
import io.vertx.core.Future;

/** The owners in other processes. Futures complete on any thread, and fail by their limits. */
interface RemoteOwners {
  /** Where there is no cluster, nobody else is reached. */
  RemoteOwners NONE =
      new RemoteOwners() {
        @Override
        public Future<Hint> attach(String owner, Waiting waiting) {
          return Future.failedFuture(new NoAnswer("there is no cluster"));
        }

        @Override
        public Future<Integer> seats(String owner, Waiting waiting, int wanted) {
          return Future.failedFuture(new NoAnswer("there is no cluster"));
        }

        @Override
        public boolean healthy() {
          return true;
        }
      };

  /** Fails after {@code timeLeft} at the latest. */
  Future<Hint> attach(String owner, Waiting waiting);

  /** Fails within a moment. */
  Future<Integer> seats(String owner, Waiting waiting, int wanted);

  /** Whether messages are believed to arrive. */
  boolean healthy();

  /** No answer can be had: expected at any time, so it carries no stack. */
  final class NoAnswer extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoAnswer(String why) {
      super(why, null, false, false);
    }
  }
}
