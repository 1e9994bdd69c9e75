package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.testkit.ScriptedUpstream;
import dev.oncegate.testkit.TestCertificate;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same promises to clients that speak HTTP/2 over TLS. */
class Http2IT extends GatewayTestBase {
  @TempDir static Path directory;
  private static TestCertificate certificate;
  private static HttpClient client;

  private ScriptedUpstream upstream;
  private Gateway gateway;

  @BeforeAll
  static void makeCertificate() throws Exception {
    certificate = TestCertificate.make(directory, "gateway", "ip:127.0.0.1");
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_2)
            .sslContext(certificate.trusting())
            .build();
  }

  @BeforeEach
  void start() throws Exception {
    upstream = open(ScriptedUpstream.start(vertx)).answer(201, "{\"id\":\"c1\"}");
    Listener listener =
        new Listener(
            "127.0.0.1",
            0,
            Optional.of(
                new Listener.Tls(
                    certificate.certificate().toString(), certificate.key().toString())),
            false);
    gateway =
        open(
            Gateway.start(
                vertx,
                new Gateway.Options()
                    .listener(listener)
                    .limits(patient())
                    .store(store -> SlowStore.around(vertx, store, 100)),
                Policies.tenant(
                    "t1",
                    Policies.upstream(upstream.port(), Policies.TIMEOUTS),
                    Policies.keyed("create-charge", "/charges"))));
  }

  /**
   * Reads a refused body to its end, however slowly it comes: the JDK's client does not heed a
   * reset without an error after the whole answer, and goes on sending until its time is over.
   */
  private static GatewayLimits patient() {
    GatewayLimits usual = GatewayLimits.BUILT_IN;
    return new GatewayLimits(
        usual.maxHeaderBytes(),
        usual.maxRequestLine(),
        usual.idle(),
        Duration.ofMinutes(5),
        Duration.ofMinutes(5),
        usual.uploadWindowBytes(),
        usual.discard(),
        Duration.ofMinutes(5),
        usual.projectOnLoop());
  }

  @Test
  void c73_keyedRequestsOverHttp2_areExecutedAndReplayed() throws Exception {
    String large = "x".repeat(200_000);
    for (String body : List.of("", "0123456789", large)) {
      String key = "k" + body.length();
      HttpResponse<String> first = client.send(charge(key, body), text());
      HttpResponse<String> again = client.send(charge(key, body), text());
      assertThat(first.version()).isEqualTo(HttpClient.Version.HTTP_2);
      assertExecuted(first, 201);
      assertReplayed(again, 201);
      assertThat(first.headers().firstValue("date")).isPresent();
    }
    assertThat(upstream.ledger().stream().map(r -> r.body().toString()))
        .containsExactly("", "0123456789", large);
    assertThat(gateway.broken).isEmpty();
  }

  @Test
  void streamsOfOneConnection_doNotDisturbEachOther() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> all =
        java.util.stream.IntStream.range(0, 30)
            .mapToObj(i -> client.sendAsync(charge("k" + i % 10, "{}"), text()))
            .toList();
    for (CompletableFuture<HttpResponse<String>> one : all) {
      HttpResponse<String> answer = one.get(60, TimeUnit.SECONDS);
      assertThat(answer.headers().firstValue("Idempotency-Status").orElse(""))
          .isIn("executed", "replayed", "in-flight");
    }
    assertThat(upstream.ledger()).hasSize(10);
  }

  @Test
  void refusals_keepTheConnectionForOtherStreams() throws Exception {
    assertProblem(
        client.send(charge("K", "x".repeat(1024 * 1024 + 1)), text()),
        413,
        "body-too-large",
        "refused");
    assertProblem(client.send(charge("a b", "{}"), text()), 400, "key-malformed", "refused");
    assertExecuted(client.send(charge("K", "{}"), text()), 201);
  }

  private HttpRequest charge(String key, String body) {
    return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + gateway.port() + "/charges"))
        .timeout(Duration.ofSeconds(60))
        .header("Idempotency-Key", key)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  private static HttpResponse.BodyHandler<String> text() {
    return HttpResponse.BodyHandlers.ofString();
  }
}
