package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.testkit.ScriptedUpstream;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PfxOptions;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same promises to clients that speak HTTP/2 over TLS. */
class Http2IT extends GatewayTestBase {
  private static final String PASSWORD = "for-tests-only";

  @TempDir static Path directory;
  private static Path keyStore;
  private static HttpClient client;

  private ScriptedUpstream upstream;
  private Gateway gateway;

  @BeforeAll
  static void makeCertificate() throws Exception {
    keyStore = directory.resolve("gateway.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=127.0.0.1",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-alias",
                "gateway",
                "-keystore",
                keyStore.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes());
    assertThat(keytool.waitFor()).as(said).isZero();
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keyStore)) {
      trusted.load(in, PASSWORD.toCharArray());
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    KeyStore anchors = KeyStore.getInstance("PKCS12");
    anchors.load(null, null);
    anchors.setCertificateEntry("gateway", trusted.getCertificate("gateway"));
    trust.init(anchors);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).sslContext(tls).build();
  }

  @BeforeEach
  void start() throws Exception {
    upstream = open(ScriptedUpstream.start(vertx)).answer(201, "{\"id\":\"c1\"}");
    HttpServerOptions listener =
        new HttpServerOptions()
            .setSsl(true)
            .setUseAlpn(true)
            .setKeyCertOptions(new PfxOptions().setPath(keyStore.toString()).setPassword(PASSWORD));
    gateway =
        open(
            Gateway.start(
                vertx,
                new Gateway.Options()
                    .listener(listener)
                    .store(store -> SlowStore.around(vertx, store, 100)),
                Policies.tenant(
                    "t1",
                    Policies.upstream(upstream.port(), Policies.TIMEOUTS),
                    Policies.keyed("create-charge", "/charges"))));
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
      HttpResponse<String> answer = one.get(20, TimeUnit.SECONDS);
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
        .timeout(Duration.ofSeconds(20))
        .header("Idempotency-Key", key)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  private static HttpResponse.BodyHandler<String> text() {
    return HttpResponse.BodyHandlers.ofString();
  }
}
