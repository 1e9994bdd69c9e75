package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oncegate.testkit.RawUpstream;
import dev.oncegate.testkit.ScriptedUpstream;
import dev.oncegate.testkit.TestCertificate;
import io.vertx.core.VertxException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.HostAndPort;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS and HTTP/2 towards clients, by the letter. */
class ServerHttp2IT extends GatewayTestBase {
  @TempDir static Path directory;
  private static TestCertificate certificate;

  private ScriptedUpstream upstream;
  private Gateway gateway;
  private HttpClient client;

  @BeforeAll
  static void makeCertificate() throws Exception {
    certificate = TestCertificate.make(directory, "gateway", "ip:127.0.0.1");
  }

  @BeforeEach
  void start() throws Exception {
    upstream = open(ScriptedUpstream.start(vertx)).answer(201, "ok");
    gateway = gateway(upstream.port(), secure());
    client = client(HttpVersion.HTTP_2, true);
  }

  private static Listener secure() {
    return new Listener(
        "127.0.0.1",
        0,
        Optional.of(
            new Listener.Tls(certificate.certificate().toString(), certificate.key().toString())),
        false);
  }

  private Gateway gateway(int upstreamPort, Listener listener) throws Exception {
    return open(
        Gateway.start(
            vertx,
            new Gateway.Options().listener(listener),
            Policies.tenant(
                "t1",
                Policies.upstream(upstreamPort, Policies.TIMEOUTS),
                Policies.keyed("create-charge", "/charges"),
                Policies.passthrough("files", "/files/**"))));
  }

