package dev.oncegate.app.proof;

import static dev.oncegate.app.proof.Answers.assertExecuted;
import static dev.oncegate.app.proof.Answers.assertProblem;
import static dev.oncegate.app.proof.Answers.assertReplayOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.testkit.TestPostgres;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * SIGSTOP for longer than the lease, then SIGCONT: a late owner meets what came after it (row 8).
 */
class PausedGatewayIT extends ProofBase {
  private static final String BODY = "{\"amount\":500}";
  private static final String RECORDS = "/tenants/shop/records";

  private Node paused;
  private Node other;

  @BeforeEach
  void start() throws Exception {
    writeTenants(upstream.port(), "2s", "500ms");
    TestPostgres.Database database = TestPostgres.shared().freshDatabase(PausedGatewayIT.class);
    paused = Node.on(database, directory);
    other = Node.on(database, directory);
  }

  @AfterEach
  void stop() {
    paused.goOn();
    paused.close();
    other.close();
  }

  /** The winner's exchange is open, its owner stands still, and its record has turned unknown. */
  private CompletableFuture<HttpResponse<String>> stoppedInMidExchange(String key)
      throws Exception {
    holdAnswers();
    CompletableFuture<HttpResponse<String>> first = paused.postAsync("/shop/charges", key, BODY);
    HttpServerRequest request = heldRequest();
    paused.freeze();
    await()
        .until(
            () -> {
              HttpResponse<String> answer = other.post("/shop/charges", key, BODY);
              if (Answers.isInFlight(answer)) {
                return false;
              }
              assertProblem(answer, 409, "outcome-unknown", "unknown");
              return true;
            });
    answer(request);
    return first;
  }

  @Test
  void verdictMeanwhile_lateCompletionIsRefused_andItsClientGetsTheRecordsTruth() throws Exception {
    CompletableFuture<HttpResponse<String>> first = stoppedInMidExchange("judged");
    JsonObject found =
        new JsonObject(Node.send(other.api(RECORDS + "?state=unknown").GET()).body());
    String id = found.getJsonArray("records").getJsonObject(0).getString("id");
    HttpResponse<String> resolved =
        Node.send(
            other
                .api(RECORDS + "/" + id + "/resolve")
                .header("Content-Type", "application/json")
                .POST(
                    BodyPublishers.ofString(
                        "{\"verdict\":\"applied\",\"reason\":\"seen in the ledger\",\"by\":\"ada\","
                            + "\"response\":{\"status\":201,\"headers\":{\"Content-Type\":"
                            + "\"application/json\"},\"body\":\"{\\\"id\\\":\\\"judged\\\"}\"}}")));
    assertThat(resolved.statusCode()).as(resolved.body()).isEqualTo(200);

    paused.goOn();
    HttpResponse<String> late = first.get(60, TimeUnit.SECONDS);
    assertThat(late.body()).isEqualTo("{\"id\":\"judged\"}");
    assertThat(Answers.header(late, "Idempotency-Status")).isEqualTo("replayed");
    assertThat(Answers.header(late, "Idempotency-Reconstructed")).isEqualTo("true");
    assertThat(paused.metrics())
        .contains("idempotency_stale_completions_total{tenant=\"shop\"} 1.0");
    await()
        .until(() -> Node.send(other.api(RECORDS + "/" + id).GET()).body().contains("\"fenced\""));
    assertThat(effects("judged")).isEqualTo(1);
  }

  @Test
  void noVerdictMeanwhile_lateAnswerCompletesTheUnknownRecord() throws Exception {
    CompletableFuture<HttpResponse<String>> first = stoppedInMidExchange("late");
    paused.goOn();
    HttpResponse<String> late = first.get(60, TimeUnit.SECONDS);
    assertExecuted(late, 201);
    assertReplayOf(late, other.post("/shop/charges", "late", BODY));
    assertThat(effects("late")).isEqualTo(1);
  }
}
