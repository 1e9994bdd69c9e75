package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.RoutePolicy.KeyPolicy.Syntax;
import dev.oncegate.testkit.RawClient;
import dev.oncegate.testkit.RawUpstream;
import dev.oncegate.testkit.ScriptedUpstream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where there is no key protocol: streamed through, nothing stored. */
class PassthroughIT extends GatewayTestBase {
  private ScriptedUpstream upstream;
  private Gateway gateway;

  @BeforeEach
  void start() throws Exception {
    upstream = open(ScriptedUpstream.start(vertx)).answer(200, "read");
    gateway =
        open(
            Gateway.before(
                vertx,
                upstream.port(),
                Policies.keyed("create-charge", "/charges"),
                Policies.passthrough("files", "/files/**")));
  }

  @Test
  void c55_safeMethods_passWithTheirKeyUntouched() throws Exception {
    for (String path : List.of("/files/1", "/elsewhere")) {
      for (String method : List.of("OPTIONS", "GET", "GET", "HEAD")) {
        HttpResponse<String> answer =
            gateway.send(
                gateway
                    .request(path)
                    .header("Idempotency-Key", "K")
                    .method(method, HttpRequest.BodyPublishers.noBody())
                    .build());
        assertAnswer(answer, 200, "bypassed");
        assertThat(answer.headers().firstValue("Idempotency-Expires")).isEmpty();
        assertThat(answer.body()).isEqualTo(method.equals("HEAD") ? "" : "read");
      }
    }
    assertThat(upstream.ledger()).hasSize(8);
    assertThat(upstream.ledger()).allMatch(r -> r.header("Idempotency-Key").equals(List.of("K")));
    assertThat(gateway.records.size()).isZero();
    assertThat(gateway.answered).contains("t1/files/bypassed", "t1/none/bypassed");
  }

  @Test
  void c55_postWithoutItsKey_isRefused() throws Exception {
    HttpResponse<String> answer =
        gateway.send(
            gateway.request("/charges").POST(HttpRequest.BodyPublishers.ofString("{}")).build());
    assertProblem(answer, 400, "key-missing", "refused");
    assertThat(answer.body()).contains("\"new_key_safe\":true");
    assertThat(upstream.ledger()).isEmpty();
  }

  @Test
  void c55_preflightWithoutAKey_passes() throws Exception {
    upstream.script(
        (request, received) ->
            request
                .response()
                .setStatusCode(204)
                .putHeader("Access-Control-Allow-Origin", "https://shop.example")
                .end());
    HttpResponse<String> answer =
        gateway.send(
            gateway
                .request("/charges")
                .header("Access-Control-Request-Headers", "idempotency-key")
                .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
                .build());
    assertAnswer(answer, 204, "bypassed");
    assertThat(answer.headers().allValues("Access-Control-Expose-Headers"))
        .anyMatch(names -> names.contains("Idempotency-Status"));
  }

  @Test
  void optionalKeyThatIsAbsent_passes() throws Exception {
    RoutePolicy.KeyPolicy optional =
        new RoutePolicy.KeyPolicy("Idempotency-Key", false, Syntax.LENIENT, 255);
    Gateway other =
        open(
            Gateway.before(
                vertx,
                upstream.port(),
                Policies.keyed("create-charge", "/charges", Policies.key(optional))));
    HttpRequest keyless =
        other.request("/charges").POST(HttpRequest.BodyPublishers.ofString("{}")).build();
    assertAnswer(other.send(keyless), 200, "bypassed");
    assertAnswer(other.send(keyless), 200, "bypassed");
    assertExecuted(other.charge("K", "{}"), 200);
    assertThat(upstream.ledger()).hasSize(3);
    assertThat(upstream.ledger().get(0).body().toString()).isEqualTo("{}");
  }

  @Test
  void c20_clientThatLeaves_cancelsTheExchange() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    upstream.script((request, received) -> arrived.countDown());
    RawClient client = open(new RawClient(gateway.port()));
    client.send("GET /files/1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
    client.reset();
    await().until(() -> upstream.cut() > 0);
    await().until(() -> gateway.answered.size() == 1);
  }

  @Test
  void c55_largeBodies_streamThroughBothWays() throws Exception {
    byte[] body = new byte[20_000_000];
    new java.util.Random(7).nextBytes(body);
    upstream.script((request, received) -> request.response().end(received.body()));
    HttpResponse<byte[]> answer =
        Gateway.CLIENT.send(
            gateway.request("/files/1").PUT(HttpRequest.BodyPublishers.ofByteArray(body)).build(),
            HttpResponse.BodyHandlers.ofByteArray());
    assertAnswer(answer, 200, "bypassed");
    assertThat(java.util.Arrays.equals(answer.body(), body)).isTrue();
    assertThat(answer.headers().firstValue("Content-Length")).hasValue("20000000");
    HttpResponse<byte[]> chunked =
        Gateway.CLIENT.send(
            gateway
                .request("/files/1")
                .PUT(
                    HttpRequest.BodyPublishers.ofInputStream(
                        () -> (InputStream) new java.io.ByteArrayInputStream(body)))
                .build(),
            HttpResponse.BodyHandlers.ofByteArray());
    assertThat(java.util.Arrays.equals(chunked.body(), body)).isTrue();
  }

