package dev.oncegate.bench;

import dev.oncegate.bench.ClosedLoop.Measured;
import dev.oncegate.store.postgres.PgRecordStore;
import dev.oncegate.testkit.NoBus;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Supplier;

/** What is measured: a store or a whole gateway, on a database that is empty each time. */
final class Rig implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final BenchSettings settings;
  private final BenchDatabase database = new BenchDatabase();

  Rig(BenchSettings settings) {
    this.settings = settings;
  }

  Measured measure(String part, Candidate candidate) {
    database.empty();
    return part.equals("store") ? store(candidate) : gateway(candidate);
  }

  private Measured store(Candidate candidate) {
    Context loop = Loops.next(vertx);
    PgRecordStore store = database.open(vertx, loop, candidate.settings());
    Measured measured = run(loop, new StoreLoad(store)::execute);
    Loops.await(store.close());
    return measured;
  }

  /** The gateway has a loop of its own, and so have the upstream and the clients. */
  private Measured gateway(Candidate candidate) {
    Context serving = Loops.next(vertx);
    Context asking = Loops.next(vertx);
    Charges upstream = Loops.on(Loops.next(vertx), () -> Charges.answering(vertx));
    PgRecordStore store = database.open(vertx, serving, candidate.settings());
    Gateway.Setup setup =
        new Gateway.Setup(
            store,
            "bench",
            new NoBus(),
            new Seen(),
            List.of(Tenants.tenant("acme", upstream.port(), settings.clients())));
    Gateway gateway = Loops.on(serving, () -> Gateway.start(vertx, serving, setup));
    HttpLoad load =
        Loops.on(asking, () -> HttpLoad.connect(vertx, gateway.port(), settings.clients()));
    Measured measured = run(asking, load::execute);
    Loops.await(load.close());
    Loops.on(serving, gateway::stop);
    Loops.await(upstream.close());
    Loops.await(store.close());
    return measured;
  }

  private Measured run(Context loop, Supplier<Future<Void>> work) {
    ClosedLoop clients = new ClosedLoop(vertx, loop, settings.clients(), work);
    return Loops.await(clients.run(settings.warmUp(), settings.measured()));
  }

  String server() {
    return database.server();
  }

  @Override
  public void close() {
    Loops.await(vertx.close());
  }
}
