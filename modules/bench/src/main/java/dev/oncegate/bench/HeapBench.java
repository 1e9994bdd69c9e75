package dev.oncegate.bench;

import dev.oncegate.bench.LiveHeap.Size;
import dev.oncegate.core.FingerprintInput;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.Admission;
import dev.oncegate.engine.UpstreamRequest;
import dev.oncegate.parking.eventbus.Buses;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntSupplier;

/**
 * What a parked request takes of the heap: live bytes after a full collection, before and after so
 * many open connections have sent a request that waits, for each of them. The connections
 * themselves are there in both. What a plain handler keeps for a request that it holds is taken
 * off: the rest is what waiting costs. The same with large bodies shows whether they are kept.
 */
final class HeapBench {
  static final Map<String, Integer> BUILT_IN =
      Map.of(
          "rounds",
          3,
          "waiters",
          10_000,
          "large-waiters",
          1_000,
          "large-body",
          100_000,
          "classes",
          0);

  private static final String TENANT = "acme";
  private static final int SMALL = 30;

  private final Options options;
  private final PrintStream out;
  private final Vertx vertx = Loops.vertx(8);
  private final Charges upstream = Loops.on(Loops.next(vertx), () -> Charges.holding(vertx));
  private final NetClient client = vertx.createNetClient();
  private final Map<String, List<Double>> bytesEach = new LinkedHashMap<>();

  HeapBench(Options options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  /** So many requests with bodies of that size. */
  private record Load(int count, int body) {}

  void run() {
    BenchDatabase database = new BenchDatabase();
    List<TenantPolicy> tenants = List.of(Tenants.tenant(TENANT, upstream.port(), 8));
    Load small = new Load(options.get("waiters"), SMALL);
    Load large = new Load(options.get("large-waiters"), options.get("large-body"));
    Buses buses = Buses.ofOneProcess();
    try (Node one = new Node(vertx, database, buses, tenants);
        Node two = new Node(vertx, database, buses, tenants);
        PlainServer plain = new PlainServer(vertx)) {
      for (int round = 0; round <= options.get("rounds"); round++) {
        if (round == 1) {
          // Whatever is made once was made in the first round.
          bytesEach.clear();
        }
        for (Load load : List.of(small, large)) {
          database.empty();
          String size = load == small ? ", small bodies" : ", large bodies";
          held("plain handler" + size, load, plain);
          parked("winner's loop" + size, load, one, one);
          parked("another loop" + size, load, one, two);
        }
      }
    }
    print();
    Loops.await(vertx.close());
  }

  private void held(String name, Load load, PlainServer plain) {
    try (CrowdProcess crowd = new CrowdProcess(TENANT, load.count(), plain.port())) {
      measure(name, load, crowd, "K", plain::waiting);
      plain.answerAll();
      crowd.lastAnswer();
    }
  }

  private void parked(String name, Load load, Node winner, Node waiters) {
    String key = UUID.randomUUID().toString();
    try (CrowdProcess crowd = new CrowdProcess(TENANT, load.count(), waiters.port())) {
      Runnable letGo = winner(winner, key, load.body());
      measure(name, load, crowd, key, waiters.seen()::waiting);
      letGo.run();
      crowd.lastAnswer();
    }
  }

  private void measure(
      String name, Load load, CrowdProcess crowd, String key, IntSupplier waiting) {
    LiveHeap before = LiveHeap.now();
    crowd.send(key, load.body());
    Loops.until(vertx, "all are parked", () -> waiting.getAsInt() == load.count());
    LiveHeap after = LiveHeap.now();
    double each = (double) (after.bytes() - before.bytes()) / load.count();
    bytesEach.computeIfAbsent(name, first -> new ArrayList<>()).add(each);
    if (options.get("classes") > 0) {
      out.println(name);
      after.grown(before).stream()
          .filter(grown -> !grown.getKey().startsWith(LiveHeap.class.getName()))
          .filter(grown -> grown.getValue().instances() > load.count() / 2)
          .limit(options.get("classes"))
          .forEach(grown -> print(grown, load));
    }
    for (Class<?> payload :
        List.of(Admission.class, UpstreamRequest.class, FingerprintInput.class)) {
      long more = after.of(payload).minus(before.of(payload)).instances();
      if (more > 0) {
        out.printf("%s: %d more of %s%n", name, more, payload.getSimpleName());
      }
    }
  }

  private void print(Map.Entry<String, Size> grown, Load load) {
    Size size = grown.getValue();
    out.printf(
        "  %6.1f bytes %5.2f of %s%n",
        (double) size.bytes() / load.count(),
        (double) size.instances() / load.count(),
        grown.getKey());
  }

  private Runnable winner(Node node, String key, int body) {
    return Loops.on(
        Loops.next(vertx),
        () ->
            Connection.open(client, node.port())
                .compose(
                    connection -> {
                      connection
                          .charge(TENANT, key, Crowd.body(body))
                          .onComplete(answered -> connection.close());
                      return upstream.arrival(key);
                    }));
  }

  private void print() {
    out.printf(
        "%nheap bytes for each request that waits; %s%n%-32s %10s %26s%n",
        options, "", "median", "beside a plain handler");
    double plain = 0;
    for (Map.Entry<String, List<Double>> entry : bytesEach.entrySet()) {
      double median = Delays.median(entry.getValue());
      if (entry.getKey().startsWith("plain")) {
        plain = median;
      }
      out.printf("%-32s %10.0f %26.0f%n", entry.getKey(), median, median - plain);
    }
  }
}
