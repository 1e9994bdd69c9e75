package dev.oncegate.app.proof;

import static dev.oncegate.app.proof.Answers.assertExecuted;
import static dev.oncegate.app.proof.Answers.assertInFlight;
import static dev.oncegate.app.proof.Answers.assertProblem;
import static dev.oncegate.app.proof.Answers.assertReplayOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.testkit.SocketCutter;
import dev.oncegate.testkit.SocketCutter.Direction;
import dev.oncegate.testkit.TestPostgres;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One gateway may lose its link to Postgres, another keeps it; the lease is 5 s. */
class BrokenLinkIT extends ProofBase {
  private static final String BODY = "{\"amount\":500}";

  private SocketCutter link;
  private Node cutOff;
  private Node other;

  @BeforeAll
  void start() throws Exception {
    writeTenants(upstream.port(), "5s", "500ms");
    TestPostgres.Database real = TestPostgres.shared().freshDatabase(BrokenLinkIT.class);
    link = open(SocketCutter.before(real.host(), real.port()));
    cutOff =
        open(
            Node.onUnsure(
                new TestPostgres.Database(
                    "127.0.0.1", link.port(), real.name(), real.user(), real.password()),
                directory));
    other = open(Node.on(real, directory));
  }

  @BeforeEach
  void healLink() {
    link.resume();
    await().until(() -> cutOff.post("/shop/charges", "warm", BODY).statusCode() == 201);
  }

  /** Whatever byte of Postgres's replies is the last: the claim is ours or it is gone. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 5, 20, 60, 100, 150, 200, 300, 400})
  void c05_replyOfPostgresLost_ownClaimIsRecognised(long bytes) throws Exception {
    String key = "c05-" + bytes;
    int cutsBefore = link.cuts();
    link.cutAfter(Direction.TO_CLIENT, bytes);
    HttpResponse<String> first = cutOff.post("/shop/charges", key, BODY);
    if (first.statusCode() == 201) {
      assertExecuted(first, 201);
    } else {
      assertProblem(first, 503, "store-unavailable", "refused");
      assertThat(effects(key)).isZero();
    }
    HttpResponse<String> again = untilServed(cutOff, key);
    if (first.statusCode() == 201) {
      assertReplayOf(first, again);
    }
    assertReplayOf(again, other.post("/shop/charges", key, BODY));
    // The last of these numbers may lie beyond all that one exchange is told.
    await()
        .until(
            () -> {
              untilServed(cutOff, key);
              return link.cuts() > cutsBefore;
            });
    assertThat(effects(key)).isEqualTo(1);
  }

  /** Age alone says nothing about an owner that renews. */
  @Test
  void c12_slowButLivingOwner_keepsItsClaim() throws Exception {
    holdAnswers();
    CompletableFuture<HttpResponse<String>> slow = cutOff.postAsync("/shop/charges", "slow", BODY);
    var request = heldRequest();
    CompletableFuture<HttpResponse<String>> waiter = other.postAsync("/shop/charges", "slow", BODY);
    HttpResponse<String> impatient =
        Node.send(other.request("/shop/charges", "slow", BODY).header("Prefer", "wait=1"));
    assertInFlight(impatient, LEASE_SECONDS);
    // Longer than the lease: nobody takes it from an owner that renews.
    await().during(Duration.ofSeconds(8)).until(() -> !waiter.isDone());
    answer(request);
    HttpResponse<String> winner = slow.get(60, TimeUnit.SECONDS);
    assertExecuted(winner, 201);
    assertReplayOf(winner, waiter.get(60, TimeUnit.SECONDS));
    assertReplayOf(winner, other.post("/shop/charges", "slow", BODY));
    assertThat(effects("slow")).isEqualTo(1);
  }

  @Test
  void c12_ownerCutOffFromPostgres_isUnknownToOthers_untilItsAnswerSettlesTheRecord()
      throws Exception {
    holdAnswers();
    CompletableFuture<HttpResponse<String>> first = cutOff.postAsync("/shop/charges", "c12", BODY);
    var request = heldRequest();
    link.pause();
    await().until(() -> !Answers.isInFlight(other.post("/shop/charges", "c12", BODY)));
    assertProblem(other.post("/shop/charges", "c12", BODY), 409, "outcome-unknown", "unknown");
    answer(request);
    link.resume();
    HttpResponse<String> winner = first.get(60, TimeUnit.SECONDS);
    assertExecuted(winner, 201);
    assertReplayOf(winner, other.post("/shop/charges", "c12", BODY));
    assertThat(effects("c12")).isEqualTo(1);
  }

  /** The owner goes on trying after it has had to answer its client. */
  @Test
  void outcomeThatCannotBeCommittedInTime_isUnknownToTheClient_andSettledLater() throws Exception {
    holdAnswers();
    CompletableFuture<HttpResponse<String>> first = cutOff.postAsync("/shop/charges", "late", BODY);
    var request = heldRequest();
    link.pause();
    answer(request);
    HttpResponse<String> told = first.get(60, TimeUnit.SECONDS);
    assertProblem(told, 503, "outcome-not-stored", "unknown");
    link.resume();
    HttpResponse<String> settled = untilServed(other, "late");
    assertReplayOf(settled, cutOff.post("/shop/charges", "late", BODY));
    assertThat(effects("late")).isEqualTo(1);
  }

  private static HttpResponse<String> untilServed(Node node, String key) {
    AtomicReference<HttpResponse<String>> served = new AtomicReference<>();
    await()
        .until(
            () -> {
              served.set(node.post("/shop/charges", key, BODY));
              return served.get().statusCode() == 201;
            });
    return served.get();
  }
}
