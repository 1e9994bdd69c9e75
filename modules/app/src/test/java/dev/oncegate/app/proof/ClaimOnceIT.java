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
  void c01_fiftyIdenticalRequests_areOneEffectAndFortyNineInFlight() throws Exception {
    holdAnswers();
    List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      sent.add(node.postAsync("/shop/charges", "fifty", BODY));
    }
    // Whoever is told in-flight was admitted; the winner is the one whose answer is held.
    await().until(() -> sent.stream().filter(CompletableFuture::isDone).count() == 49);
    answer(heldRequest());

    List<HttpResponse<String>> answers = new ArrayList<>();
    for (CompletableFuture<HttpResponse<String>> each : sent) {
      answers.add(each.get(60, TimeUnit.SECONDS));
    }
    List<HttpResponse<String>> losers = answers.stream().filter(Answers::isInFlight).toList();
    assertThat(losers).hasSize(49).allSatisfy(loser -> assertInFlight(loser, LEASE_SECONDS));
    HttpResponse<String> winner =
        answers.stream().filter(each -> !Answers.isInFlight(each)).findFirst().orElseThrow();
    assertExecuted(winner, 201);
    for (int i = 0; i < losers.size(); i++) {
      assertReplayOf(winner, node.post("/shop/charges", "fifty", BODY));
    }
    assertThat(effects("fifty")).isEqualTo(1);
    assertThat(node.counted("shop", "create-charge", "executed")).isEqualTo(1);
    assertThat(node.counted("shop", "create-charge", "in_flight")).isEqualTo(49);
    assertThat(node.counted("shop", "create-charge", "replayed")).isEqualTo(49);
  }
}
