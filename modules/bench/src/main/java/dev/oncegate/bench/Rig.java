package dev.oncegate.bench;

import dev.oncegate.bench.ClosedLoop.Measured;
import dev.oncegate.engine.port.RecordStore.StoreUnavailable;
import dev.oncegate.store.postgres.PgRecordStore;
import dev.oncegate.store.postgres.SchemaMigrator;
import dev.oncegate.testkit.TestPostgres;
import dev.oncegate.testkit.TestPostgres.Database;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.net.NetServer;
import io.vertx.pgclient.PgConnectOptions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** What is measured: a store or a whole gateway, on a database that is empty each time. */
final class Rig implements AutoCloseable {
  /** As many as the installation default. */
  private static final int PARTITIONS = 16;

  private static final Buffer CREATED =
      Buffer.buffer(
          "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nLocation: /charges/ch_1\r\n"
              + "Content-Length: 29\r\n\r\n{\"id\":\"ch_1\",\"amount\":\"1.00\"}");

  private final Vertx vertx = Vertx.vertx();
  private final BenchSettings settings;
  private final Database database;

  Rig(BenchSettings settings) {
    this.settings = settings;
    database = TestPostgres.shared().freshDatabase(Rig.class);
    new SchemaMigrator(options(), PARTITIONS).migrate();
  }

  Measured measure(String part, Candidate candidate) {
    database.execute("truncate record, body");
    database.execute("checkpoint");
    return part.equals("store") ? store(candidate) : gateway(candidate);
  }

  private Measured store(Candidate candidate) {
    Context loop = loop();
    PgRecordStore store = on(loop, () -> Future.succeededFuture(open(candidate)));
    awaitStore(store);
    Measured measured = run(loop, new StoreLoad(store)::execute);
    await(store.close());
    return measured;
  }

  /** The gateway has a loop of its own, and so have the upstream and the clients. */
  private Measured gateway(Candidate candidate) {
    Context serving = loop();
    Context working = loop();
    Context asking = loop();
    NetServer upstream = on(working, this::upstream);
    PgRecordStore store = on(serving, () -> Future.succeededFuture(open(candidate)));
    awaitStore(store);
    Gateway gateway =
        on(
            serving,
            () -> Gateway.start(vertx, serving, store, upstream.actualPort(), settings.clients()));
    HttpLoad load = on(asking, () -> HttpLoad.connect(vertx, gateway.port(), settings.clients()));
    Measured measured = run(asking, load::execute);
    await(load.close());
    on(serving, gateway::stop);
    await(upstream.close());
    await(store.close());
    return measured;
  }

  private Measured run(Context loop, Supplier<Future<Void>> work) {
    ClosedLoop clients = new ClosedLoop(vertx, loop, settings.clients(), work);
    return await(clients.run(settings.warmUp(), settings.measured()));
  }

  private Context loop() {
    return ((VertxInternal) vertx).createEventLoopContext();
  }

  private Future<NetServer> upstream() {
    return vertx
        .createNetServer()
        .connectHandler(socket -> socket.handler(new HttpFrames(() -> socket.write(CREATED))))
        .listen(0, "127.0.0.1");
  }

  private PgRecordStore open(Candidate candidate) {
    return PgRecordStore.open(vertx, options(), candidate.settings(), System::nanoTime);
  }

  private PgConnectOptions options() {
    return new PgConnectOptions()
        .setHost(database.host())
        .setPort(database.port())
        .setDatabase(database.name())
        .setUser(database.user())
        .setPassword(database.password());
  }

  private static void awaitStore(PgRecordStore store) {
    await(
        store
            .ping()
            .recover(
                late ->
                    late instanceof StoreUnavailable ? store.ping() : Future.failedFuture(late)));
  }

  private static <T> T on(Context context, Supplier<Future<T>> work) {
    return await(
        Future.future(result -> context.runOnContext(go -> work.get().onComplete(result))));
  }

  private static <T> T await(Future<T> future) {
    try {
      return future.await(5, TimeUnit.MINUTES);
    } catch (TimeoutException e) {
      throw new IllegalStateException("the measurement does not end", e);
    }
  }

  /** The server and its most telling settings, for the record. */
  String server() {
    return "Postgres %s, fsync=%s, synchronous_commit=%s, commit_delay=%s"
        .formatted(
            database.query("show server_version"),
            database.query("show fsync"),
            database.query("show synchronous_commit"),
            database.query("show commit_delay"));
  }

  @Override
  public void close() {
    await(vertx.close());
  }
}
