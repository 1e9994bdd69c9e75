package dev.oncegate.app.proof;

import static dev.oncegate.app.proof.Answers.assertExecuted;
import static dev.oncegate.app.proof.Answers.assertProblem;
import static dev.oncegate.app.proof.Answers.assertReplayOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.testkit.SocketCutter;
import dev.oncegate.testkit.TestPostgres;
import java.net.URI;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** SIGKILL at the worst moments: what was said stays true, and nothing runs twice. */
class KilledGatewayIT extends ProofBase {
  private static final String BODY = "{\"amount\":500}";
  private static final long SHORT_LEASE = 2;

  @BeforeAll
  void shortenTheLease() throws Exception {
    writeTenants(upstream.port(), SHORT_LEASE + "s", "500ms");
  }

  @Test
  void c09_killedInMidExchange_onItsOwnPostgres() throws Exception {
    assertKillInMidExchangeExecutesNothing("own", () -> Node.embedded(directory));
  }

  @Test
  void c09_killedInMidExchange_onAnExternalPostgres() throws Exception {
    TestPostgres.Database database = TestPostgres.shared().freshDatabase(KilledGatewayIT.class);
    assertKillInMidExchangeExecutesNothing("external", () -> Node.on(database, directory));
  }

  private void assertKillInMidExchangeExecutesNothing(String name, Supplier<Node> start)
      throws Exception {
    String done = name + "-done";
    String running = name + "-running";
    HttpResponse<String> winner;
    try (Node first = start.get()) {
      winner = first.post("/shop/charges", done, BODY);
      assertExecuted(winner, 201);
      holdAnswers();
      CompletableFuture<HttpResponse<String>> lost =
          first.postAsync("/shop/charges", running, BODY);
      heldRequest();
      first.kill();
      await().until(lost::isCompletedExceptionally);
    }
    healthyUpstream();
    try (Node again = start.get()) {
      assertUnknownAfterTheLease(again, running);
      assertProblem(
          again.post("/shop/charges", running, "{\"amount\":1}"), 422, "key-reused", "mismatch");
      assertReplayOf(winner, again.post("/shop/charges", done, BODY));
      // Neither time nor asking brings an execution.
      assertUnknownAfterTheLease(again, running);
    }
    assertThat(effects(done)).isEqualTo(1);
    assertThat(effects(running)).isEqualTo(1);
  }

  /** Waits as for a living winner: whoever looks cannot know that the owner has died. */
  private static void assertUnknownAfterTheLease(Node node, String key) throws Exception {
    HttpResponse<String> answer = node.post("/shop/charges", key, BODY);
    assertProblem(answer, 409, "outcome-unknown", "unknown");
    assertThat(Answers.header(answer, "Retry-After")).isNotEmpty();
  }

  @Test
  void killedBetweenCompletingCommitAndAnswer_replays() throws Exception {
    TestPostgres.Database database = TestPostgres.shared().freshDatabase(KilledGatewayIT.class);
    try (Node first = Node.on(database, directory);
        SocketCutter relay = SocketCutter.before("127.0.0.1", first.port())) {
      relay.mute(1);
      URI muted = URI.create("http://127.0.0.1:" + relay.port());
      CompletableFuture<HttpResponse<String>> lost =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return Node.send(Node.request(muted, "/shop/charges", "committed", BODY));
                } catch (Exception e) {
                  throw new java.util.concurrent.CompletionException(e);
                }
              });
      await().until(() -> "completed".equals(database.query("select state from record")));
      first.kill();
      await().until(lost::isCompletedExceptionally);
    }
    try (Node again = Node.on(database, directory)) {
      HttpResponse<String> replay = again.post("/shop/charges", "committed", BODY);
      assertReplayOf(replay, replay);
      assertThat(replay.statusCode()).isEqualTo(201);
    }
    assertThat(effects("committed")).isEqualTo(1);
  }

  /** The answer was received, and a lock kept its commit from happening. */
  @Test
  void killedBetweenAnswerAndCompletingCommit_isUnknown() throws Exception {
    TestPostgres.Database database = TestPostgres.shared().freshDatabase(KilledGatewayIT.class);
    holdAnswers();
    try (Node first = Node.on(database, directory)) {
      first.postAsync("/shop/charges", "uncommitted", BODY);
      var request = heldRequest();
      try (Connection rival = database.connect();
          Statement statement = rival.createStatement()) {
        rival.setAutoCommit(false);
        statement.execute("select 1 from record for update");
        answer(request);
        await().until(() -> !"0".equals(database.query("select count(*) " + WAITING)));
        first.kill();
        // What has reached Postgres would still be done there: its session goes as well.
        database.query("select pg_terminate_backend(pid) " + WAITING);
        rival.rollback();
      }
    }
    healthyUpstream();
    try (Node again = Node.on(database, directory)) {
      assertUnknownAfterTheLease(again, "uncommitted");
    }
    assertThat(effects("uncommitted")).isEqualTo(1);
  }

  private static final String WAITING =
      "from pg_stat_activity where datname = current_database()"
          + " and wait_event_type = 'Lock' and query ilike '%completed%'";
}
