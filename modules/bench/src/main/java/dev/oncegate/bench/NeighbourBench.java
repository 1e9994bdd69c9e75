package dev.oncegate.bench;

import dev.oncegate.core.TenantPolicy;
import dev.oncegate.parking.eventbus.Buses;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one tenant notices of another's waiters on its own event loop (C07). Tenant B sends first
 * executions at a steady pace, whether or not those before were answered. Beside it, in turns,
 * tenant A has several hundred requests that wait on B's loop for winners of another one: every
 * key's waiters are parked, polled for and answered, and the next key's come at once.
 */
final class NeighbourBench {
  static final Map<String, Integer> BUILT_IN =
      Map.of(
          "rounds",
          5,
          "waiters",
          500,
          "keys",
          10,
          "hold-ms",
          1_000,
          "per-second",
          200,
          "measured-ms",
          8_000,
          "warm-up-ms",
          3_000);

  /** More than are ever under way. */
  private static final int CLIENTS = 256;

  private final Options options;
  private final PrintStream out;
  private final Vertx vertx = Loops.vertx(8);
  private final Context asking = Loops.next(vertx);
  private final Context waiting = Loops.next(vertx);
  private final Charges held = Loops.on(Loops.next(vertx), () -> Charges.holding(vertx));
  private final Charges upstream = Loops.on(Loops.next(vertx), () -> Charges.answering(vertx));

  NeighbourBench(Options options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  /** Tenant B's delays alone, and beside A's waiters, a pair for each round. */
  private record Rounds(List<Delays> alone, List<Delays> beside) {}

  void run() {
    BenchDatabase database = new BenchDatabase();
    List<TenantPolicy> tenants =
        List.of(
            Tenants.tenant("acme", held.port(), options.get("keys")),
            Tenants.tenant("bravo", upstream.port(), CLIENTS));
    out.printf(
        "%na tenant beside another's waiters; %s%n%s, %d cores shared by all%n",
        options, database.server(), Runtime.getRuntime().availableProcessors());
    Map<String, Rounds> results = new LinkedHashMap<>();
    Buses process = Buses.ofOneProcess();
    try (Node winners = new Node(vertx, database, process, tenants);
        Node node = new Node(vertx, database, process, tenants);
        Node deafWinners = new Node(vertx, database, null, tenants);
        Node deaf = new Node(vertx, database, null, tenants)) {
      for (int round = 0; round <= options.get("rounds"); round++) {
        if (round == 1) {
          results.clear();
        }
        database.empty();
        measure(results, "woken by hints", winners, node);
        measure(results, "polling every 100 ms", deafWinners, deaf);
      }
    }
    print(results);
    Loops.await(vertx.close());
  }

  private void measure(Map<String, Rounds> results, String name, Node winners, Node node) {
    Rounds rounds =
        results.computeIfAbsent(name, n -> new Rounds(new ArrayList<>(), new ArrayList<>()));
    rounds.alone().add(paced(node, null));
    Churn churn =
        Loops.on(
            waiting,
            () ->
                Churn.start(
                    vertx,
                    new Churn.Plan(
                        held,
                        winners.port(),
                        node.port(),
                        options.get("keys"),
                        options.get("waiters") / options.get("keys"),
                        options.get("hold-ms"))));
    Loops.until(
        vertx, "waiters are parked", () -> node.seen().waiting() >= options.get("waiters") / 2);
    rounds.beside().add(paced(node, churn));
    Loops.on(waiting, churn::stop);
  }

  private Delays paced(Node node, @Nullable Churn churn) {
    HttpLoad load = Loops.on(asking, () -> HttpLoad.connect(vertx, node.port(), CLIENTS, "bravo"));
    PacedLoad paced = new PacedLoad(vertx, load::execute, options.get("per-second"));
    Delays delays =
        Loops.on(asking, () -> paced.run(options.get("warm-up-ms"), options.get("measured-ms")));
    Loops.await(load.close());
    if (churn != null) {
      churn.requireWork();
    }
    return delays;
  }

  private void print(Map<String, Rounds> results) {
    out.printf(
        "%-22s %9s %9s %9s   %9s %9s %9s%n",
        "", "p50 alone", "beside", "ratio", "p99 alone", "beside", "ratio");
    results.forEach(
        (name, rounds) ->
            out.printf(
                "%-22s %9.2f %9.2f %9.2f   %9.2f %9.2f %9.2f%n",
                name,
                median(rounds.alone(), 0.5),
                median(rounds.beside(), 0.5),
                median(rounds.beside(), 0.5) / median(rounds.alone(), 0.5),
                median(rounds.alone(), 0.99),
                median(rounds.beside(), 0.99),
                median(rounds.beside(), 0.99) / median(rounds.alone(), 0.99)));
  }

  private static double median(List<Delays> rounds, double share) {
    return Delays.median(rounds.stream().map(round -> round.percentile(share)).toList());
  }
}
