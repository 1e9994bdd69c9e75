package dev.oncegate.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.app.demo.LedgerUpstream;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway run by conf/oncegate.yaml, whose installation secret changes. */
class SettingsIT {
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  @TempDir Path directory;
  private Vertx vertx;

  @BeforeEach
  void open() throws Exception {
    vertx = Vertx.vertx();
    int port = LedgerUpstream.deploy(vertx, "127.0.0.1", 0).await().actualPort();
    Files.writeString(directory.resolve("tenants.yaml"), TenantsYaml.withUpstream(port));
    Files.createDirectory(directory.resolve("conf"));
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  @Test
  void recordsOfAPreviousSecret_replayAndCompare_andAreUnreadableWithoutIt() throws Exception {
    HttpResponse<String> executed;
    try (OncegateProcess first = serve("${env:FIRST}", "")) {
      executed = charge(first, 500);
      assertThat(executed.statusCode()).isEqualTo(201);
    }
    try (OncegateProcess second = serve("${env:SECOND}", "previousSecrets: ['${env:FIRST}']")) {
      URI at = second.ready().get(0);
      HttpResponse<String> replayed = charge(at, 500);
      assertThat(replayed.headers().firstValue("Idempotency-Replayed")).hasValue("true");
      assertThat(replayed.body()).isEqualTo(executed.body());
      assertThat(charge(at, 700).statusCode()).isEqualTo(422);
    }
    try (OncegateProcess third = serve("${env:SECOND}", "")) {
      assertThat(charge(third, 500).body()).contains("urn:oncegate:problem:record-damaged");
    }
  }

  private OncegateProcess serve(String secret, String more) throws Exception {
    Files.writeString(
        directory.resolve("conf/oncegate.yaml"),
        """
        gateway: { host: 127.0.0.1, port: 0, instances: 1 }
        ops: { port: 0 }
        store: { dataDir: kept, partitions: 2, lanes: { claims: 1, batch: 8 } }
        secret: %s
        %s
        """
            .formatted(secret, more));
    return OncegateProcess.start(
        directory, Map.of("FIRST", "ab".repeat(32), "SECOND", "cd".repeat(32)), "serve");
  }

  private HttpResponse<String> charge(OncegateProcess gateway, int amount) throws Exception {
    return charge(gateway.ready().get(0), amount);
  }

  private HttpResponse<String> charge(URI gateway, int amount) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(gateway + "/shop/charges"))
            .header("Idempotency-Key", "k1")
            .header("Content-Type", "application/json")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"amount\":" + amount + ",\"currency\":\"EUR\"}"))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