  @Test
  void earlyHintsAndTrailers_passAndHopByHopDoesNot() throws Exception {
    RawUpstream raw =
        open(
            RawUpstream.answering(
                vertx,
                "HTTP/1.1 103 Early Hints\r\n"
                    + "Link: </a>\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\n"
                    + "Transfer-Encoding: chunked\r\n"
                    + "Connection: X-Hop\r\n"
                    + "X-Hop: 1\r\n"
                    + "X-End: 1\r\n"
                    + "Trailer: X-Sum\r\n\r\n"
                    + "2\r\n"
                    + "ok\r\n"
                    + "0\r\n"
                    + "Idempotency-Status: executed\r\n"
                    + "X-Sum: 9\r\n\r\n"));
    Gateway other =
        open(Gateway.before(vertx, raw.port(), Policies.passthrough("files", "/files/**")));
    try (RawClient client = new RawClient(other.port())) {
      client.send("GET /files/1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
      RawClient.Reply hints = client.reply();
      assertThat(hints.status()).isEqualTo(103);
      assertThat(hints.header("Link")).containsExactly("</a>");
      RawClient.Reply reply = client.reply();
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.body()).isEqualTo("ok");
      assertThat(reply.header("X-Hop")).isEmpty();
      assertThat(reply.header("X-End")).containsExactly("1");
      assertThat(reply.trailers()).containsExactly("X-Sum: 9");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 1000 What\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
      })
  void unreadableAnswer_isNotPassedOn(String unreadable) throws Exception {
    RawUpstream raw = open(RawUpstream.answering(vertx, unreadable));
    Gateway other =
        open(Gateway.before(vertx, raw.port(), Policies.passthrough("files", "/files/**")));
    assertProblem(other.send(other.request("/files/1").build()), 502, "upstream-reset", "bypassed");
  }

  @Test
  void http10ClientThatKeepsItsConnection_isToldTheEndOfAnAnswerWithoutLengthByTheClose()
      throws Exception {
    upstream.script((request, received) -> request.response().setChunked(true).end("read"));
    RawClient.Reply reply =
        RawClient.once(
            gateway.port(),
            "GET /files/1 HTTP/1.0\r\nHost: 127.0.0.1\r\nConnection: keep-alive\r\n\r\n");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo("read");
  }

  @Test
  void unreachableUpstream_isSaidSo() throws Exception {
    // Bound, so that nobody else listens there meanwhile, but not listening.
    try (Socket bound = new Socket()) {
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Gateway other =
          open(
              Gateway.before(
                  vertx, bound.getLocalPort(), Policies.passthrough("files", "/files/**")));
      assertProblem(
          other.send(other.request("/files/1").build()), 502, "upstream-unreachable", "released");
    }
  }

  @Test
  void upstreamThatBreaksOff_isSaidSoOrCutsTheAnswer() throws Exception {
    RawUpstream raw = open(RawUpstream.start(vertx, socket -> socket.close()));
    Gateway other =
        open(Gateway.before(vertx, raw.port(), Policies.passthrough("files", "/files/**")));
    assertProblem(other.send(other.request("/files/1").build()), 502, "upstream-reset", "bypassed");
    raw.script(
        socket -> {
          RawUpstream.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345");
          socket.close();
        });
    org.assertj.core.api.Assertions.assertThatThrownBy(
            () -> RawClient.once(other.port(), "GET /files/1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))
        .isInstanceOf(java.io.IOException.class);
  }

  @Test
  void expect100_isAnsweredByUs() throws Exception {
    try (RawClient client = new RawClient(gateway.port())) {
      client.send(
          "PUT /files/1 HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: 100-continue\r\n"
              + "Content-Length: 2\r\n\r\n");
      assertThat(client.reply().status()).isEqualTo(100);
      assertThat(client.send("{}").reply().status()).isEqualTo(200);
    }
  }

  @Test
  void upgrade_isPassedAndBothSidesExchangeBytes() throws Exception {
    RawUpstream raw =
        open(
            RawUpstream.start(
                vertx,
                socket -> {
                  RawUpstream.write(
                      socket,
                      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
                          + "Upgrade: echo\r\nX-End: 1\r\n\r\nhello");
                  socket.handler(part -> socket.write(part));
                }));
    Gateway other =
        open(Gateway.before(vertx, raw.port(), Policies.passthrough("files", "/files/**")));
    try (RawClient client = new RawClient(other.port())) {
      client.send(
          "GET /files/1 HTTP/1.1\r\n"
              + "Host: 127.0.0.1\r\n"
              + "Connection: upgrade\r\n"
              + "Upgrade: echo\r\n\r\n");
      RawClient.Reply reply = client.reply();
      assertThat(reply.status()).isEqualTo(101);
      assertThat(reply.header("Upgrade")).containsExactly("echo");
      assertThat(reply.header("Connection")).containsExactly("Upgrade");
      assertThat(reply.header("Idempotency-Status")).containsExactly("bypassed");
      assertThat(client.bytes(5)).isEqualTo("hello");
      assertThat(client.send("\u0000\u00ffabc").bytes(5)).isEqualTo("\u0000\u00ffabc");
    }
    assertThat(raw.requests().get(0)).contains("Upgrade: echo");
  }

  @Test
  void upgradeThatIsRefused_isAnOrdinaryAnswer() throws Exception {
    RawClient.Reply reply =
        RawClient.once(
            gateway.port(),
            "GET /files/1 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: upgrade\r\n"
                + "Upgrade: echo\r\n\r\n");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo("read");
  }
}
