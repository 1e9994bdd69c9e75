package dev.oncegate.app.proof;

import static dev.oncegate.app.proof.Answers.assertExecuted;
import static dev.oncegate.app.proof.Answers.assertProblem;
import static dev.oncegate.app.proof.Answers.assertReplayOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.testkit.TestPostgres;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** P1 and P2 share a Postgres and nothing else. */
class TwoGatewaysIT extends ProofBase {
  private static final String A = "{\"amount\":500}";
  private static final String B = "{\"amount\":700}";

  private TestPostgres.Database database;
  private Node p1;
  private Node p2;

  @BeforeAll
  void start() {
    database = TestPostgres.shared().freshDatabase(TwoGatewaysIT.class);
    p1 = open(Node.on(database, directory));
    p2 = open(Node.on(database, directory));
  }

  @Test
  void c01_fiftyOverTwoProcesses_areOneEffect_andReplayFromBothAfterARestart() throws Exception {
    HttpResponse<String> winner = race("c01", 50);
    try (Node restarted = Node.on(database, directory)) {
      for (int i = 0; i < 5; i++) {
        assertReplayOf(winner, restarted.post("/shop/charges", "c01", A));
        assertReplayOf(winner, p2.post("/shop/charges", "c01", A));
      }
    }
    assertThat(effects("c01")).isEqualTo(1);
  }

  /** A lock lets no claim see a record before all that can be under way have been sent. */
  @Test
  void c02_thirtyClaimsCollide_noneFails() throws Exception {
    int refused = p1.counted("shop", "create-charge", "refused");
    holdAnswers();
    List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
    try (Connection rival = database.connect();
        Statement statement = rival.createStatement()) {
      rival.setAutoCommit(false);
      statement.execute("lock table record in share mode");
      for (int i = 0; i < 30; i++) {
        sent.add((i % 2 == 0 ? p1 : p2).postAsync("/shop/charges", "c02", A));
      }
      await().until(() -> Integer.parseInt(String.valueOf(database.query(WAITING))) >= 2);
      rival.rollback();
    }
    HttpResponse<String> winner = oneWinner(sent);
    assertReplayOf(winner, p1.post("/shop/charges", "c02", A));
    assertThat(effects("c02")).isEqualTo(1);
    assertThat(p1.ready()).isEqualTo(200);
    assertThat(p2.ready()).isEqualTo(200);
    assertThat(p1.counted("shop", "create-charge", "refused")).isEqualTo(refused);
  }

  private static final String WAITING =
      "select count(*) from pg_stat_activity where datname = current_database()"
          + " and wait_event_type = 'Lock'";

  @Test
  void whatOneExecuted_theOtherReplaysAndGuards_withOneDeadline() throws Exception {
    HttpResponse<String> winner = p1.post("/shop/charges", "across", A);
    assertExecuted(winner, 201);
    assertReplayOf(winner, p2.post("/shop/charges", "across", "{ \"amount\": 5e2 }"));
    HttpResponse<String> other = p2.post("/shop/charges", "across", B);
    assertProblem(other, 422, "key-reused", "mismatch");
    assertThat(Answers.header(other, "Idempotency-Expires"))
        .isEqualTo(Answers.header(winner, "Idempotency-Expires"));
    assertReplayOf(winner, p1.post("/shop/charges", "across", A));
    assertThat(effects("across")).isEqualTo(1);
  }

  @Test
  void c04_otherPayloadOrPath_isMismatchAtOnce_andAnotherRouteIsAnotherScope() throws Exception {
    holdAnswers();
    CompletableFuture<HttpResponse<String>> first =
        p1.postAsync("/shop/accounts/1/charges", "c04", A);
    var held = heldRequest();
    healthyUpstream();
    assertProblem(p2.post("/shop/accounts/1/charges", "c04", B), 422, "key-reused", "mismatch");
    assertProblem(p2.post("/shop/accounts/2/charges", "c04", A), 422, "key-reused", "mismatch");
    CompletableFuture<HttpResponse<String>> second =
        p2.postAsync("/shop/accounts/1/charges", "c04", A);
    await().until(() -> p2.parked("shop") == 1);
    assertExecuted(p2.post("/shop/refunds", "c04", A), 201);
    answer(held);
    HttpResponse<String> winner = first.get(60, TimeUnit.SECONDS);
    assertExecuted(winner, 201);
    assertReplayOf(winner, second.get(60, TimeUnit.SECONDS));
    assertReplayOf(winner, p2.post("/shop/accounts/1/charges", "c04", A));
    assertThat(effects("c04")).isEqualTo(2);
  }

