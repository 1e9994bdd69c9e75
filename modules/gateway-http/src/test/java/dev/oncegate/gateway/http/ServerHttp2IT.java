package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oncegate.testkit.RawUpstream;
import dev.oncegate.testkit.ScriptedUpstream;
import dev.oncegate.testkit.ScriptedUpstream.Received;
import dev.oncegate.testkit.TestCertificate;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnectOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.StreamResetException;
import io.vertx.core.net.HostAndPort;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** TLS and HTTP/2 towards clients, by the letter. */
class ServerHttp2IT extends GatewayTestBase {
  private static final long PROTOCOL_ERROR = 1;
  private static final long CANCEL = 8;

  @TempDir static Path directory;
  private static TestCertificate certificate;

  private ScriptedUpstream upstream;
  private Gateway gateway;
  private HttpClientAgent client;

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

  private HttpClientAgent client(HttpVersion version, boolean tls) {
    HttpClientAgent made =
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
        Gateway.await(client.request(method, gateway.port(), "127.0.0.1", path));
    headers.forEach(request.headers()::add);
    return answer(request, body);
  }

  private HttpClientRequest get(String path) throws Exception {
    return get(client, path);
  }

  private HttpClientRequest get(HttpClient by, String path) throws Exception {
    return Gateway.await(by.request(HttpMethod.GET, gateway.port(), "127.0.0.1", path));
  }

  /**
   * Sends, and reads the answer. Who reads it is said before anything is sent: an answer that comes
   * while nobody has asked for its body yet is lost to this thread.
   */
  private static Seen answer(HttpClientRequest request, String body) throws Exception {
    Future<Seen> seen =
        request
            .response()
            .compose(head -> head.body().map(read -> new Seen(head, read.toString())));
    if (body.isEmpty()) {
      request.end();
    } else {
      request.end(body);
    }
    return Gateway.await(seen);
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
    HttpClientRequest elsewhere = get("/files/1");
    elsewhere.authority(HostAndPort.create("other.example", 443));
    Seen other = answer(elsewhere, "");
    assertThat(other.head().statusCode()).isEqualTo(404);
    assertThat(other.body()).contains("tenant-unknown");
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void malformedRequest_endsItsStreamAndIsNotForwarded(String name, String value) throws Exception {
    HttpClientRequest first = get("/files/1");
    HttpConnection connection = first.connection();
    first.putHeader(name, value);
    assertThatThrownBy(() -> answer(first, ""))
        .hasCauseInstanceOf(StreamResetException.class)
        .extracting(thrown -> ((StreamResetException) thrown.getCause()).getCode())
        .isEqualTo(PROTOCOL_ERROR);
    assertThat(upstream.ledger()).isEmpty();

    HttpClientRequest next = get("/files/1");
    next.putHeader("te", "trailers");
    assertThat(answer(next, "").head().statusCode()).isEqualTo(201);
    assertThat(next.connection()).as("other streams of the connection").isSameAs(connection);
    assertThat(upstream.ledger()).hasSize(1);
  }

  /** The codec forgets a stream with its bad head; what still comes for it ends the connection. */
  @ParameterizedTest
  @MethodSource("malformed")
  void malformedRequestWithABody_isNotForwardedEither(String name, String value) throws Exception {
    Future<HttpClientResponse> sent =
        client
            .request(HttpMethod.PUT, gateway.port(), "127.0.0.1", "/files/1")
            .compose(request -> request.putHeader(name, value).send("body"));
    assertThatThrownBy(() -> Gateway.await(sent)).isInstanceOf(ExecutionException.class);
    HttpClient another = client(HttpVersion.HTTP_2, true);
    assertThat(answer(get(another, "/files/1"), "").head().statusCode()).isEqualTo(201);
    assertThat(upstream.ledger()).extracting(Received::method).containsExactly("GET");
  }

  static List<Arguments> malformed() {
    return List.of(
        Arguments.of("host", "other.example"),
        Arguments.of("te", "gzip"),
        Arguments.of("connection", "x-hop"),
        Arguments.of("keep-alive", "timeout=5"),
        Arguments.of("proxy-connection", "close"));
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
    CountDownLatch closed = new CountDownLatch(1);
    HttpClientConnection connection =
        Gateway.await(
            client.connect(new HttpConnectOptions().setHost("127.0.0.1").setPort(gateway.port())));
    connection.closeHandler(gone -> closed.countDown());
    for (int i = 0; i < 400; i++) {
      connection
          .request(new RequestOptions().setURI("/files/" + i))
          .onSuccess(
              request -> {
                request.exceptionHandler(reset -> {});
                request.sendHead().onComplete(sent -> request.reset(CANCEL));
              });
    }
    assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void certificateThatIsNotThere_failsTheStart() {
    Listener missing =
        new Listener(
            "127.0.0.1", 0, Optional.of(new Listener.Tls("/no/such.crt", "/no/such.key")), false);
    assertThatThrownBy(() -> gateway(upstream.port(), missing)).hasMessageContaining("/no/such");
  }
}
