package dev.oncegate.app.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.app.TenantsYaml;
import dev.oncegate.app.proof.ClosedLoop.Said;
import dev.oncegate.app.proof.StatementLog.Share;
import dev.oncegate.testkit.TestPostgres;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Ten thousand wait for one key on two nodes of a cluster. What that costs Postgres is read from
 * the server's own log; what it costs the heap, and how long the answers take, is printed.
 */
class HotKeyIT extends ProofBase {
  private static final int WAITERS = 10_000;

  /** Streams that a gateway takes on one connection. */
  private static final int PER_CONNECTION = 100;

  /** One claim, one look and one read for each of three loops, and one in reserve. */
  private static final int MOST_STATEMENTS = 10;

  private final List<Node> nodes = new ArrayList<>();
  private StatementLog log;
  private HttpClient client;

  @BeforeAll
  void start() throws Exception {
    Files.writeString(
        directory.resolve("tenants.yaml"),
        TenantsYaml.forWaiting("127.0.0.1:" + upstream.port(), "3m"));
    TestPostgres server = open(TestPostgres.embedded());
    TestPostgres.Database database = server.freshDatabase(HotKeyIT.class);
    log = StatementLog.begin(server, database);
    for (NodeSettings its : NodeSettings.clustered(2, 2)) {
      nodes.add(
          open(
              Node.one(
                  its.with("gateway: { clearTextHttp2: true }").with("sweeper: { every: 1m }"),
                  database,
                  directory)));
    }
    for (Node node : nodes) {
      await().until(node::onBus);
    }
    client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false),
            new PoolOptions().setHttp2MaxSize(WAITERS / PER_CONNECTION));
  }

  @Test
  void tenThousandWait_costPostgresAHandfulOfStatements() throws Exception {
    String key = "hot";
    // Connections and code that every request needs are no cost of waiting.
    Future.all(send("warm-" + key, WAITERS)).await(120, TimeUnit.SECONDS);
    List<Long> heapBefore = heap();
    holdAnswers();
    Future<Said> first = send(nodes.get(0), key);
    HttpServerRequest winner = heldRequest();
    log.mark(key + " runs");
    List<Future<Said>> sent = send(key, WAITERS);
    Duplicates.untilParked(nodes, WAITERS);
    List<Long> heapParked = heap();
    log.mark(key + " is awaited");

    long released = System.nanoTime();
    answer(winner);
    Said executed = first.await(60, TimeUnit.SECONDS);
    Future.all(sent).await(120, TimeUnit.SECONDS);
    long answered = System.nanoTime() - released;
    Duplicates.untilParked(nodes, 0);
    log.mark(key + " is over");

    assertThat(executed.outcome()).isEqualTo("executed");
    Said replay = new Said(executed.status(), "replayed", executed.body());
    assertThat(sent).allSatisfy(each -> assertThat(each.result()).isEqualTo(replay));
    assertThat(effects(key)).isEqualTo(1);
    Share waiting = StatementLog.share(log.between(key + " runs", key + " is over"));
    System.err.printf(
        "hot key: %d waiters on two nodes, %d ms from the winner's answer to the last one;"
            + " statements: %s; heap per waiter with its request: %s bytes%n",
        WAITERS,
        TimeUnit.NANOSECONDS.toMillis(answered),
        waiting,
        growth(heapBefore, heapParked, WAITERS / nodes.size()));
    assertThat(waiting.claims()).as("the log is understood").isPositive();
    assertThat(waiting.reads()).as("the log is understood").isPositive();
    assertThat(waiting.besidePolls()).as("%s", waiting).isLessThanOrEqualTo(MOST_STATEMENTS);
  }

  private List<Future<Said>> send(String key, int howMany) {
    List<Future<Said>> sent = new ArrayList<>();
    for (int i = 0; i < howMany; i++) {
      sent.add(send(nodes.get(i % nodes.size()), key));
    }
    return sent;
  }

  private Future<Said> send(Node node, String key) {
    RequestOptions request =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setAbsoluteURI(node.traffic() + Duplicates.PATH)
            .putHeader("Idempotency-Key", key)
            .putHeader("Content-Type", "application/json");
    return client
        .request(request)
        .compose(made -> made.send(Duplicates.BODY))
        .compose(ClosedLoop::said);
  }

  private List<Long> heap() throws Exception {
    List<Long> used = new ArrayList<>();
    for (Node node : nodes) {
      used.add(Heap.used(node));
    }
    return used;
  }

  private static List<Long> growth(List<Long> before, List<Long> after, int waitersOfEach) {
    List<Long> growth = new ArrayList<>();
    for (int i = 0; i < before.size(); i++) {
      growth.add((after.get(i) - before.get(i)) / waitersOfEach);
    }
    return growth;
  }
}
