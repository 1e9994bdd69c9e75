package dev.oncegate.parking.eventbus;

import dev.oncegate.engine.port.RunningWinners;
import dev.oncegate.engine.port.WaiterBus;
import dev.oncegate.parking.eventbus.ClusterNode.Shared;
import dev.oncegate.parking.eventbus.LocalOwners.Owner;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a process has for the talk between waiters and owners: its own owners, asked in memory, and
 * with {@code --cluster} those of the other processes (architecture C, ADR 0008). One per process,
 * shared by its event loops; every method may be called from any thread and none blocks.
 */
public final class Buses {
  private final LocalOwners local;
  private final @Nullable Cluster cluster;

  private Buses(LocalOwners local, @Nullable Cluster cluster) {
    this.local = local;
    this.cluster = cluster;
  }

  /** Without a cluster. Waiters whose owner runs in another process are told nothing: they poll. */
  public static Buses ofOneProcess() {
    return new Buses(new LocalOwners(), null);
  }

  /**
   * With a cluster, which is formed in the background and tried again until it does: this returns
   * at once and never fails. Close it before the Vert.x of the event loops.
   */
  public static Buses clustered(ClusterSettings settings, BusKeys keys) {
    LocalOwners local = new LocalOwners();
    Cluster cluster = new Cluster(settings, new Shared(new BusCodec(keys), new Refused(), local));
    cluster.start();
    return new Buses(local, cluster);
  }

  /**
   * The bus of one event loop.
   *
   * @param loop where it is called, and where its futures complete
   */
  public WaiterBus bus(Context loop) {
    return new EventBusWaiterBus(loop, local, cluster == null ? RemoteOwners.NONE : cluster);
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
    changed();
    return () -> {
      local.remove(address, owner);
      changed();
    };
  }

  /** What keeps messages from arriving, in words for {@code /health/ready}; empty: all is well. */
  public Optional<String> trouble() {
    return cluster == null ? Optional.empty() : cluster.trouble();
  }

  /** Leaves the cluster. Owners of this process are still reached in memory. */
  public Future<Void> close() {
    return cluster == null ? Future.succeededFuture() : cluster.close();
  }

  /** For tests, which break what is in it. */
  @Nullable Cluster cluster() {
    return cluster;
  }

  private void changed() {
    if (cluster != null) {
      cluster.ownersChanged();
    }
  }
}
