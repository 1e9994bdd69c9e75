package dev.oncegate.app.drill;

import dev.oncegate.testkit.TestPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Two places for gateway processes on one Postgres, in which they are killed and started again. */
final class DrillCluster implements AutoCloseable {
  private static final List<String> PLACES = List.of("p1", "p2");

  /** A point that nothing passes for so long is not going to be passed. */
  private static final Duration PASSED_WITHIN = Duration.ofSeconds(20);

  private final Path directory;
  private final TestPostgres.Database database;
  private final Map<String, DrillNode> there = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> lives = new TreeMap<>();
  private final Queue<Kill> kills = new ConcurrentLinkedQueue<>();
  private volatile long someoneSince = Long.MAX_VALUE;

  DrillCluster(Path directory, TestPostgres.Database database) {
    this.directory = directory;
    this.database = database;
    PLACES.forEach(place -> lives.put(place, new AtomicInteger()));
  }

  /** The nodes that serve, as far as is known. */
  List<DrillNode> nodes() {
    return List.copyOf(there.values());
  }

  /** Since when there has always been a node that serves; far in the future where there is none. */
  long someoneSince() {
    return someoneSince;
  }

  List<Kill> kills() {
    return List.copyOf(kills);
  }

  /**
   * Makes the schema, and an archive of the classes that a node loads: with it a node starts in
   * half the time, of which a drill spends most on starts.
   */
  void prepare() {
    DrillNode first =
        DrillNode.start(
            "first", directory, database, "-XX:ArchiveClassesAtExit=" + archive(), "1s");
    first.process().terminate();
    first.process().exitCode();
  }

  private Path archive() {
    return directory.resolve("classes.jsa");
  }

  /** Starts a process in both places. */
  void startAll() {
    PLACES.forEach(place -> start(place, ""));
  }

  private DrillNode start(String place, String failpoints) {
    String life = place + "#" + lives.get(place).incrementAndGet();
    String orders = failpoints.isEmpty() ? "" : " -Doncegate.failpoints=" + failpoints;
    DrillNode node =
        DrillNode.start(
            life, directory, database, "-XX:SharedArchiveFile=" + archive() + orders, "5s");
    there.put(place, node);
    if (there.size() == 1) {
      someoneSince = RunClock.now();
    }
    return node;
  }

  private void gone(String place) {
    there.remove(place);
    if (there.isEmpty()) {
      someoneSince = Long.MAX_VALUE;
    }
  }

  /** Works off the orders in both places at once; each is a failpoint or SIGKILL. */
  void killAll(Queue<String> orders) throws Exception {
    List<Thread> controllers =
        PLACES.stream().map(place -> new Thread(() -> control(place, orders), place)).toList();
    controllers.forEach(Thread::start);
    for (Thread controller : controllers) {
      controller.join();
    }
  }

  private void control(String place, Queue<String> orders) {
    for (String order = orders.poll(); order != null; order = orders.poll()) {
      DrillNode old = there.get(place);
      if (old != null) {
        gone(place);
        old.process().kill();
      }
      kills.add(kill(place, order));
    }
  }

  private Kill kill(String place, String order) {
    boolean signal = order.equals(Kill.SIGKILL);
    DrillNode node;
    try {
      node = start(place, signal ? "" : order + "=halt@" + pass(order));
    } catch (AssertionError haltedBeforeItServed) {
      return new Kill(order, place, RunClock.now(), true);
    }
    try {
      if (signal) {
        TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(300, 1500));
        node.process().kill();
      }
      boolean ended = node.process().endsWithin(PASSED_WITHIN);
      long at = RunClock.now();
      gone(place);
      node.process().kill();
      return new Kill(order, node.name(), at, ended && node.process().exitCode() == 137);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Requests pass by the hundred, sweeps with something in them and questions now and then. */
  private static int pass(String point) {
    boolean rare = point.startsWith("sweep") || point.startsWith("probe");
    return ThreadLocalRandom.current().nextInt(1, rare ? 4 : 80);
  }

  @Override
  public void close() {
    there.values().forEach(DrillNode::close);
  }
}
