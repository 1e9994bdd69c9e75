package dev.oncegate.app.proof;

import static dev.oncegate.app.proof.Answers.assertExecuted;
import static dev.oncegate.app.proof.Answers.assertInFlight;
import static dev.oncegate.app.proof.Answers.assertReplayOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.testkit.TestPostgres;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Many equal requests at one gateway. */
class ClaimOnceIT extends ProofBase {
  private static final String BODY = "{\"amount\":500}";
  private Node node;

  @BeforeAll
  void start() {
    node = open(Node.on(TestPostgres.shared().freshDatabase(ClaimOnceIT.class), directory));
  }

  @Test
  void c01_fiftyIdenticalRequests_areOneEffectAndFortyNineReplays() throws Exception {
    holdAnswers();
    List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      sent.add(node.postAsync("/shop/charges", "fifty", BODY));
    }
    await().until(() -> node.parked("shop") == 49);
    HttpResponse<String> impatient =
        Node.send(node.request("/shop/charges", "fifty", BODY).header("Prefer", "wait=0"));
    assertInFlight(impatient, LEASE_SECONDS);
    answer(heldRequest());

    List<HttpResponse<String>> answers = new ArrayList<>();
    for (CompletableFuture<HttpResponse<String>> each : sent) {
      answers.add(each.get(60, TimeUnit.SECONDS));
    }
    HttpResponse<String> winner = winner(answers);
    answers.remove(winner);
    assertThat(answers).hasSize(49).allSatisfy(waiter -> assertReplayOf(winner, waiter));
    assertReplayOf(winner, node.post("/shop/charges", "fifty", BODY));
    assertThat(effects("fifty")).isEqualTo(1);
    assertThat(node.counted("shop", "create-charge", "executed")).isEqualTo(1);
    assertThat(node.counted("shop", "create-charge", "in_flight")).isEqualTo(1);
    assertThat(node.counted("shop", "create-charge", "replayed")).isEqualTo(50);
    assertThat(node.parked("shop")).isZero();
  }

  private static HttpResponse<String> winner(List<HttpResponse<String>> answers) {
    HttpResponse<String> winner =
        answers.stream()
            .filter(each -> Answers.status(each).equals("executed"))
            .findFirst()
            .orElseThrow();
    assertExecuted(winner, 201);
    return winner;
  }
}
