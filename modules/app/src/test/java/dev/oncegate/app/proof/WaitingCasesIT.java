package dev.oncegate.app.proof;

import static dev.oncegate.app.proof.Answers.assertExecuted;
import static dev.oncegate.app.proof.Answers.assertProblem;
import static dev.oncegate.app.proof.Answers.assertReplayOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.testkit.TestPostgres;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Cases of other kinds with a waiter in them: on the winner's node, and on another one. */
class WaitingCasesIT extends ProofBase {
  private static final String BODY = "{\"amount\":500}";

  private TestPostgres.Database database;
  private Node p1;
  private Node p2;

  @BeforeAll
  void start() {
    database = TestPostgres.shared().freshDatabase(WaitingCasesIT.class);
    p1 = open(Node.on(database, directory));
    p2 = open(Node.on(database, directory));
  }

  /** A waiter at either node, once it waits. */
  private List<CompletableFuture<HttpResponse<String>>> waiters(
      String tenant, String path, String key) {
    List<CompletableFuture<HttpResponse<String>>> waiters =
        List.of(p1.postAsync(path, key, BODY), p2.postAsync(path, key, BODY));
    await().until(() -> p1.parked(tenant) == 1 && p2.parked(tenant) == 1);
    return waiters;
  }

  @Test
  void c24_lateAnswer_reachesThoseWhoWaitForIt() throws Exception {
    holdAnswers();
    HttpResponse<String> first = p1.post("/stall/charges", "c24", BODY);
    assertProblem(first, 504, "upstream-timeout", "in-flight");
    HttpServerRequest running = heldRequest();
    var waiters = waiters("stall", "/stall/charges", "c24");
    answer(running);
    HttpResponse<String> replay = waiters.get(0).get(60, TimeUnit.SECONDS);
    assertThat(replay.statusCode()).as(replay.body()).isEqualTo(201);
    assertReplayOf(replay, waiters.get(1).get(60, TimeUnit.SECONDS));
    assertReplayOf(replay, p1.post("/stall/charges", "c24", BODY));
    assertThat(effects("c24")).isEqualTo(1);
  }

  @Test
  void c24_answerThatNeverComes_isUnknownToThoseWhoWait() throws Exception {
    holdAnswers();
    HttpResponse<String> first = p1.post("/stall/charges", "c24-never", BODY);
    assertProblem(first, 504, "upstream-timeout", "in-flight");
    for (var waiter : waiters("stall", "/stall/charges", "c24-never")) {
      assertProblem(waiter.get(60, TimeUnit.SECONDS), 409, "outcome-unknown", "unknown");
    }
    assertProblem(p2.post("/stall/charges", "c24-never", BODY), 409, "outcome-unknown", "unknown");
    assertThat(effects("c24-never")).isEqualTo(1);
  }

  @Test
  void c62_waiterForAnAnswerOverTheCap_isToldThatItWasNotKept() throws Exception {
    BlockingQueue<Runnable> held = new LinkedBlockingQueue<>();
    upstream.script(
        (request, received) -> {
          Context loop = vertx.getOrCreateContext();
          request.response().setStatusCode(201).putHeader("Location", "/charges/1");
          held.add(
              () -> loop.runOnContext(go -> Streams.sendChunked(request.response(), 30_000_000)));
        });
    CompletableFuture<HttpResponse<String>> first = p1.postAsync("/shop/charges", "c62", BODY);
    Runnable stream = held.poll(60, TimeUnit.SECONDS);
    var waiters = waiters("shop", "/shop/charges", "c62");
    stream.run();
    HttpResponse<String> winner = first.get(60, TimeUnit.SECONDS);
    assertExecuted(winner, 201);
    assertThat(winner.body()).hasSize(30_000_000);
    for (var waiter : waiters) {
      HttpResponse<String> told = waiter.get(60, TimeUnit.SECONDS);
      assertProblem(told, 409, "response-not-kept", "replayed");
      JsonObject problem = new JsonObject(told.body());
      assertThat(problem.getInteger("original_status")).isEqualTo(201);
      assertThat(problem.getString("location")).isEqualTo("/charges/1");
    }
    assertThat(effects("c62")).isEqualTo(1);
  }
}