  private HttpClient client(HttpVersion version, boolean tls) {
    HttpClient made =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(version)
                .setSsl(tls)
                .setUseAlpn(tls)
                .setTrustAll(true)
                .setVerifyHost(false)
                .setHttp2ClearTextUpgrade(false));
    open(() -> Gateway.await(made.close()));
    return made;
  }

  /** Status, headers and body of one request. */
  private record Seen(HttpClientResponse head, String body) {}

  private Seen send(HttpMethod method, String path, Map<String, String> headers, String body)
      throws Exception {
    HttpClientRequest request =
        Gateway.await(
            client.request(
                new RequestOptions()
                    .setMethod(method)
                    .setHost("127.0.0.1")
                    .setPort(gateway.port())
                    .setURI(path)));
    headers.forEach(request.headers()::add);
    return seen(request, body);
  }

  private static Seen seen(HttpClientRequest request, String body) throws Exception {
    HttpClientResponse[] head = new HttpClientResponse[1];
    Buffer read =
        Gateway.await(
            request
                .send(Buffer.buffer(body))
                .compose(
                    answer -> {
                      head[0] = answer;
                      return answer.body();
                    }));
    return new Seen(head[0], read.toString());
  }

  @Test
  void problem_hasItsStatusAndNoConnectionHeaders() throws Exception {
    Seen seen = send(HttpMethod.POST, "/charges", Map.of(), "{}");
    assertThat(seen.head().version()).isEqualTo(HttpVersion.HTTP_2);
    assertThat(seen.head().statusCode()).isEqualTo(400);
    assertThat(seen.body()).contains("key-missing");
    assertThat(seen.head().headers().names())
        .doesNotContain("connection", "transfer-encoding", "keep-alive");
  }

  @Test
  void authority_standsForHost_andReachesTheTenant() throws Exception {
    Seen seen = send(HttpMethod.POST, "/charges", Map.of("idempotency-key", "K"), "{}");
    assertThat(seen.head().statusCode()).isEqualTo(201);
    assertThat(upstream.ledger().get(0).header("Host"))
        .containsExactly("127.0.0.1:" + upstream.port());
    HttpClientRequest elsewhere =
        Gateway.await(client.request(HttpMethod.GET, gateway.port(), "127.0.0.1", "/files/1"));
    elsewhere.authority(HostAndPort.create("other.example", 443));
    Seen other = seen(elsewhere, "");
    assertThat(other.head().statusCode()).isEqualTo(404);
    assertThat(other.body()).contains("tenant-unknown");
  }

  @Test
  void malformedRequests_endTheirStreamAndAreNotForwarded() throws Exception {
    for (Map<String, String> headers :
        List.of(
            Map.of("host", "other.example"),
            Map.of("te", "gzip"),
            Map.of("connection", "x-hop"),
            Map.of("keep-alive", "timeout=5"),
            Map.of("proxy-connection", "close"))) {
      assertThatThrownBy(() -> send(HttpMethod.GET, "/files/1", headers, ""))
          .as("%s", headers)
          .hasCauseInstanceOf(VertxException.class);
    }
    assertThat(upstream.ledger()).isEmpty();
    assertThat(send(HttpMethod.GET, "/files/1", Map.of("te", "trailers"), "").head().statusCode())
        .isEqualTo(201);
  }

  @Test
  void sizeOfHeaders_isTheSameLimitAsInHttp11_andIsTold() throws Exception {
    Seen key =
        send(HttpMethod.POST, "/charges", Map.of("idempotency-key", "k".repeat(9_000)), "{}");
    assertThat(key.head().statusCode()).isEqualTo(400);
    assertThat(key.body()).contains("key-malformed");
    assertThatThrownBy(
            () -> send(HttpMethod.GET, "/files/1", Map.of("x-large", "x".repeat(40_000)), ""))
        .hasMessageContaining("max allowed size (32768)");
  }

  @Test
  void responseTrailers_crossToHttp2() throws Exception {
    RawUpstream raw =
        open(
            RawUpstream.answering(
                vertx,
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n"
                    + "X-Sum: 9\r\nIdempotency-Replayed: true\r\n\r\n"));
    gateway = gateway(raw.port(), secure());
    Seen seen = send(HttpMethod.GET, "/files/1", Map.of(), "");
    assertThat(seen.body()).isEqualTo("ok");
    assertThat(seen.head().trailers().getAll("x-sum")).containsExactly("9");
    assertThat(seen.head().trailers().contains("idempotency-replayed")).isFalse();
  }

  @Test
  void http11OverTls_worksToo() throws Exception {
    client = client(HttpVersion.HTTP_1_1, true);
    Seen seen = send(HttpMethod.POST, "/charges", Map.of("Idempotency-Key", "K"), "{}");
    assertThat(seen.head().version()).isEqualTo(HttpVersion.HTTP_1_1);
    assertThat(seen.head().statusCode()).isEqualTo(201);
  }

  @Test
  void clearTextHttp2_onlyWhereItIsAskedFor() throws Exception {
    client = client(HttpVersion.HTTP_2, false);
    gateway = gateway(upstream.port(), new Listener("127.0.0.1", 0, Optional.empty(), true));
    assertThat(
            send(HttpMethod.POST, "/charges", Map.of("idempotency-key", "K"), "{}")
                .head()
                .statusCode())
        .isEqualTo(201);
    gateway = gateway(upstream.port(), Listener.plain("127.0.0.1", 0));
    assertThatThrownBy(
        () -> send(HttpMethod.POST, "/charges", Map.of("idempotency-key", "K2"), "{}"));
    assertThat(upstream.ledger()).hasSize(1);
  }

  @Test
  void floodOfResets_closesTheConnection() throws Exception {
    upstream.script((request, received) -> {});
    AtomicBoolean closed = new AtomicBoolean();
    for (int i = 0; i < 400 && !closed.get(); i++) {
      HttpClientRequest request =
          Gateway.await(client.request(HttpMethod.GET, gateway.port(), "127.0.0.1", "/files/" + i));
      request.exceptionHandler(reset -> {});
      request.connection().closeHandler(gone -> closed.set(true));
      Gateway.await(request.sendHead().otherwiseEmpty());
      request.reset(8);
    }
    await().untilTrue(closed);
  }

  @Test
  void certificateThatIsNotThere_failsTheStart() {
    Listener missing =
        new Listener(
            "127.0.0.1", 0, Optional.of(new Listener.Tls("/no/such.crt", "/no/such.key")), false);
    assertThatThrownBy(() -> gateway(upstream.port(), missing)).hasMessageContaining("/no/such");
  }
}
