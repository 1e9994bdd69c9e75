package dev.oncegate.app.proof;

import static dev.oncegate.app.proof.Answers.assertExecuted;
import static dev.oncegate.app.proof.Answers.assertInFlight;
import static dev.oncegate.app.proof.Answers.assertReplayOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.app.TenantsYaml;
import dev.oncegate.testkit.TestPostgres;
import io.vertx.core.http.HttpServerRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** SIGTERM while a thousand wait: each of them is answered, and the process ends in order. */
class StoppedWaitersIT extends ProofBase {
  private static final int WAITERS = 1_000;

  /** Ends before that, or the exit code and the winner's answer tell. */
  private static final Map<String, String> PATIENT_DRAIN = Map.of("ONCEGATE_DRAIN_TIMEOUT", "60s");

  private TestPostgres.Database database;

  @BeforeAll
  void start() throws Exception {
    Files.writeString(
        directory.resolve("tenants.yaml"),
        TenantsYaml.forWaiting("127.0.0.1:" + upstream.port(), "60s"));
    database = TestPostgres.shared().freshDatabase(StoppedWaitersIT.class);
  }

  private Node start(int instances) {
    return Node.one(NodeSettings.alone(instances), database, directory, PATIENT_DRAIN);
  }

  @Test
  void winnerStillRuns_waitersAreInFlight_andTheWinnerEnds() throws Exception {
    try (Node stopped = start(2)) {
      holdAnswers();
      CompletableFuture<HttpResponse<String>> first =
          stopped.postAsync(Duplicates.PATH, "running", Duplicates.BODY);
      HttpServerRequest running = heldRequest();
      List<CompletableFuture<HttpResponse<String>>> waiters =
          Duplicates.send(List.of(stopped), "running", WAITERS);
      Duplicates.untilParked(List.of(stopped), WAITERS);

      stopped.terminate();
      for (HttpResponse<String> told : Duplicates.answers(waiters)) {
        assertInFlight(told, LEASE_SECONDS);
      }
      assertThat(first).as("its exchange goes on").isNotDone();
      answer(running);
      HttpResponse<String> winner = first.get(60, TimeUnit.SECONDS);
      assertExecuted(winner, 201);
      assertThat(stopped.exitCode()).isZero();

      try (Node other = start(1)) {
        assertReplayOf(winner, other.post(Duplicates.PATH, "running", Duplicates.BODY));
      }
    }
    assertThat(effects("running")).isEqualTo(1);
  }

  /** The waiters' node stands still while the answer is stored, so that the stop comes first. */
  @Test
  void answerIsStored_waitersGetIt() throws Exception {
    try (Node owner = start(1);
        Node stopped = start(2)) {
      holdAnswers();
      CompletableFuture<HttpResponse<String>> first =
          owner.postAsync(Duplicates.PATH, "stored", Duplicates.BODY);
      HttpServerRequest running = heldRequest();
      List<CompletableFuture<HttpResponse<String>>> waiters =
          Duplicates.send(List.of(stopped), "stored", WAITERS);
      Duplicates.untilParked(List.of(stopped), WAITERS);

      stopped.freeze();
      answer(running);
      HttpResponse<String> winner = first.get(60, TimeUnit.SECONDS);
      assertExecuted(winner, 201);
      stopped.terminate();
      stopped.goOn();
      for (HttpResponse<String> told : Duplicates.answers(waiters)) {
        assertReplayOf(winner, told);
      }
      assertThat(stopped.exitCode()).isZero();
      assertThat(owner.ready()).isEqualTo(200);
    }
    assertThat(effects("stored")).isEqualTo(1);
  }

  /** Whoever comes while others are being answered is not parked any more. */
  @Test
  void duplicateDuringTheDrain_isRefusedAtOnce() throws Exception {
    try (Node stopped = start(1)) {
      holdAnswers();
      CompletableFuture<HttpResponse<String>> first =
          stopped.postAsync(Duplicates.PATH, "late", Duplicates.BODY);
      HttpServerRequest running = heldRequest();
      stopped.terminate();
      await().until(() -> stopped.ready() == 503);
      HttpResponse<String> late = stopped.post(Duplicates.PATH, "late", Duplicates.BODY);
      Answers.assertProblem(late, 503, "draining", "refused");
      answer(running);
      assertExecuted(first.get(60, TimeUnit.SECONDS), 201);
      assertThat(stopped.exitCode()).isZero();
    }
    assertThat(effects("late")).isEqualTo(1);
  }
}
