package dev.oncegate.parking.eventbus;

import dev.oncegate.engine.port.RunningWinners;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The owners of this process by their addresses: what its event loops share about waiting beside
 * the counts. A question to one of them is handed over in memory.
 */
final class LocalOwners {
  private final ConcurrentHashMap<String, Owner> owners = new ConcurrentHashMap<>();

  /** One event loop and the claims whose exchanges run on it. */
  record Owner(Context loop, RunningWinners winners) {
    /**
     * Asks on the owner's own loop; the future completes there, and fails where that loop has
     * ended.
     */
    <T> Future<T> ask(Function<RunningWinners, Future<T>> question) {
      Promise<T> answer = Promise.promise();
      try {
        loop.runOnContext(turn -> answered(question, answer));
      } catch (RuntimeException e) {
        // A loop that has been shut down takes no more tasks: its claims are nobody's by now.
        answer.tryFail(e);
      }
      return answer.future();
    }

    private <T> void answered(Function<RunningWinners, Future<T>> question, Promise<T> answer) {
      try {
        question.apply(winners).onComplete(answer);
      } catch (RuntimeException e) {
        answer.tryFail(e);
      }
    }
  }

  void add(String address, Owner owner) {
    owners.put(address, owner);
  }

  /** Only the owner that was added: another one may have taken the address since. */
  void remove(String address, Owner owner) {
    owners.remove(address, owner);
  }

  Optional<Owner> find(String address) {
    return Optional.ofNullable(owners.get(address));
  }

  /** Every address as of now. */
  List<String> addresses() {
    return List.copyOf(owners.keySet());
  }
}
