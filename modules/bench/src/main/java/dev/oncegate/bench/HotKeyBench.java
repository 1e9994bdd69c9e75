package dev.oncegate.bench;

import dev.oncegate.bench.WatchedStore.Asked;
import dev.oncegate.core.TenantPolicy;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Thousands of requests on one key, half of them on the winner's node and half on another: how long
 * from the winner's commit until the last of them is answered, and what waiting asks of Postgres.
 * The winner is let go once all of them wait. Beside it, in turns, the time that two plain handlers
 * take to answer as many held requests of the same clients.
 */
final class HotKeyBench {
  static final Map<String, Integer> BUILT_IN = Map.of("rounds", 5, "waiters", 10_000);

  private static final String TENANT = "acme";
  private static final int BODY = 30;

  private final Options options;
  private final PrintStream out;
  private final Vertx vertx = Loops.vertx(8);
  private final Charges upstream = Loops.on(Loops.next(vertx), () -> Charges.holding(vertx));
  private final NetClient client = vertx.createNetClient();

  HotKeyBench(Options options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  void run() {
    int count = options.get("waiters");
    BenchDatabase database = new BenchDatabase();
    List<TenantPolicy> tenants = List.of(Tenants.tenant(TENANT, upstream.port(), 8));
    out.printf(
        "%nhot key: %d requests on one key, over two nodes; %s%n%s, %d cores shared by all%n",
        count, options, database.server(), Runtime.getRuntime().availableProcessors());
    out.printf(
        "%-6s %14s %14s   %s%n",
        "round", "last, ms", "plain, ms", "asked of Postgres: claims, looks and polls, reads");
    List<Double> last = new ArrayList<>();
    List<Double> plain = new ArrayList<>();
    try (TwoMembers members = new TwoMembers(vertx);
        Node here = new Node(vertx, database, members.first(), tenants);
        Node there = new Node(vertx, database, members.second(), tenants);
        PlainServer one = new PlainServer(vertx);
        PlainServer two = new PlainServer(vertx)) {
      for (int round = 0; round <= options.get("rounds"); round++) {
        database.empty();
        double held = plain(count, one, two);
        Asked hereBefore = here.store().asked();
        Asked thereBefore = there.store().asked();
        double waited = waited(count, here, there);
        Asked own = here.store().asked().minus(hereBefore);
        Asked others = there.store().asked().minus(thereBefore);
        boolean counts = round > 0;
        if (counts) {
          last.add(waited);
          plain.add(held);
        }
        out.printf(
            "%-6s %14.0f %14.0f   winner's node %d, %d, %d; other node %d, %d, %d%n",
            counts ? String.valueOf(round) : "warm",
            waited,
            held,
            own.claims() - 1,
            own.standings(),
            own.reads(),
            others.claims(),
            others.standings(),
            others.reads());
      }
    }
    out.printf(
        "median: last answer %.0f ms after the commit, plain %.0f ms, ratio %.2f%n",
        Delays.median(last), Delays.median(plain), Delays.median(last) / Delays.median(plain));
    Loops.await(vertx.close());
  }

  private double waited(int count, Node here, Node there) {
    String key = UUID.randomUUID().toString();
    try (CrowdProcess crowd = new CrowdProcess(TENANT, count, here.port(), there.port())) {
      Runnable letGo = winner(here, key);
      crowd.send(key, BODY);
      Loops.until(
          vertx, "all are parked", () -> here.seen().waiting() + there.seen().waiting() == count);
      letGo.run();
      long last = crowd.lastAnswer();
      return (last - here.store().takeCommit(Tenants.record(TENANT, key)).orElseThrow()) / 1e6;
    }
  }

  private Runnable winner(Node node, String key) {
    return Loops.on(
        Loops.next(vertx),
        () ->
            Connection.open(client, node.port())
                .compose(
                    connection -> {
                      // The same body as the others', which must be the same request.
                      connection
                          .charge(TENANT, key, Crowd.body(BODY))
                          .onComplete(answered -> connection.close());
                      return upstream.arrival(key);
                    }));
  }

  private double plain(int count, PlainServer one, PlainServer two) {
    try (CrowdProcess crowd = new CrowdProcess(TENANT, count, one.port(), two.port())) {
      crowd.send("K", BODY);
      Loops.until(vertx, "all are parked", () -> one.waiting() + two.waiting() == count);
      long began = System.nanoTime();
      one.answerAll();
      two.answerAll();
      double took = (crowd.lastAnswer() - began) / 1e6;
      return took;
    }
  }
}
