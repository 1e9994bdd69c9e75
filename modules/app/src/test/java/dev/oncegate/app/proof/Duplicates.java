package dev.oncegate.app.proof;

import static dev.oncegate.app.proof.Answers.assertExecuted;
import static dev.oncegate.app.proof.Answers.assertReplayOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Identical requests, spread over several nodes. */
final class Duplicates {
  static final String PATH = "/shop/charges";
  static final String BODY = "{\"amount\":500}";

  private Duplicates() {}

  /** So many, set free by one barrier, to each node in turn. */
  static List<CompletableFuture<HttpResponse<String>>> send(
      List<Node> nodes, String key, int howMany) {
    CompletableFuture<Void> barrier = new CompletableFuture<>();
    List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
    for (int i = 0; i < howMany; i++) {
      Node node = nodes.get(i % nodes.size());
      sent.add(barrier.thenComposeAsync(open -> node.postAsync(PATH, key, BODY)));
    }
    barrier.complete(null);
    return sent;
  }

  /** Until so many wait on all nodes together. */
  static void untilParked(List<Node> nodes, long howMany) {
    await()
        .until(
            () -> {
              long parked = 0;
              for (Node node : nodes) {
                parked += node.parked("shop");
              }
              return parked == howMany;
            });
  }

  static List<HttpResponse<String>> answers(List<CompletableFuture<HttpResponse<String>>> sent)
      throws Exception {
    List<HttpResponse<String>> answers = new ArrayList<>();
    for (CompletableFuture<HttpResponse<String>> each : sent) {
      answers.add(each.get(60, TimeUnit.SECONDS));
    }
    return answers;
  }

  /** One was executed, and all others are its replays. */
  static void assertOneExecuted(List<HttpResponse<String>> answers) {
    List<HttpResponse<String>> executed =
        answers.stream().filter(each -> Answers.status(each).equals("executed")).toList();
    assertThat(executed)
        .as(() -> "told: " + answers.stream().map(Answers::status).distinct().toList())
        .hasSize(1);
    HttpResponse<String> winner = executed.get(0);
    assertExecuted(winner, 201);
    answers.stream().filter(each -> each != winner).forEach(each -> assertReplayOf(winner, each));
  }
}
