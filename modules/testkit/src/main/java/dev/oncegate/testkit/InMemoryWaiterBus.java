package dev.oncegate.testkit;

import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.RunningWinners;
import dev.oncegate.engine.port.Time;
import dev.oncegate.engine.port.WaiterBus;
import dev.oncegate.engine.port.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A bus on one thread that loses nothing: owners are asked at once, and their answers come on the
 * thread that ends the claim.
 */
public final class InMemoryWaiterBus implements WaiterBus {
  private final Time time;
  private final Owners owners;
  private final Predicate<String> local;
  private boolean healthy = true;

  /**
   * The bus of one waiting loop.
   *
   * @param owners shared by the buses of all loops
   * @param local which addresses are of the loop's own process
   */
  public InMemoryWaiterBus(Time time, Owners owners, Predicate<String> local) {
    this.time = time;
    this.owners = owners;
    this.local = local;
  }

  /** Who is reached at which address. */
  public static final class Owners {
    private final Map<String, RunningWinners> winners = new HashMap<>();

    public void add(String address, RunningWinners its) {
      winners.put(address, its);
    }

    public void remove(String address) {
      winners.remove(address);
    }
  }

  /** What {@link #healthy()} says from now on. */
  public void healthy(boolean is) {
    healthy = is;
  }

  @Override
  public Future<Hint> attach(String owner, Waiting waiting) {
    RunningWinners winners = owners.winners.get(owner);
    if (winners == null) {
      return Future.failedFuture(new IllegalStateException("nobody at " + owner));
    }
    return limited(time, winners.attach(waiting), waiting.timeLeft());
  }

  @Override
  public Future<Integer> seats(String owner, Waiting waiting, int wanted) {
    RunningWinners winners = owners.winners.get(owner);
    return winners == null
        ? Future.failedFuture(new IllegalStateException("nobody at " + owner))
        : limited(time, winners.seats(waiting, wanted), HostileWaiterBus.SEATS_LIMIT);
  }

  @Override
  public boolean isLocal(String owner) {
    return local.test(owner);
  }

  @Override
  public boolean healthy() {
    return healthy;
  }

  static <T> Future<T> limited(Time time, Future<T> answer, Duration limit) {
    Promise<T> limited = Promise.promise();
    Time.Timer timer =
        time.after(limit, () -> limited.tryFail(new IllegalStateException("no answer")));
    answer.onComplete(
        came -> {
          timer.cancel();
          if (came.succeeded()) {
            limited.tryComplete(came.result());
          } else {
            limited.tryFail(came.cause());
          }
        });
    return limited.future();
  }
}