  @Test
  void c52_oneKeyOfTwoTenants_sharesNothing() throws Exception {
    holdAnswers();
    CompletableFuture<HttpResponse<String>> ofShop = p1.postAsync("/shop/charges", "c52", A);
    CompletableFuture<HttpResponse<String>> ofBilling = p2.postAsync("/billing/charges", "c52", A);
    // Both are at the upstream at once: neither waits behind the other.
    var one = heldRequest();
    answer(heldRequest());
    answer(one);
    HttpResponse<String> shop = ofShop.get(60, TimeUnit.SECONDS);
    HttpResponse<String> billing = ofBilling.get(60, TimeUnit.SECONDS);
    assertExecuted(shop, 201);
    assertExecuted(billing, 201);
    assertThat(billing.body()).isNotEqualTo(shop.body());
    assertReplayOf(shop, p2.post("/shop/charges", "c52", A));
    assertReplayOf(billing, p1.post("/billing/charges", "c52", A));
    assertProblem(p1.post("/billing/charges", "c52", B), 422, "key-reused", "mismatch");
    assertThat(effects("c52")).isEqualTo(2);
    // The same body under the same key and route has a digest of its own for each tenant.
    assertThat(database.query(digestOfTheLast("shop")))
        .isNotEqualTo(database.query(digestOfTheLast("billing")));
  }

  private static String digestOfTheLast(String tenant) {
    return "select encode(fingerprint, 'hex') from record where tenant = '"
        + tenant
        + "' order by claimed_at desc limit 1";
  }

  @Test
  void c53_twoUsersOfOneTenant_haveTheirOwnKeys() throws Exception {
    HttpResponse<String> u1 = team(p1, Node.KEY_OF_U1, "c53");
    HttpResponse<String> u2 = team(p2, Node.KEY_OF_U2, "c53");
    assertExecuted(u1, 201);
    assertExecuted(u2, 201);
    assertThat(u2.body()).isNotEqualTo(u1.body());
    assertReplayOf(u1, team(p2, Node.KEY_OF_U1, "c53"));
    assertReplayOf(u2, team(p1, Node.KEY_OF_U2, "c53"));
    assertThat(effects("c53")).isEqualTo(2);
  }

  @Test
  void c54_credentialIsSettledBeforeTheRecord() throws Exception {
    HttpResponse<String> winner = team(p1, Node.KEY_OF_U1, "c54");
    assertExecuted(winner, 201);
    for (Node node : List.of(p1, p2)) {
      assertProblem(team(node, "revoked", "c54"), 401, "credentials-invalid", "refused");
      assertProblem(node.post("/team/charges", "c54", A), 401, "credentials-invalid", "refused");
    }
    upstream.script((request, received) -> request.response().setStatusCode(403).end("no"));
    HttpResponse<String> other = team(p2, Node.KEY_OF_U2, "c54");
    assertExecuted(other, 403);
    assertThat(other.body()).isEqualTo("no");
    // Withdrawn at the upstream alone: a replay asks nobody (docs/behaviour.md).
    assertReplayOf(winner, team(p2, Node.KEY_OF_U1, "c54"));
    assertThat(effects("c54")).isEqualTo(2);
  }

  private static HttpResponse<String> team(Node node, String apiKey, String key) throws Exception {
    return Node.send(node.request("/team/charges", key, A).header("X-Api-Key", apiKey));
  }

  private HttpResponse<String> race(String key, int callers) throws Exception {
    holdAnswers();
    List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      sent.add((i % 2 == 0 ? p1 : p2).postAsync("/shop/charges", key, A));
    }
    return oneWinner(sent);
  }

  /** Lets the upstream answer once all others wait; gives the winner's answer. */
  private HttpResponse<String> oneWinner(List<CompletableFuture<HttpResponse<String>>> sent)
      throws Exception {
    await().until(() -> p1.parked("shop") + p2.parked("shop") == sent.size() - 1);
    answer(heldRequest());
    List<HttpResponse<String>> waiters = new ArrayList<>();
    HttpResponse<String> winner = null;
    for (CompletableFuture<HttpResponse<String>> each : sent) {
      HttpResponse<String> answer = each.get(60, TimeUnit.SECONDS);
      if (Answers.status(answer).equals("executed")) {
        assertThat(winner).as("one winner").isNull();
        assertExecuted(answer, 201);
        winner = answer;
      } else {
        waiters.add(answer);
      }
    }
    for (HttpResponse<String> waiter : waiters) {
      assertReplayOf(winner, waiter);
    }
    assertThat(waiters).hasSize(sent.size() - 1);
    return winner;
  }
}
