package dev.oncegate.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.app.demo.LedgerUpstream;
import io.vertx.core.Vertx;
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
import java.util.concurrent.CompletableFuture;
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
    try (OncegateProcess gateway = serve()) {
      List<URI> at = gateway.ready();
      assertThat(get(at.get(1) + "/health/ready").statusCode()).isEqualTo(200);
      CompletableFuture<HttpResponse<String>> slow =
          client.sendAsync(
              request(at.get(0), "slow", "slow"), HttpResponse.BodyHandlers.ofString());
      await().until(() -> get(at.get(1) + "/metrics").body(), ServeIT::oneExchangeRuns);
      gateway.terminate();
      await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> get(at.get(1) + "/health/ready").statusCode() == 503);
      HttpResponse<String> late = charge(at.get(0), "late", "none");
      assertThat(late.statusCode()).isEqualTo(503);
      assertThat(late.body()).contains("urn:oncegate:problem:draining");
      assertThat(slow.get().statusCode()).isEqualTo(201);
      assertThat(status(slow.get())).isEqualTo("executed");
      assertThat(gateway.exitCode()).isZero();
    }
    assertThat(effects()).isEqualTo(1);
    assertThat(directory.resolve("data/pg/postmaster.pid")).doesNotExist();
  }

  private static boolean oneExchangeRuns(String metrics) {
    return metrics.contains("vertx_http_client_active_requests{client_name=\"shop\"} 1.0");
  }

  private OncegateProcess serve() {
    return OncegateProcess.start(
        directory,
        Map.of("ONCEGATE_INSTANCES", "2"),
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
