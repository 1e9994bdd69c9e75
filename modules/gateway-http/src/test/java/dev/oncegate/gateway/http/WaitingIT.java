package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.core.RoutePolicy;
import dev.oncegate.testkit.RawClient;
import dev.oncegate.testkit.ScriptedUpstream;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Duplicates that wait, as their clients see them. */
class WaitingIT extends GatewayTestBase {
  private final BlockingQueue<HttpServerRequest> held = new LinkedBlockingQueue<>();
  private ScriptedUpstream upstream;
  private Gateway gateway;

  @BeforeEach
  void start() throws Exception {
    upstream = open(ScriptedUpstream.start(vertx));
    upstream.script((request, received) -> held.add(request));
    gateway = open(before(Duration.ofSeconds(60), 1_000, 2_000));
  }

  private Gateway before(Duration maxWait, int perKey, int perTenant) throws Exception {
    return Gateway.before(vertx, upstream.port(), parking(maxWait, perKey, perTenant));
  }

  private static RoutePolicy parking(Duration maxWait, int perKey, int perTenant) {
    RoutePolicy route = Policies.keyed("create-charge", "/charges");
    return new RoutePolicy(
        route.id(),
        route.mode(),
        route.methods(),
        route.path(),
        route.protocol(),
        new RoutePolicy.Park(maxWait, perKey, perTenant));
  }

  private HttpServerRequest running() throws InterruptedException {
    return held.poll(60, TimeUnit.SECONDS);
  }

  private CompletableFuture<HttpResponse<String>> charge() {
    return gateway.sendAsync(gateway.post("/charges", "K", "{}"));
  }

