package dev.oncegate.app.proof;

import static dev.oncegate.app.proof.Answers.assertExecuted;
import static dev.oncegate.app.proof.Answers.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.app.TenantsYaml;
import dev.oncegate.testkit.TestPostgres;
import io.vertx.core.http.HttpServerRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * SIGKILL to the winner's node while others wait for it. Their own limit is far away: what ends the
 * wait is the record that turns unknown.
 */
class KilledWinnerIT extends ProofBase {
  private static final int WAITERS = 100;

  private TestPostgres.Database database;

  @BeforeAll
  void start() throws Exception {
    Files.writeString(
        directory.resolve("tenants.yaml"),
        TenantsYaml.forWaiting("127.0.0.1:" + upstream.port(), "5m", "2s", "500ms"));
    database = TestPostgres.shared().freshDatabase(KilledWinnerIT.class);
  }

  @Test
  void c09_waitersOfAClusterAreToldOnceTheRecordIsUnknown() throws Exception {
    List<Node> nodes = new ArrayList<>();
    for (NodeSettings its : NodeSettings.clustered(2, 2, 1)) {
      nodes.add(open(Node.one(its, database, directory)));
    }
    for (Node node : nodes) {
      await().until(node::onBus);
    }
    assertToldUnknown("cluster", nodes.get(0), nodes.subList(1, 3));
  }

  @Test
  void c09_waitersWithoutAClusterAreToldOnceTheRecordIsUnknown() throws Exception {
    Node owner = open(Node.one(NodeSettings.alone(1), database, directory));
    Node other = open(Node.one(NodeSettings.alone(2), database, directory));
    assertToldUnknown("alone", owner, List.of(other));
  }

  private void assertToldUnknown(String key, Node owner, List<Node> others) throws Exception {
    holdAnswers();
    CompletableFuture<HttpResponse<String>> lost =
        owner.postAsync(Duplicates.PATH, key, Duplicates.BODY);
    HttpServerRequest running = heldRequest();
    List<CompletableFuture<HttpResponse<String>>> waiters = Duplicates.send(others, key, WAITERS);
    Duplicates.untilParked(others, WAITERS);
    assertThat(waiters).noneMatch(CompletableFuture::isDone);

    owner.kill();
    for (HttpResponse<String> told : Duplicates.answers(waiters)) {
      assertProblem(told, 409, "outcome-unknown", "unknown");
      assertThat(Answers.header(told, "Retry-After")).isNotEmpty();
    }
    await().until(lost::isCompletedExceptionally);
    Duplicates.untilParked(others, 0);
    for (Node other : others) {
      assertThat(other.woken("shop", "timeout")).isZero();
      assertThat(other.woken("shop", "poll")).isPositive();
      // Whoever comes later is told the same, without waiting; other keys go on.
      assertProblem(
          other.post(Duplicates.PATH, key, Duplicates.BODY), 409, "outcome-unknown", "unknown");
    }
    // What the upstream says to a process that is gone changes nothing.
    answer(running);
    healthyUpstream();
    assertExecuted(others.get(0).post(Duplicates.PATH, key + "-next", Duplicates.BODY), 201);
    assertThat(effects(key)).isEqualTo(1);
  }
}
