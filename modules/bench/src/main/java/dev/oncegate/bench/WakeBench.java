package dev.oncegate.bench;

import dev.oncegate.bench.Connection.Answered;
import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.port.EngineEvents.WokenBy;
import dev.oncegate.parking.eventbus.Buses;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long after the winner's commit a waiter has the first byte of its answer: on the winner's
 * loop, on another loop of its process, on another node of a cluster, and beside them by polling
 * alone, which is what the bus is there for.
 *
 * <p>One trial: the winner is held by its upstream, one duplicate waits for it, and after {@value
 * #LEAST_HOLD} ms and a random part of {@value #PERIOD} ms, the period of the polls, the winner is
 * let go. The delay runs from where the winner's store has the commit acknowledged, and nobody was
 * told yet, to where the duplicate's raw socket has something to read. The ways take turns in every
 * round; {@code lanes} trials run side by side.
 */
final class WakeBench {
  static final Map<String, Integer> BUILT_IN =
      Map.of("rounds", 5, "trials", 200, "lanes", 4, "warm-up", 100);

  /** In which a waiter is surely parked and attached. */
  private static final int LEAST_HOLD = 50;

  private static final int PERIOD = 100;
  private static final String TENANT = "acme";

  private final Options options;
  private final PrintStream out;
  private final Vertx vertx = Loops.vertx(12);
  private final Context asking = Loops.next(vertx);
  private final Charges upstream = Loops.on(Loops.next(vertx), () -> Charges.holding(vertx));

  /** Held: a client that nobody holds is closed, with its connections. */
  private final NetClient client = vertx.createNetClient();

  WakeBench(Options options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  /**
   * Where winner and waiter are.
   *
   * @param by what is meant to wake the waiter
   */
  private record Way(String name, Node winner, Node waiter, WokenBy by) {}

  void run() {
    BenchDatabase database = new BenchDatabase();
    List<TenantPolicy> tenants = List.of(Tenants.tenant(TENANT, upstream.port(), 64));
    Buses process = Buses.ofOneProcess();
    try (TwoMembers members = new TwoMembers(vertx);
        Node one = new Node(vertx, database, process, tenants);
        Node two = new Node(vertx, database, process, tenants);
        Node here = new Node(vertx, database, members.first(), tenants);
        Node there = new Node(vertx, database, members.second(), tenants);
        Node deafWinner = new Node(vertx, database, null, tenants);
        Node deafWaiter = new Node(vertx, database, null, tenants)) {
      out.printf(
          "%nwake-up delay: winner's commit to waiter's first byte, ms; %s%n%s, %d cores shared by"
              + " all%n",
          options, database.server(), Runtime.getRuntime().availableProcessors());
      List<Way> ways =
          List.of(
              new Way("same loop", one, one, WokenBy.LOCAL),
              new Way("another loop", one, two, WokenBy.LOCAL),
              new Way("another node", here, there, WokenBy.BUS),
              new Way("polls alone, every 100 ms", deafWinner, deafWaiter, WokenBy.POLL));
      ways.forEach(way -> measure(way, options.get("warm-up")));
      Map<Way, List<Delays>> results = new LinkedHashMap<>();
      Map<Way, Long> before = new LinkedHashMap<>();
      ways.forEach(way -> before.put(way, way.waiter().seen().woken(way.by())));
      for (int round = 0; round < options.get("rounds"); round++) {
        for (Way way : ways) {
          results
              .computeIfAbsent(way, first -> new ArrayList<>())
              .add(measure(way, options.get("trials")));
        }
      }
      print(results, before);
    }
    Loops.await(vertx.close());
  }

  private Delays measure(Way way, int trials) {
    Delays delays = new Delays();
    int lanes = Math.min(options.get("lanes"), trials);
    List<Future<?>> ended = new ArrayList<>();
    for (int lane = 0; lane < lanes; lane++) {
      int share = trials / lanes + (lane < trials % lanes ? 1 : 0);
      ended.add(
          Future.future(
              end -> asking.runOnContext(go -> lane(way, delays, share).onComplete(end))));
    }
    Loops.await(Future.all(ended));
    return delays;
  }

  private Future<Void> lane(Way way, Delays delays, int trials) {
    return Connection.open(client, way.winner().port())
        .compose(
            winner ->
                Connection.open(client, way.waiter().port())
                    .compose(
                        waiter -> {
                          Future<Void> before = Future.succeededFuture();
                          for (int i = 0; i < trials; i++) {
                            before =
                                before.compose(
                                    v ->
                                        trial(way, winner, waiter)
                                            .map(
                                                delay -> {
                                                  delays.add(delay);
                                                  return null;
                                                }));
                          }
                          return before.eventually(winner::close).eventually(waiter::close);
                        }));
  }

  private Future<Long> trial(Way way, Connection winner, Connection waiter) {
    String key = UUID.randomUUID().toString();
    RecordId id = Tenants.record(TENANT, key);
    Future<Answered> won = winner.charge(TENANT, key);
    return upstream
        .arrival(key)
        .compose(
            letGo -> {
              Future<Answered> waited = waiter.charge(TENANT, key);
              long hold = LEAST_HOLD + ThreadLocalRandom.current().nextInt(PERIOD);
              vertx.setTimer(hold, held -> letGo.run());
              return Future.all(won, waited).map(all -> waited.result());
            })
        .map(
            answered -> {
              BrokenInvariant.require(answered.replayed(), "the waiter has the stored answer");
              return answered.firstByte() - way.winner().store().takeCommit(id).orElseThrow();
            });
  }

  private void print(Map<Way, List<Delays>> results, Map<Way, Long> before) {
    out.printf(
        "%-26s %8s %8s %8s %8s %14s  %s%n",
        "", "samples", "p50", "p99", "max", "p99 of rounds", "woken as meant");
    results.forEach(
        (way, rounds) -> {
          Delays all = Delays.together(rounds);
          List<Double> p99s = rounds.stream().map(round -> round.percentile(0.99)).toList();
          out.printf(
              "%-26s %8d %8.2f %8.2f %8.2f %14.2f  %d by %s%n",
              way.name(),
              all.count(),
              all.percentile(0.50),
              all.percentile(0.99),
              all.percentile(1),
              Delays.median(p99s),
              way.waiter().seen().woken(way.by()) - before.getOrDefault(way, 0L),
              way.by().label());
        });
  }
}
