package dev.oncegate.app;

import dev.oncegate.app.config.Address;
import dev.oncegate.app.config.GatewayConfig;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.ops.AdminToken;
import dev.oncegate.ops.BookMeters;
import dev.oncegate.ops.BusMeters;
import dev.oncegate.ops.MicrometerEvents;
import dev.oncegate.ops.OpsMetrics;
import dev.oncegate.ops.OpsRouter;
import dev.oncegate.parking.eventbus.Buses;
import dev.oncegate.tenants.TenantsLoader.Loaded;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.net.BindException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running gateway: started by named steps on the calling thread, which may block, and stopped in
 * the opposite order by SIGTERM or SIGINT.
 */
public final class Gateway {
  private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

  /** Nothing on a request's path blocks; these serve name look-ups of the start and the like. */
  private static final int WORKERS = 4;

  /** Event loops of the ops port, and of upkeep. */
  private static final int BESIDE_TRAFFIC = 2;

  private final GatewayConfig config;
  private final Closers closers;
  private final AdminToken token;
  private final AtomicInteger port = new AtomicInteger();
  private Address ops;

  private Gateway(GatewayConfig config, Closers closers) {
    this.config = config;
    this.closers = closers;
    this.token =
        config
            .adminToken()
            .map(given -> AdminToken.given(given.bytes()))
            .orElseGet(() -> AdminToken.random(new SecureRandom()));
    this.ops = config.ops();
  }

  /** Starts everything or nothing. */
  public static Gateway start(GatewayConfig config, Loaded tenants) {
    requireFreePorts(config);
    return start(config, tenants, () -> {});
  }

  /**
   * Starts everything or nothing.
   *
   * @param last to be closed after the gateway, also when it does not start
   */
  public static Gateway start(GatewayConfig config, Loaded tenants, AutoCloseable last) {
    Closers closers = new Closers();
    closers.add("what the caller brought", last);
    Lifetime lifetime = Lifetime.begin(closers);
    try {
      Gateway gateway = new Gateway(config, closers);
      gateway.run(tenants);
      LOG.atInfo().addKeyValue("settings", config).log("serving");
      return gateway;
    } catch (RuntimeException | Error e) {
      // From here on nothing runs: a signal that comes now must not turn the failure into success.
      lifetime.abandon();
      closers.closeAll();
      throw e;
    }
  }

  /** Looks at the ports before a data directory is made or a database is touched. */
  public static void requireFreePorts(GatewayConfig config) {
    Ports.requireFree(config.gateway(), "--port");
    Ports.requireFree(config.ops(), "--ops-port");
    if (config.gateway().port() != 0 && config.gateway().port() == config.ops().port()) {
      throw StartFailure.invalid(
          "--port and --ops-port are both " + config.ops().port() + "; choose two");
    }
  }

  private void run(Loaded loaded) {
    List<TenantPolicy> tenants = loaded.tenants();
    Database database = Database.open(config, closers);
    OpsMetrics metrics = new OpsMetrics();
    Vertx vertx = vertx(metrics);
    database.verify(vertx);
    MicrometerEvents events = new MicrometerEvents(metrics, () -> tenants, System::nanoTime);
    Buses buses = ClusterWiring.buses(config);
    closers.add("cluster", () -> buses.close().await());
    config.cluster().ifPresent(clustered -> BusMeters.register(metrics, buses::trouble));
    Wiring wiring =
        new Wiring(vertx, config, database, () -> tenants, loaded.secrets(), events, buses);
    closers.add("upkeep store", () -> wiring.closeUpkeep().await());
    wiring.keep(loaded.policies());
    listenForOps(vertx, new OpsRouter(wiring.health(), metrics, wiring.opsApi(vertx, token)));
    closers.add("upstream clients", () -> wiring.closeUpstreams().await());
    lookAfterRecords(vertx, wiring, new BookMeters(metrics, () -> tenants));
    listenForClients(vertx, wiring);
  }

  /** Begins before traffic does: a node that was killed has left something to look after. */
  private void lookAfterRecords(Vertx vertx, Wiring wiring, BookMeters meters) {
    String deployment =
        vertx.deployVerticle(new SweeperVerticle(v -> wiring.upkeep(v, meters::books))).await();
    closers.add("upkeep", () -> vertx.undeploy(deployment).await());
  }

  private Vertx vertx(OpsMetrics metrics) {
    VertxOptions options =
        new VertxOptions()
            .setEventLoopPoolSize(config.instances() + BESIDE_TRAFFIC)
            .setWorkerPoolSize(WORKERS)
            .setInternalBlockingPoolSize(WORKERS)
            .setFileSystemOptions(
                new FileSystemOptions()
                    .setFileCachingEnabled(false)
                    .setClassPathResolvingEnabled(false));
    Vertx vertx = metrics.install(Vertx.builder(), options).build();
    closers.add("Vert.x", () -> vertx.close().await());
    return vertx;
  }

  private void listenForOps(Vertx vertx, OpsRouter router) {
    OpsVerticle verticle = new OpsVerticle(config.ops(), router);
    deploy(
        () -> vertx.deployVerticle(verticle).await(),
        cause -> Ports.inUse(config.ops(), "--ops-port", cause));
    ops = verticle.address();
  }

  private void listenForClients(Vertx vertx, Wiring wiring) {
    AtomicInteger loops = new AtomicInteger();
    String deployment =
        deploy(
            () ->
                vertx
                    .deployVerticle(
                        () -> new GatewayVerticle(wiring, loops.getAndIncrement(), port),
                        new DeploymentOptions().setInstances(config.instances()))
                    .await(),
            this::notListening);
    closers.add(
        "traffic",
        () -> {
          LOG.info("draining");
          wiring.drain();
          vertx.undeploy(deployment).await();
        });
  }

  /** With TLS most failures are those of certificate and key. */
  private StartFailure notListening(Exception cause) {
    return config.tls().isPresent() && !(cause instanceof BindException)
        ? StartFailure.invalid(
            "cannot serve TLS with certificate "
                + config.tls().get().certificate()
                + " and its key: "
                + cause.getMessage(),
            cause)
        : Ports.inUse(config.gateway(), "--port", cause);
  }

  private static String deploy(
      Supplier<String> deployment, Function<Exception, StartFailure> failure) {
    try {
      return deployment.get();
    } catch (StartFailure e) {
      throw e;
    } catch (Exception e) {
      // await() throws what the future failed with, declared or not: here, that of the listener.
      throw failure.apply(e);
    }
  }

  /** Where clients come in, with the port that was really taken. */
  public Address address() {
    return config.gateway().withPort(port.get());
  }

  /** The token of the ops API where it was made up for this run; to be told once. */
  public Optional<String> madeToken() {
    return token.made();
  }

  /** Where health, metrics and the ops API are. */
  public Address ops() {
    return ops;
  }

  /** Stops everything, as a signal would. */
  public void stop() {
    closers.closeAll();
  }

  /** The one line by which scripts know that requests are served (contract §8). */
  public String readyLine() {
    String scheme = config.tls().isPresent() ? "https://" : "http://";
    return "oncegate ready on " + scheme + address() + " (ops http://" + ops + ")";
  }
}
