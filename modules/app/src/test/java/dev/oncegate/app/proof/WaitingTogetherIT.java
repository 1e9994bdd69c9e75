package dev.oncegate.app.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.app.TenantsYaml;
import dev.oncegate.testkit.TestPostgres;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Several gateways before one upstream: with one event loop or two, in a cluster or without. */
class WaitingTogetherIT extends ProofBase {
  private static final int REQUESTS = 200;

  private TestPostgres.Database database;
  private final List<Node> cluster = new ArrayList<>();

  @BeforeAll
  void start() throws Exception {
    Files.writeString(
        directory.resolve("tenants.yaml"),
        TenantsYaml.forWaiting("127.0.0.1:" + upstream.port(), "60s"));
    database = TestPostgres.shared().freshDatabase(WaitingTogetherIT.class);
    for (NodeSettings its : NodeSettings.clustered(1, 2, 2)) {
      cluster.add(open(Node.one(its, database, directory)));
    }
    for (Node node : cluster) {
      await().until(node::onBus);
    }
  }

  @Test
  void c01_identicalRequestsOverTwoNodes_areOneEffect() throws Exception {
    free(cluster.subList(0, 2), "two");
  }

  @Test
  void c01_identicalRequestsOverThreeNodes_areOneEffect() throws Exception {
    free(cluster, "three");
  }

  @Test
  void heldWinner_allOthersWaitForIt_andTheBusWakesThoseOfOtherNodes() throws Exception {
    long byBus = woken(cluster, "bus");
    held(cluster, "held");
    assertThat(woken(cluster, "bus")).isGreaterThan(byBus);
  }

  @Test
  void nodesWithoutACluster_lookAtTheStore() throws Exception {
    try (Node one = Node.one(NodeSettings.alone(1), database, directory);
        Node two = Node.one(NodeSettings.alone(2), database, directory)) {
      List<Node> strangers = List.of(one, two);
      free(strangers, "strangers");
      held(strangers, "held-strangers");
      assertThat(woken(strangers, "bus")).isZero();
      assertThat(woken(strangers, "poll")).isPositive();
    }
  }

  /** As a load generator does: the next request follows the answer to the one before. */
  @Test
  void duplicatesUnderLoad_areOneEffectPerKey() throws Exception {
    upstream.script((request, received) -> vertx.setTimer(20, fired -> answer(request)));
    ClosedLoop load = new ClosedLoop(vertx, cluster, "load-");
    List<List<ClosedLoop.Said>> said = load.run(64, 40, 100);
    for (int key = 0; key < said.size(); key++) {
      List<ClosedLoop.Said> answers = said.get(key);
      assertThat(answers).hasSize(100);
      assertThat(answers.stream().map(ClosedLoop.Said::body).distinct()).hasSize(1);
      assertThat(answers).allMatch(each -> each.status() == 201);
      assertThat(answers.stream().filter(each -> each.outcome().equals("executed"))).hasSize(1);
      assertThat(answers.stream().filter(each -> each.outcome().equals("replayed"))).hasSize(99);
      assertThat(effects("load-" + key)).isEqualTo(1);
    }
  }

  /** The upstream takes its time, and whoever comes after its answer gets that at once. */
  private void free(List<Node> nodes, String key) throws Exception {
    upstream.script((request, received) -> vertx.setTimer(300, fired -> answer(request)));
    Duplicates.assertOneExecuted(Duplicates.answers(Duplicates.send(nodes, key, REQUESTS)));
    assertThat(effects(key)).isEqualTo(1);
  }

  /** The upstream answers once all others wait. */
  private void held(List<Node> nodes, String key) throws Exception {
    holdAnswers();
    List<CompletableFuture<HttpResponse<String>>> sent = Duplicates.send(nodes, key, REQUESTS);
    Duplicates.untilParked(nodes, REQUESTS - 1);
    answer(heldRequest());
    Duplicates.assertOneExecuted(Duplicates.answers(sent));
    Duplicates.untilParked(nodes, 0);
    assertThat(effects(key)).isEqualTo(1);
  }

  private static long woken(List<Node> nodes, String by) throws Exception {
    long woken = 0;
    for (Node node : nodes) {
      woken += node.woken("shop", by);
    }
    return woken;
  }
}
