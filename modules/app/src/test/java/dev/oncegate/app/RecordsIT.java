package dev.oncegate.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.app.OncegateProcess.Result;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A person finds, looks at and resolves what became unknown in a real gateway with Postgres. */
class RecordsIT {
  private static final String TOKEN_LINE = "oncegate ops token ";

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  @TempDir Path directory;
  private Vertx vertx;

  @BeforeEach
  void open() throws Exception {
    vertx = Vertx.vertx();
    int port = LedgerUpstream.deploy(vertx, "127.0.0.1", 0).await().actualPort();
    Files.writeString(directory.resolve("tenants.yaml"), TenantsYaml.withUpstream(port));
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  @Test
  void lostAnswers_areFoundShownAndResolved_andRetriesGetWhatThePersonSaid() throws Exception {
    try (OncegateProcess gateway = serve(Map.of())) {
      List<URI> at = gateway.ready();
      String token = token(gateway);
      assertThat(token).matches("[A-Za-z0-9_-]{43}");
      assertThat(gateway.err()).doesNotContain(token);
      for (String key : List.of("k1", "k2", "k3")) {
        assertThat(charge(at.get(0), key, "lose").statusCode()).isEqualTo(502);
      }
      Map<String, String> shell =
          Map.of("ONCEGATE_OPS_URL", at.get(1).toString(), "ONCEGATE_ADMIN_TOKEN", token);
      assertThat(run(shell, "find", "--state", "unknown", "--tenant", "shop").out().lines())
          .as("a head and three records")
          .hasSize(4);
      String first = id(shell, "k1");
      assertThat(run(shell, "show", "shop", first).out())
          .contains("\"target\":\"/charges\"")
          .contains("waitsForPerson", "quarantineUntil", "owner");
      answersAsGiven(at.get(0), shell, first);
      notKeptWithoutOne(at.get(0), shell, id(shell, "k2"));
      freeByForceAlone(at.get(0), shell, id(shell, "k3"));
      assertThat(gateway.err())
          .contains("a verdict was written", "reason=\"seen in the ledger\"")
          .doesNotContain(token, first);
      assertThat(stats(at.get(1), token).getLong("imbalance")).isZero();
    }
  }

  private void answersAsGiven(URI gateway, Map<String, String> shell, String id) throws Exception {
    Path answer = directory.resolve("answer.json");
    Files.writeString(
        answer,
        "{\"status\":201,\"headers\":{\"Location\":\"/charges/ch_1\",\"Set-Cookie\":\"x=1\"},"
            + "\"body\":\"as the person saw it\"}");
    Result resolved =
        run(
            shell,
            List.of("resolve", "shop", id, "--verdict", "applied", "--by", "Ada"),
            List.of("--reason", "seen in the ledger", "--response", answer.toString()));
    assertThat(resolved.err()).isEmpty();
    assertThat(resolved.exitCode()).isZero();
    HttpResponse<String> retried = charge(gateway, "k1", "none");
    assertThat(retried.statusCode()).isEqualTo(201);
    assertThat(retried.body()).isEqualTo("as the person saw it");
    assertThat(retried.headers().firstValue("Idempotency-Reconstructed")).hasValue("true");
    assertThat(retried.headers().firstValue("Location")).hasValue("/charges/ch_1");
    assertThat(retried.headers().firstValue("Set-Cookie")).isEmpty();
    assertThat(run(shell, "show", "shop", id).out())
        .contains("completed", "Ada", "applied: seen in the ledger");
  }

  private void notKeptWithoutOne(URI gateway, Map<String, String> shell, String id)
      throws Exception {
    assertThat(
            run(
                    shell,
                    List.of("resolve", "shop", id, "--verdict", "applied"),
                    List.of("--reason", "seen"))
                .exitCode())
        .isZero();
    HttpResponse<String> retried = charge(gateway, "k2", "none");
    assertThat(retried.statusCode()).isEqualTo(409);
    assertThat(retried.body()).contains("urn:oncegate:problem:response-not-kept");
  }

  private void freeByForceAlone(URI gateway, Map<String, String> shell, String id)
      throws Exception {
    List<String> order = List.of("resolve", "shop", id, "--verdict", "notApplied");
    Result early = run(shell, order, List.of("--reason", "the ledger is a test"));
    assertThat(early.exitCode()).isEqualTo(2);
    assertThat(early.errLine()).contains("may still arrive", "force");
    assertThat(run(shell, order, List.of("--reason", "the ledger is a test", "--force")).exitCode())
        .isZero();
    HttpResponse<String> retried = charge(gateway, "k3", "none");
    assertThat(retried.headers().firstValue("Idempotency-Status")).hasValue("executed");
  }

  @Test
  void manyAtOnce_areOneOrder() throws Exception {
    String token = "a-configured-token-0123456789";
    try (OncegateProcess gateway = serve(Map.of("ONCEGATE_ADMIN_TOKEN", token))) {
      List<URI> at = gateway.ready();
      assertThat(gateway.out()).noneMatch(line -> line.startsWith(TOKEN_LINE));
      for (int i = 0; i < 5; i++) {
        charge(at.get(0), "many-" + i, "lose");
      }
      Map<String, String> shell =
          Map.of("ONCEGATE_OPS_URL", at.get(1).toString(), "ONCEGATE_ADMIN_TOKEN", token);
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> metrics(at.get(1)), RecordsIT::fiveWaitForAPerson);
      Result resolved =
          run(
              shell,
              List.of("resolve", "shop", "--route", "create-charge", "--verdict", "applied"),
              List.of("--reason", "all five are in the ledger", "--yes"));
      assertThat(resolved.out()).startsWith("resolved 5, in quarantine 0");
      assertThat(resolved.exitCode()).isZero();
      assertThat(run(shell, "find", "--state", "unknown").out()).isEqualTo("no records");
      Map<String, String> stranger = Map.of("ONCEGATE_OPS_URL", at.get(1).toString());
      assertThat(run(stranger, "find", "--token", "another").exitCode()).isEqualTo(2);
    }
  }

