package dev.oncegate.parking.eventbus;

import dev.oncegate.engine.port.RunningWinners;
import dev.oncegate.engine.port.WaiterBus;
import dev.oncegate.parking.eventbus.LocalOwners.Owner;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * What a process has for the talk between waiters and owners: its own owners, asked in memory, and
 * with {@code --cluster} those of the other processes (architecture C, ADR 0008). One per process,
 * shared by its event loops; every method may be called from any thread and none blocks.
 */
public final class Buses {
  private final LocalOwners local = new LocalOwners();
  private final RemoteOwners remote = RemoteOwners.NONE;

  private Buses() {}

  /** Without a cluster. Waiters whose owner runs in another process are told nothing: they poll. */
  public static Buses ofOneProcess() {
    return new Buses();
  }

  /**
   * The bus of one event loop.
   *
   * @param loop where it is called, and where its futures complete
   */
  public WaiterBus bus(Context loop) {
    return new EventBusWaiterBus(loop, local, remote);
  }

  /**
   * Lets an event loop be asked about its running winners.
   *
   * @param address of the owner, as its claims name it; one per loop and start of the process
   * @param loop where {@code winners} is called
   * @return ends it
   */
  public Runnable serve(String address, Context loop, RunningWinners winners) {
    Owner owner = new Owner(loop, winners);
    local.add(address, owner);
    return () -> local.remove(address, owner);
  }

  /** What keeps messages from arriving, in words for {@code /health/ready}; empty: all is well. */
  public Optional<String> trouble() {
    return Optional.empty();
  }

  /** Leaves the cluster. Owners of this process are still reached in memory. */
  public Future<Void> close() {
    return Future.succeededFuture();
  }
}
