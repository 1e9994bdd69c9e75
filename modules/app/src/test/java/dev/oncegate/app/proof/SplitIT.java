package dev.oncegate.app.proof;

import static dev.oncegate.app.proof.Answers.assertExecuted;
import static dev.oncegate.app.proof.Answers.assertProblem;
import static dev.oncegate.app.proof.Answers.assertReplayOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oncegate.app.TenantsYaml;
import dev.oncegate.testkit.TestPostgres;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two members of a cluster whose link is cut and mended, while both reach Postgres, the upstream
 * and their clients: only the delay of waiters changes.
 */
class SplitIT extends ProofBase {
  private static final int WAITERS = 8;

  private CutLink link;
  private Node p1;
  private Node p2;
  private int keys;

  @BeforeAll
  void start() throws Exception {
    assumeTrue(CutLink.possible(), "namespaces need root on Linux");
    link = open(CutLink.make());
    TestPostgres.Database database = TestPostgres.shared().freshDatabase(SplitIT.class);
    Relay toUpstream = open(Relay.at(vertx, link.host(), upstream.port()));
    Relay toPostgres = open(Relay.at(vertx, link.host(), database.port()));
    Files.writeString(
        directory.resolve("tenants.yaml"),
        TenantsYaml.forWaiting(link.host() + ":" + toUpstream.port(), "20s"));
    String uri =
        new TestPostgres.Database(
                link.host(),
                toPostgres.port(),
                database.name(),
                database.user(),
                database.password())
            .uri();
    List<NodeSettings.Place> places =
        List.of(
            new NodeSettings.Place(link.one().linked(), 5701, 5702),
            new NodeSettings.Place(link.two().linked(), 5701, 5702));
    NodeSettings settings = NodeSettings.alone(2).java("-Doncegate.cluster.pace=5,1,1");
    p1 = open(Node.in(link.one(), settings.in(places, 0), uri, directory));
    p2 = open(Node.in(link.two(), settings.in(places, 1), uri, directory));
  }

  @BeforeEach
  void together() throws Exception {
    mended();
  }

  @Test
  void c06_busCut_releaseIsFoundByPolling_andNobodyExecutesAgain() throws Exception {
    link.cut();
    Held held = hold(p1, p2);
    held.request().response().setStatusCode(500).end("no");

    HttpResponse<String> first = held.winner().get(60, TimeUnit.SECONDS);
    assertThat(first.statusCode()).isEqualTo(500);
    assertThat(Answers.status(first)).isEqualTo("released");
    for (HttpResponse<String> each : Duplicates.answers(held.waiters())) {
      assertProblem(each, 503, "attempt-released", "released");
      assertThat(Answers.header(each, "Retry-After")).isNotEmpty();
    }
    assertThat(effects(held.key())).isEqualTo(1);
  }

  @Test
  void c08_busCut_waiterFindsTheAnswerByPolling() throws Exception {
    link.cut();
    long polled = p2.woken("shop", "poll");
    replayed(p1, p2);
    assertThat(p2.woken("shop", "poll")).isEqualTo(polled + WAITERS);
  }

  @Test
  void splitAndMerge_changeDelayAlone() throws Exception {
    splitAndMerge(2);
  }

  @Test
  @Tag("long")
  void manySplitsAndMerges_changeDelayAlone() throws Exception {
    splitAndMerge(20);
  }

  private void splitAndMerge(int cycles) throws Exception {
    for (int i = 0; i < cycles; i++) {
      link.cut();
      // Nobody has noticed yet: messages vanish between nodes that believe in them.
      replayed(p1, p2);
      replayed(p2, p1);
      patiently().until(() -> degraded(p1) && degraded(p2));
      replayed(p1, p2);
      // Each is a cluster of its own by now, which only a merge ends.
      patiently().until(() -> alone(p1) && alone(p2));
      assertThat(p1.ready()).isEqualTo(200);
      assertThat(p2.ready()).isEqualTo(200);
      replayed(p1, p2);
      replayed(p2, p1);
      overTheMerge();
      // Registrations are back in both directions.
      patiently().until(() -> wokenByBus(p1, p2));
      patiently().until(() -> wokenByBus(p2, p1));
    }
  }

  /** Waiters that came in the split are answered in the cluster after it, or by their limit. */
  private void overTheMerge() throws Exception {
    Held held = hold(p1, p2);
    mended();
    answer(held.request());
    HttpResponse<String> winner = held.winner().get(60, TimeUnit.SECONDS);
    for (HttpResponse<String> each : Duplicates.answers(held.waiters())) {
      if (Answers.isInFlight(each)) {
        Answers.assertInFlight(each, LEASE_SECONDS);
      } else {
        assertReplayOf(winner, each);
      }
    }
    assertThat(effects(held.key())).isEqualTo(1);
  }

  private void mended() throws Exception {
    link.mend();
    patiently().until(this::bothOnBus);
  }

  /** To notice a silence, and to meet again, takes members some rounds of heartbeats. */
  private static ConditionFactory patiently() {
    return await().atMost(Duration.ofMinutes(2));
  }

  private boolean bothOnBus() throws Exception {
    return p1.onBus() && p2.onBus();
  }

  private static boolean degraded(Node node) throws Exception {
    return new JsonArray().add("bus").equals(node.health().getJsonArray("degraded"));
  }

  private static boolean alone(Node node) throws Exception {
    String reason = node.health().getJsonObject("bus").getString("reason", "");
    return degraded(node) && reason.equals("no other member is reached");
  }

  /** A winner whose answer is kept back, and those who wait for it at the other node. */
  private record Held(
      String key,
      HttpServerRequest request,
      CompletableFuture<HttpResponse<String>> winner,
      List<CompletableFuture<HttpResponse<String>>> waiters) {}

  private Held hold(Node owner, Node other) throws Exception {
    keys++;
    String key = "split-" + keys;
    holdAnswers();
    CompletableFuture<HttpResponse<String>> winner =
        owner.postAsync(Duplicates.PATH, key, Duplicates.BODY);
    HttpServerRequest request = heldRequest();
    List<CompletableFuture<HttpResponse<String>>> waiters =
        Duplicates.send(List.of(other), key, WAITERS);
    Duplicates.untilParked(List.of(other), WAITERS);
    return new Held(key, request, winner, waiters);
  }

  private void replayed(Node owner, Node other) throws Exception {
    Held held = hold(owner, other);
    answer(held.request());
    HttpResponse<String> winner = held.winner().get(60, TimeUnit.SECONDS);
    assertExecuted(winner, 201);
    Duplicates.answers(held.waiters()).forEach(each -> assertReplayOf(winner, each));
    assertThat(effects(held.key())).isEqualTo(1);
  }

  private boolean wokenByBus(Node owner, Node other) throws Exception {
    long before = other.woken("shop", "bus");
    replayed(owner, other);
    return other.woken("shop", "bus") == before + WAITERS;
  }
}