  private OncegateProcess serve(Map<String, String> environment) {
    Map<String, String> variables = new java.util.HashMap<>(environment);
    variables.put("ONCEGATE_INSTANCES", "1");
    return OncegateProcess.start(
        directory, variables, "serve", "--host", "127.0.0.1", "--port", "0", "--ops-port", "0");
  }

  /** What stands before the ready line. */
  private static String token(OncegateProcess gateway) {
    List<String> lines =
        gateway.out().stream().filter(line -> line.startsWith(TOKEN_LINE)).toList();
    assertThat(lines).hasSize(1);
    return lines.get(0).substring(TOKEN_LINE.length());
  }

  private String id(Map<String, String> shell, String key) {
    String found =
        run(
                shell,
                List.of("find", "--tenant", "shop", "--route", "create-charge", "--json"),
                List.of("--key", key))
            .out();
    return new JsonObject(found).getJsonArray("records").getJsonObject(0).getString("id");
  }

  private Result run(Map<String, String> shell, String... arguments) {
    return run(shell, List.of(arguments), List.of());
  }

  private Result run(Map<String, String> shell, List<String> first, List<String> then) {
    List<String> all = new ArrayList<>(List.of("records"));
    all.addAll(first);
    all.addAll(then);
    return OncegateProcess.run(directory, shell, all.toArray(String[]::new));
  }

  private JsonObject stats(URI ops, String token) throws Exception {
    return new JsonObject(
        client
            .send(
                HttpRequest.newBuilder(URI.create(ops + "/api/v1/tenants/shop/stats"))
                    .header("Authorization", "Bearer " + token)
                    .build(),
                HttpResponse.BodyHandlers.ofString())
            .body());
  }

  private static boolean fiveWaitForAPerson(String metrics) {
    return metrics.contains("idempotency_unknown_waiting{tenant=\"shop\"} 5.0")
        && metrics.contains("idempotency_records{state=\"unknown\",tenant=\"shop\"} 5.0")
        && metrics.contains("idempotency_audit_imbalance{tenant=\"shop\"} 0.0");
  }

  private String metrics(URI ops) throws Exception {
    return client
        .send(
            HttpRequest.newBuilder(URI.create(ops + "/metrics")).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private HttpResponse<String> charge(URI gateway, String key, String trouble) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(gateway + "/shop/charges"))
            .header("Idempotency-Key", key)
            .header("Content-Type", "application/json")
            .header("X-Ledger", trouble)
            .POST(HttpRequest.BodyPublishers.ofString("{\"amount\":500,\"currency\":\"EUR\"}"))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
