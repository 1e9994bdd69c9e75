package dev.oncegate.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.app.demo.LedgerUpstream;
import dev.oncegate.testkit.ScriptedUpstream;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway with its embedded Postgres, from the first start over SIGTERM and SIGKILL. */
class ServeIT {
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  @TempDir Path directory;
  private Vertx vertx;
  private String ledger;

  @BeforeEach
  void open() throws Exception {
    Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
    vertx = Vertx.vertx();
    int port = LedgerUpstream.deploy(vertx, "127.0.0.1", 0).await().actualPort();
    ledger = "http://127.0.0.1:" + port;
    Files.writeString(directory.resolve("tenants.yaml"), TenantsYaml.withUpstream(port));
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  @Test
  void storedAnswers_surviveAKill_andASecondProcessIsRefused() throws Exception {
    HttpResponse<String> executed;
    try (OncegateProcess first = serve()) {
      List<URI> at = first.ready();
      executed = charge(at.get(0), "k1", "none");
      assertThat(executed.statusCode()).isEqualTo(201);
      assertThat(status(executed)).isEqualTo("executed");
      OncegateProcess.Result second =
          OncegateProcess.run(directory, Map.of(), "serve", "--port", "0", "--ops-port", "0");
      assertThat(second.errLine()).contains("is in use by process " + first.pid());
      assertThat(second.exitCode()).isEqualTo(2);
      assertThat(status(charge(at.get(0), "k1", "none"))).isEqualTo("replayed");
      first.kill();
    }
    try (OncegateProcess again = serve()) {
      HttpResponse<String> replayed = charge(again.ready().get(0), "k1", "none");
      assertThat(status(replayed)).isEqualTo("replayed");
      assertThat(replayed.body()).isEqualTo(executed.body());
    }
    assertThat(effects()).isEqualTo(1);
  }

  @Test
  void sigterm_letsTheRunningExchangeEnd_refusesNewOnes_andExitsWith0() throws Exception {
    BlockingQueue<HttpServerRequest> held = new LinkedBlockingQueue<>();
    try (ScriptedUpstream upstream = ScriptedUpstream.start(vertx);
        OncegateProcess gateway = serve(upstream.port())) {
      upstream.script((request, received) -> held.add(request));
      List<URI> at = gateway.ready();
      assertThat(get(at.get(1) + "/health/ready").statusCode()).isEqualTo(200);
      CompletableFuture<HttpResponse<String>> slow =
          client.sendAsync(
              request(at.get(0), "slow", "none"), HttpResponse.BodyHandlers.ofString());
      HttpServerRequest running = held.poll(60, TimeUnit.SECONDS);
      assertThat(get(at.get(1) + "/metrics").body()).satisfies(ServeIT::oneExchangeRuns);
      gateway.terminate();
      await().until(() -> get(at.get(1) + "/health/ready").statusCode() == 503);
      HttpResponse<String> late = charge(at.get(0), "late", "none");
      assertThat(late.statusCode()).isEqualTo(503);
      assertThat(late.body()).contains("urn:oncegate:problem:draining");
      running.response().setStatusCode(201).end();
      HttpResponse<String> ended = slow.get(60, TimeUnit.SECONDS);
      assertThat(ended.statusCode()).isEqualTo(201);
      assertThat(status(ended)).isEqualTo("executed");
      assertThat(gateway.exitCode()).isZero();
      assertThat(upstream.ledger()).hasSize(1);
    }
    assertThat(directory.resolve("data/pg/postmaster.pid")).doesNotExist();
  }

  private static void oneExchangeRuns(String metrics) {
    assertThat(metrics).contains("vertx_http_client_active_requests{client_name=\"shop\"} 1.0");
  }

  private OncegateProcess serve(int upstreamPort) throws Exception {
    Files.writeString(directory.resolve("tenants.yaml"), TenantsYaml.withUpstream(upstreamPort));
    return serve();
  }

  private OncegateProcess serve() {
    return OncegateProcess.start(
        directory,
        Map.of("ONCEGATE_INSTANCES", "2", "ONCEGATE_DRAIN_TIMEOUT", "60s"),
        "serve",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--ops-port",
        "0");
  }

  private HttpResponse<String> charge(URI gateway, String key, String trouble) throws Exception {
    return client.send(request(gateway, key, trouble), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpRequest request(URI gateway, String key, String trouble) {
    return HttpRequest.newBuilder(URI.create(gateway + "/shop/charges"))
        .header("Idempotency-Key", key)
        .header("Content-Type", "application/json")
        .header("X-Ledger", trouble)
        .POST(HttpRequest.BodyPublishers.ofString("{\"amount\":500,\"currency\":\"EUR\"}"))
        .build();
  }

  private int effects() throws Exception {
    return new JsonObject(get(ledger + "/ledger").body()).getInteger("count");
  }

  private HttpResponse<String> get(String uri) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String status(HttpResponse<String> answer) {
    return answer.headers().firstValue("Idempotency-Status").orElse("none");
  }
}
