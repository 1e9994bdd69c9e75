package dev.oncegate.bench;

import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.port.WaiterBus;
import dev.oncegate.parking.eventbus.Buses;
import dev.oncegate.store.postgres.PgRecordStore;
import dev.oncegate.store.postgres.PgStoreSettings;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A gateway with an event loop and store connections of its own, as the app deploys several. */
final class Node implements AutoCloseable {
  /** Nothing is refused for being slow: what is measured is how slow it is. */
  private static final PgStoreSettings STORE =
      new PgStoreSettings(
          2,
          2,
          1,
          16_384,
          Duration.ofSeconds(10),
          Duration.ofMillis(500),
          Duration.ofSeconds(5),
          Duration.ofSeconds(1));

  private final Context loop;
  private final PgRecordStore connections;
  private final WatchedStore store;
  private final Seen seen = new Seen();
  private final Gateway gateway;
  private final Runnable unserve;

  /**
   * Starts to serve.
   *
   * @param buses empty: its waiters only poll
   */
  Node(Vertx vertx, BenchDatabase database, @Nullable Buses buses, List<TenantPolicy> tenants) {
    loop = Loops.next(vertx);
    connections = database.open(vertx, loop, STORE);
    store = new WatchedStore(connections);
    String owner = "oncegate.owner." + UUID.randomUUID() + ".0";
    WaiterBus bus = buses == null ? new DeafBus() : buses.bus(loop);
    Gateway.Setup setup = new Gateway.Setup(store, owner, bus, seen, tenants);
    gateway = Loops.on(loop, () -> Gateway.start(vertx, loop, setup));
    unserve = buses == null ? () -> {} : buses.serve(owner, loop, gateway.winners());
  }

  int port() {
    return gateway.port();
  }

  WatchedStore store() {
    return store;
  }

  Seen seen() {
    return seen;
  }

  @Override
  public void close() {
    unserve.run();
    Loops.on(loop, gateway::stop);
    Loops.await(connections.close());
  }
}
