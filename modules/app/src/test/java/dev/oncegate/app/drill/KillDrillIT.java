package dev.oncegate.app.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.app.TenantsYaml;
import dev.oncegate.engine.port.Failpoints;
import dev.oncegate.testkit.TestPostgres;
import dev.oncegate.testkit.history.History;
import dev.oncegate.testkit.history.HistoryChecker;
import dev.oncegate.testkit.history.Step;
import dev.oncegate.testkit.history.Violation;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two gateways are killed at every failpoint, and by SIGKILL at any moment, under clients that go
 * on until they are told; then the history checker reads what clients, ledger and store have to say
 * (reliability §4 L5, §6).
 */
class KillDrillIT {
  private static final int CLIENTS = 24;

  /** Of a lapsed claim: two sweeps of 200 ms and a quarter, and what a busy machine takes. */
  private static final long SWEPT_WITHIN_MILLIS = 2_500;

  /** What drill-tenants.yaml gives; more than what this machine may do to a request. */
  private static final long QUARANTINE_MILLIS = 3_000;

  @TempDir Path directory;

  @Test
  void killsAtEveryFailpoint_neitherDuplicateNorLose() throws Exception {
    drill(3);
  }

  @Test
  @Tag("long")
  void manyKillsAtEveryFailpoint_neitherDuplicateNorLose() throws Exception {
    drill(25);
  }

  private void drill(int each) throws Exception {
    long seed = System.nanoTime();
    Vertx vertx = Vertx.vertx();
    TestPostgres.Database database = TestPostgres.shared().freshDatabase(KillDrillIT.class);
    try (DrillUpstream upstream = DrillUpstream.start(vertx, directory.resolve("ledger"));
        DrillCluster cluster = new DrillCluster(directory, database)) {
      Files.writeString(directory.resolve("tenants.yaml"), TenantsYaml.forDrills(upstream.port()));
      Files.createDirectories(directory.resolve("conf"));
      Files.writeString(
          directory.resolve("conf").resolve("oncegate.yaml"), "sweeper: { every: 200ms }\n");
      cluster.prepare();
      DrillJournal journal = DrillJournal.install(database);
      cluster.startAll();
      DrillClients clients = new DrillClients(cluster::nodes);
      long started = RunClock.now();
      long overdue;
      try (LeaseCutter cutter = new LeaseCutter(database, cluster)) {
        upstream.ways(DrillUpstream::anyWay);
        clients.start(CLIENTS, seed);
        cluster.killAll(orders(each, seed));
        upstream.ways(() -> DrillUpstream.Way.PLAIN);
        cutter.stopCutting();
        cluster.startAll();
        clients.finish();
        await("everything settles").atMost(Duration.ofSeconds(60)).until(() -> open(database) == 0);
        overdue = cutter.longestMillis();
      }
      judge(new Run(upstream, cluster, clients, journal, each, started, overdue, seed));
    } finally {
      vertx.close().await();
    }
  }

  private record Run(
      DrillUpstream upstream,
      DrillCluster cluster,
      DrillClients clients,
      DrillJournal journal,
      int each,
      long started,
      long overdueMillis,
      long seed) {}

  private static Queue<String> orders(int each, long seed) {
    List<String> orders = new ArrayList<>(Collections.nCopies(each, Kill.SIGKILL));
    Arrays.stream(Failpoints.Point.values())
        .forEach(point -> orders.addAll(Collections.nCopies(each, point.label())));
    Collections.shuffle(orders, new Random(seed));
    return new ConcurrentLinkedQueue<>(orders);
  }

  private static long open(TestPostgres.Database database) {
    return Long.parseLong(
        database.query(
            "select count(*) from record"
                + " where state = 'claimed' or (state = 'unknown' and tenant <> 'held')"));
  }

  private static void judge(Run run) throws Exception {
    List<DrillClients.Heard> heard = run.clients().heard();
    List<DrillUpstream.Handled> handled = run.upstream().lines();
    List<Step> steps = run.journal().steps();
    Map<String, History.Executions> executions = new LinkedHashMap<>();
    for (String tenant : List.of("probed", "keyed", "held")) {
      long counted = 0;
      for (DrillNode node : run.cluster().nodes()) {
        counted += node.counted("idempotency_requests_total", tenant, "outcome=\"executed\"");
      }
      // Those that were killed have taken their counters with them.
      executions.put(tenant, new History.Executions(counted, Integer.MAX_VALUE));
    }
    Map<String, History.Count> counts =
        KillTable.counts(
            run.cluster().kills(), run.each(), heard, handled, steps, run.upstream().questions());
    History history =
        History.of(
                heard.stream().map(DrillClients.Heard::attempt).toList(),
                handled.stream().map(DrillUpstream.Handled::line).toList())
            .withRows(run.journal().rows())
            .withJournal(steps)
            .withBooks(run.journal().books(), executions)
            .withCounts(counts);
    KillTable.print(
        System.out,
        run.cluster().kills(),
        Kill.Evidence.of(heard, handled, steps, run.upstream().questions()));
    double seconds = (RunClock.now() - run.started()) / 1e6;
    System.out.printf(
        "drill of seed %d: %.0f s, %d attempts (%.0f/s), %d keys, %d sends, %d effects,"
            + " fenced %d, lapsed claims seen claimed for up to %d ms%n",
        run.seed(),
        seconds,
        heard.size(),
        heard.size() / seconds,
        heard.stream().map(h -> h.attempt().key()).distinct().count(),
        handled.size(),
        handled.stream().filter(h -> h.line().effect()).count(),
        run.journal().timeline("fenced"),
        run.overdueMillis());
    counts.forEach((name, count) -> System.out.printf("  %-40s %6d%n", name, count.seen()));
    long latest = KillTable.latestArrivalMillis(handled, steps);
    System.out.printf("  a request arrived up to %d ms after its outcome was unknown%n", latest);
    assertThat(latest).as("A2 did not hold, the run proves nothing").isLessThan(QUARANTINE_MILLIS);
    List<Violation> violations = HistoryChecker.check(history);
    violations.stream()
        .map(Violation::subject)
        .distinct()
        .limit(2)
        .forEach(
            key ->
                KillTable.explain(
                    System.out, key, heard, handled, steps, run.upstream().questions()));
    assertThat(violations).isEmpty();
    assertThat(run.overdueMillis()).isLessThan(SWEPT_WITHIN_MILLIS);
  }
}
