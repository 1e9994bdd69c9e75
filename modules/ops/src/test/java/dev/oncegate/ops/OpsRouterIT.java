package dev.oncegate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.engine.IdempotencyStatus;
import dev.oncegate.engine.KeyRing;
import dev.oncegate.engine.PolicyVersions;
import dev.oncegate.engine.Resolution;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.testkit.InMemoryPolicyArchive;
import dev.oncegate.testkit.InMemoryRecordStore;
import dev.oncegate.testkit.ManualTime;
import dev.oncegate.testkit.SamplePolicies;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OpsRouterIT {
  private final OpsMetrics metrics = new OpsMetrics();
  private final AtomicBoolean draining = new AtomicBoolean();
  private final AtomicReference<Future<Void>> store =
      new AtomicReference<>(Future.succeededFuture());
  private final AtomicReference<Optional<String>> busTrouble =
      new AtomicReference<>(Optional.empty());
  private final HttpClient client = HttpClient.newHttpClient();
  private Vertx vertx;
  private int port;

  @BeforeEach
  void listen() {
    vertx = metrics.install(Vertx.builder(), new VertxOptions()).build();
    var tenants = List.of(SamplePolicies.tenant("shop", 9));
    var health =
        new HealthChecks(store::get, () -> tenants, draining::get, Optional.of(busTrouble::get));
    BusMeters.register(metrics, busTrouble::get);
    new MicrometerEvents(metrics, () -> tenants, System::nanoTime)
        .answered("shop", "none", IdempotencyStatus.REFUSED);
    port =
        vertx
            .createHttpServer()
            .requestHandler(new OpsRouter(health, metrics, api()).on(vertx))
            .listen(0, "127.0.0.1")
            .await()
            .actualPort();
  }

  /** Its paths are walked elsewhere. */
  private static OpsApi api() {
    var upkeep = new InMemoryRecordStore(() -> Instant.EPOCH).upkeep();
    PolicyVersions policies =
        new PolicyVersions(new InMemoryPolicyArchive(), (version, document) -> null);
    KeyRing keys = new KeyRing(KeyRing.Secret.of(new byte[KeyRing.LEAST_SECRET]), List.of());
    return new OpsApi(
        new OpsApi.Parts(
            AdminToken.random(new SecureRandom()),
            List::of,
            upkeep,
            upkeep::books,
            new Resolution(upkeep, upkeep, policies, keys, new ManualTime(), new EngineEvents() {}),
            System::nanoTime));
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  @Test
  void storeReachable_isReady() throws Exception {
    HttpResponse<String> answer = get("/health/ready");
    assertThat(answer.statusCode()).isEqualTo(200);
    JsonObject detail = new JsonObject(answer.body());
    assertThat(detail.getString("status")).isEqualTo("up");
    assertThat(detail.getJsonObject("tenants").getInteger("count")).isEqualTo(1);
  }

  @Test
  void storeFails_isNotReadyWithTheReason_andStillLive() throws Exception {
    store.set(Future.failedFuture("connection refused"));
    HttpResponse<String> answer = get("/health/ready");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(new JsonObject(answer.body()).getJsonObject("store").getString("reason"))
        .isEqualTo("connection refused");
    assertThat(get("/health/live").statusCode()).isEqualTo(200);
  }

  @Test
  void storeThatNeverAnswers_isNotReady() throws Exception {
    store.set(Promise.<Void>promise().future());
    assertThat(get("/health/ready").statusCode()).isEqualTo(503);
  }

  @Test
  void busThatWorks_isSaid_andNothingIsDegraded() throws Exception {
    JsonObject detail = new JsonObject(get("/health/ready").body());
    assertThat(detail.getJsonObject("bus").getString("status")).isEqualTo("up");
    assertThat(detail.fieldNames()).doesNotContain("degraded");
    assertThat(get("/metrics").body()).contains("idempotency_bus_degraded 0.0");
  }

  @Test
  void busInTrouble_isReadyAllTheSame_andSaysDegraded() throws Exception {
    busTrouble.set(Optional.of("no member has answered for 15 s"));
    HttpResponse<String> answer = get("/health/ready");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(new JsonObject(answer.body()))
        .isEqualTo(
            new JsonObject(
                """
                {"status": "up", "store": {"status": "up"}, "tenants": {"status": "up", "count": 1},
                 "draining": false, "degraded": ["bus"],
                 "bus": {"status": "down", "reason": "no member has answered for 15 s"}}
                """));
    assertThat(get("/metrics").body()).contains("idempotency_bus_degraded 1.0");
    busTrouble.set(Optional.empty());
    assertThat(get("/health/ready").body()).doesNotContain("degraded");
  }

  @Test
  void busAndStoreInTrouble_isNotReady_andSaysBoth() throws Exception {
    busTrouble.set(Optional.of("no cluster"));
    store.set(Future.failedFuture("connection refused"));
    HttpResponse<String> answer = get("/health/ready");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("\"degraded\":[\"bus\"]", "connection refused");
  }

  @Test
  void nodeWithoutACluster_saysNothingOfABus() {
    var alone = new HealthChecks(Future::succeededFuture, List::of, () -> false);
    assertThat(alone.readiness().await().detail().fieldNames())
        .containsExactlyInAnyOrder("status", "store", "tenants", "draining");
  }

  @Test
  void draining_isNotReady() throws Exception {
    draining.set(true);
    HttpResponse<String> answer = get("/health/ready");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(new JsonObject(answer.body()).getBoolean("draining")).isTrue();
  }

  @Test
  void metrics_areOursAndVertxs_withoutMethodOrPath() throws Exception {
    get("/health/live");
    HttpResponse<String> answer = get("/metrics");
    assertThat(answer.headers().firstValue("Content-Type"))
        .hasValue("text/plain; version=0.0.4; charset=utf-8");
    assertThat(answer.body())
        .contains("idempotency_requests_total{outcome=\"refused\",route=\"none\",tenant=\"shop\"}")
        .contains("vertx_http_server_requests_total{code=\"200\"}")
        .doesNotContain("method=\"")
        .doesNotContain("/health/live");
  }

  @Test
  void otherPath_is404() throws Exception {
    assertThat(get("/nothing").statusCode()).isEqualTo(404);
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