  private HttpRequest prefers(Gateway to, String... lines) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(to.post("/charges", "K", "{}"), (n, v) -> true);
    for (String line : lines) {
      request.header("Prefer", line);
    }
    return request.build();
  }

  @Test
  void duplicates_getTheStoredAnswer_andNoneOfThemReachesTheUpstream() throws Exception {
    CompletableFuture<HttpResponse<String>> winner = charge();
    HttpServerRequest running = running();
    List<CompletableFuture<HttpResponse<String>>> duplicates = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      duplicates.add(charge());
    }
    await().until(() -> gateway.parked.get() == 50);
    running.response().setStatusCode(201).putHeader("X-Once", "1").end("c1");

    assertExecuted(winner.get(60, TimeUnit.SECONDS), 201);
    for (CompletableFuture<HttpResponse<String>> duplicate : duplicates) {
      HttpResponse<String> answer = duplicate.get(60, TimeUnit.SECONDS);
      assertReplayed(answer, 201);
      assertThat(answer.body()).isEqualTo("c1");
      assertThat(answer.headers().allValues("X-Once")).containsExactly("1");
      assertThat(answer.headers().firstValue("Preference-Applied")).isEmpty();
    }
    assertThat(upstream.ledger()).hasSize(1);
    assertThat(gateway.parked).hasValue(0);
    assertThat(gateway.broken).isEmpty();
  }

  @Test
  void preferWaitZero_isAnsweredAtOnce() throws Exception {
    CompletableFuture<HttpResponse<String>> winner = charge();
    HttpServerRequest running = running();
    HttpResponse<String> answer = gateway.send(prefers(gateway, "respond-async", "wait=0"));
    assertProblem(answer, 409, "in-flight", "in-flight");
    assertThat(answer.headers().allValues("Preference-Applied")).containsExactly("wait=0");
    assertThat(Integer.parseInt(answer.headers().firstValue("Retry-After").orElseThrow()))
        .isBetween(1, 45);
    assertThat(answer.headers().firstValue("Idempotency-Expires")).isPresent();
    running.response().setStatusCode(201).end();
    assertThat(winner.get(60, TimeUnit.SECONDS).headers().firstValue("Preference-Applied"))
        .isEmpty();
  }

  @Test
  void preferWait_shortens_andDoesNotLengthen() throws Exception {
    Gateway impatient = open(before(Duration.ofMillis(200), 10, 10));
    CompletableFuture<HttpResponse<String>> winner =
        impatient.sendAsync(impatient.post("/charges", "K", "{}"));
    HttpServerRequest running = running();
    HttpResponse<String> longer = impatient.send(prefers(impatient, "wait=30"));
    assertProblem(longer, 409, "in-flight", "in-flight");
    assertThat(longer.headers().firstValue("Preference-Applied"))
        .as("it did not wait for 30 s")
        .isEmpty();

    Gateway patient = gateway;
    patient.sendAsync(patient.post("/charges", "K", "{}"));
    HttpServerRequest other = running();
    HttpResponse<String> shorter = patient.send(prefers(patient, "wait=1"));
    assertProblem(shorter, 409, "in-flight", "in-flight");
    assertThat(shorter.headers().allValues("Preference-Applied")).containsExactly("wait=1");
    running.response().end();
    other.response().end();
    assertExecuted(winner.get(60, TimeUnit.SECONDS), 200);
  }

  @Test
  void preferWait_ofTheWinner_shortensNothing() throws Exception {
    CompletableFuture<HttpResponse<String>> winner = gateway.sendAsync(prefers(gateway, "wait=0"));
    running().response().setStatusCode(201).end("c1");
    HttpResponse<String> answer = winner.get(60, TimeUnit.SECONDS);
    assertExecuted(answer, 201);
    assertThat(answer.headers().firstValue("Preference-Applied")).isEmpty();
  }

  @Test
  void clientThatHangsUpWhileItWaits_isGoneAtOnce() throws Exception {
    CompletableFuture<HttpResponse<String>> winner = charge();
    HttpServerRequest running = running();
    RawClient reset = open(new RawClient(gateway.port()));
    RawClient closed = open(new RawClient(gateway.port()));
    reset.send(post("Idempotency-Key: K\r\n", "{}"));
    closed.send(post("Idempotency-Key: K\r\n", "{}"));
    await().until(() -> gateway.parked.get() == 2);
    reset.reset();
    closed.close();
    await().until(() -> gateway.left.get() == 2);
    assertThat(gateway.parked).hasValue(0);
    running.response().setStatusCode(201).end("c1");
    assertExecuted(winner.get(60, TimeUnit.SECONDS), 201);
    assertThat(upstream.ledger()).hasSize(1);
    assertThat(gateway.broken).isEmpty();
  }

  @Test
  void beyondTheLimits_theAnswerIsGivenAtOnce() throws Exception {
    Gateway narrow = open(before(Duration.ofSeconds(60), 2, 3));
    narrow.sendAsync(narrow.post("/charges", "K", "{}"));
    HttpServerRequest first = running();
    narrow.sendAsync(narrow.post("/charges", "K2", "{}"));
    HttpServerRequest second = running();
    List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
    for (String key : List.of("K", "K", "K2")) {
      int before = narrow.parked.get();
      waiting.add(narrow.sendAsync(narrow.post("/charges", key, "{}")));
      await().until(() -> narrow.parked.get() == before + 1);
    }
    assertProblem(narrow.charge("K", "{}"), 409, "in-flight", "in-flight");
    assertProblem(narrow.charge("K2", "{}"), 409, "in-flight", "in-flight");
    first.response().end();
    second.response().end();
    for (CompletableFuture<HttpResponse<String>> duplicate : waiting) {
      assertReplayed(duplicate.get(60, TimeUnit.SECONDS), 200);
    }
    assertThat(upstream.ledger()).hasSize(2);
  }

  /** Limit and answer meet: whoever is still there gets one whole answer, and nobody two. */
  @Test
  void c21_limitAndAnswerAtTheSameMoment_giveEachLivingWaiterOneAnswer() throws Exception {
    upstream.script(
        (request, received) ->
            vertx.setTimer(1000, end -> request.response().setStatusCode(201).end("c1")));
    Gateway racing =
        open(
            Gateway.start(
                vertx,
                new Gateway.Options()
                    .listener(new Listener("127.0.0.1", 0, Optional.empty(), true)),
                Policies.tenant(
                    "t1",
                    Policies.upstream(upstream.port(), Policies.TIMEOUTS),
                    parking(Duration.ofMillis(1000), 1_000, 2_000))));
    CompletableFuture<HttpResponse<String>> winner =
        racing.sendAsync(racing.post("/charges", "K", "{}"));
    await().until(() -> upstream.ledger().size() == 1);
    List<CompletableFuture<HttpResponse<String>>> plain = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      plain.add(racing.sendAsync(racing.post("/charges", "K", "{}")));
    }
    List<Future<String>> multiplexed = http2(racing, 50);
    List<RawClient> leaving = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      leaving.add(new RawClient(racing.port()).send(post("Idempotency-Key: K\r\n", "{}")));
    }
    Random random = new Random(21);
    for (RawClient client : leaving) {
      if (random.nextBoolean()) {
        client.reset();
      } else {
        client.close();
      }
    }
    assertExecuted(winner.get(60, TimeUnit.SECONDS), 201);
    for (CompletableFuture<HttpResponse<String>> each : plain) {
      HttpResponse<String> answer = each.get(60, TimeUnit.SECONDS);
      if (answer.statusCode() == 409) {
        assertProblem(answer, 409, "in-flight", "in-flight");
      } else {
        assertReplayed(answer, 201);
        assertThat(answer.body()).isEqualTo("c1");
      }
    }
    for (Future<String> each : multiplexed) {
      assertThat(Gateway.await(each)).isIn("201 replayed c1", "409 in-flight");
    }
    await().untilAsserted(() -> assertThat(racing.parked).hasValue(0));
    assertThat(upstream.ledger()).hasSize(1);
    assertThat(racing.broken).isEmpty();
  }

  /** Streams of one connection: status, Idempotency-Status, and the body of what was stored. */
  private List<Future<String>> http2(Gateway to, int streams) {
    HttpClientAgent client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false)
                .setHttp2MultiplexingLimit(streams));
    open(() -> Gateway.await(client.close()));
    List<Future<String>> answers = new ArrayList<>();
    for (int i = 0; i < streams; i++) {
      answers.add(
          client
              .request(HttpMethod.POST, to.port(), "127.0.0.1", "/charges")
              .compose(
                  request ->
                      request
                          .putHeader("Idempotency-Key", "K")
                          .putHeader("Content-Type", "application/json")
                          .send("{}"))
              .compose(
                  answer ->
                      answer
                          .body()
                          .map(
                              body ->
                                  answer.statusCode()
                                      + " "
                                      + answer.getHeader("Idempotency-Status")
                                      + (answer.statusCode() == 201 ? " " + body : ""))));
    }
    return answers;
  }
}
