package dev.oncegate.testkit;

import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.RunningWinners;
import dev.oncegate.engine.port.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Running winners that begin and end at a test's word, from any thread. Each claim has a number of
 * seats for all its loops together.
 */
public final class ScriptedWinners implements RunningWinners {
  private record Key(RecordId id, FencingToken token) {}

  private final Lock lock = new ReentrantLock();
  private final Map<Key, Winner> running = new HashMap<>();
  private final List<String> askedOn = new CopyOnWriteArrayList<>();

  private static final class Winner {
    private final int seats;
    private final Map<String, Integer> granted = new HashMap<>();
    private final Map<String, Promise<Hint>> attached = new HashMap<>();

    Winner(int seats) {
      this.seats = seats;
    }
  }

  /** A claim's exchange runs from now on. */
  public void begin(RecordId id, FencingToken token, int seats) {
    locked(() -> running.put(new Key(id, token), new Winner(seats)));
  }

  /** It has ended: every attached loop is told. */
  public void end(RecordId id, FencingToken token, Hint hint) {
    Set<Promise<Hint>> told =
        locked(
            () -> {
              Winner winner = running.remove(new Key(id, token));
              return winner == null ? Set.of() : Set.copyOf(winner.attached.values());
            });
    told.forEach(promise -> promise.tryComplete(hint));
  }

  /** How many loops are attached to a claim. */
  public int attached(RecordId id, FencingToken token) {
    return locked(
        () -> {
          Winner winner = running.get(new Key(id, token));
          return winner == null ? 0 : winner.attached.size();
        });
  }

  /** The names of the threads that asked, in order. */
  public List<String> askedOn() {
    return List.copyOf(askedOn);
  }

  @Override
  public Future<Hint> attach(Waiting waiting) {
    askedOn.add(Thread.currentThread().getName());
    return locked(
        () -> {
          Winner winner = running.get(new Key(waiting.id(), waiting.token()));
          if (winner == null) {
            return Future.succeededFuture(new Hint.LookAgain());
          }
          Promise<Hint> promise = Promise.promise();
          winner.attached.put(waiting.loop(), promise);
          return promise.future();
        });
  }

  @Override
  public Future<Integer> seats(Waiting waiting, int wanted) {
    askedOn.add(Thread.currentThread().getName());
    return locked(
        () -> {
          Winner winner = running.get(new Key(waiting.id(), waiting.token()));
          if (winner == null) {
            return Future.succeededFuture(wanted);
          }
          winner.granted.remove(waiting.loop());
          int taken = winner.granted.values().stream().mapToInt(Integer::intValue).sum();
          int granted = Math.min(wanted, winner.seats - taken);
          winner.granted.put(waiting.loop(), granted);
          return Future.succeededFuture(granted);
        });
  }

  private <T> T locked(Supplier<T> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }
}
