package dev.oncegate.app.proof;

import static dev.oncegate.app.proof.Answers.assertExecuted;
import static org.assertj.core.api.Assertions.assertThat;

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

/** Many who wait leave room for others: neither a thread nor a connection is held by a waiter. */
class NeighbourIT extends ProofBase {
  private static final int WAITERS = 500;

  private final List<Node> nodes = new ArrayList<>();

  @BeforeAll
  void start() throws Exception {
    Files.writeString(
        directory.resolve("tenants.yaml"),
        TenantsYaml.forWaiting("127.0.0.1:" + upstream.port(), "60s"));
    TestPostgres.Database database = TestPostgres.shared().freshDatabase(NeighbourIT.class);
    nodes.add(open(Node.one(NodeSettings.alone(1), database, directory)));
    nodes.add(open(Node.one(NodeSettings.alone(2), database, directory)));
  }

  @Test
  void waitersOfOneTenant_leaveTheOthersExecuting() throws Exception {
    holdAnswers();
    List<CompletableFuture<HttpResponse<String>>> waiting =
        Duplicates.send(nodes, "crowd", WAITERS + 1);
    HttpServerRequest winner = heldRequest();
    Duplicates.untilParked(nodes, WAITERS);

    upstream.script((request, received) -> answer(request));
    for (int i = 0; i < 100; i++) {
      Node node = nodes.get(i % nodes.size());
      assertExecuted(node.post("/billing/charges", "calm-" + i, Duplicates.BODY), 201);
      assertExecuted(node.post("/shop/charges", "calm-" + i, Duplicates.BODY), 201);
    }
    Duplicates.untilParked(nodes, WAITERS);
    assertThat(nodes.get(0).parked("billing") + nodes.get(1).parked("billing")).isZero();

    answer(winner);
    Duplicates.assertOneExecuted(Duplicates.answers(waiting));
    assertThat(effects("crowd")).isEqualTo(1);
  }
}
