package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.testkit.RawClient;
import dev.oncegate.testkit.ScriptedUpstream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that two readers could read in two ways: refused, and the connection is closed. */
class HostileInputIT extends GatewayTestBase {
  private static final String KEY = "Idempotency-Key: K\r\n";

  private ScriptedUpstream upstream;
  private Gateway gateway;

  @BeforeEach
  void start() throws Exception {
    upstream = open(ScriptedUpstream.start(vertx)).answer(201, "ok");
    gateway = open(Gateway.before(vertx, upstream.port()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /charges HTTP/1.1\r\n",
        "POST /charges HTTP/1.0\r\n",
        "POST /charges HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: 127.0.0.1\r\n",
        "POST /charges HTTP/1.1\r\nHost: a@127.0.0.1\r\n",
        "POST /charges HTTP/1.1\r\nHost:\r\n",
        "POST http://other/charges HTTP/1.1\r\nHost: 127.0.0.1\r\n",
        "POST http://a@127.0.0.1/charges HTTP/1.1\r\nHost: 127.0.0.1\r\n"
      })
  void unclearHost_isHostInvalidAndTheConnectionCloses(String head) throws Exception {
    assertRefusedAndClosed(head + KEY + "Content-Length: 2\r\n\r\n{}", "host-invalid");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/a/../charges",
        "/%2e%2e/charges",
        "/a/.%2E/charges",
        "/charges%2f",
        "/x%5c..%5ccharges",
        "/charges%",
        "*",
        "charges"
      })
  void treacherousTarget_isMalformed(String target) throws Exception {
    assertRefusedAndClosed(
        "POST " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + KEY + "Content-Length: 2\r\n\r\n{}",
        "request-malformed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        "Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked, identity\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        "Content-Length: -2\r\n\r\n{}",
        "Content-Length: 2x\r\n\r\n{}",
        "Content-Length : 2\r\n\r\n{}",
        "X-Bad\u0000: 1\r\nContent-Length: 2\r\n\r\n{}",
        "X-Bad: a\u0001b\r\nContent-Length: 2\r\n\r\n{}",
        "X-Bad: a\rb\r\nContent-Length: 2\r\n\r\n{}"
      })
  void smuggledFraming_isMalformed(String rest) throws Exception {
    assertRefusedAndClosed(
        "POST /charges HTTP/1.1\r\nHost: 127.0.0.1\r\n" + KEY + rest, "request-malformed");
  }

  @Test
  void transferEncodingInHttp10_isMalformed() throws Exception {
    assertRefusedAndClosed(
        "POST /charges HTTP/1.0\r\nHost: 127.0.0.1\r\n"
            + KEY
            + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        "request-malformed");
  }

  @Test
  void brokenChunk_executesNothing() throws Exception {
    try (RawClient client = new RawClient(gateway.port())) {
      client.send(
          "POST /charges HTTP/1.1\r\nHost: 127.0.0.1\r\n"
              + KEY
              + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n");
      assertThat(client.isClosedByPeer()).isTrue();
    }
    assertThat(upstream.ledger()).isEmpty();
    assertThat(gateway.records.size()).isZero();
  }

  @Test
  void absoluteTargetThatAgrees_isForwardedByItsPathAlone() throws Exception {
    RawClient.Reply reply =
        RawClient.once(
            gateway.port(),
            "POST http://127.0.0.1/charges?a=%2f HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                + KEY
                + "Content-Length: 2\r\n\r\n{}");
    assertThat(reply.status()).isEqualTo(201);
    assertThat(upstream.ledger().get(0).uri()).isEqualTo("/charges?a=%2f");
    assertThat(upstream.ledger().get(0).header("Host"))
        .containsExactly("127.0.0.1:" + upstream.port());
  }

  @Test
  void http10Client_getsAWholeAnswer() throws Exception {
    RawClient.Reply reply =
        RawClient.once(
            gateway.port(),
            "POST /charges HTTP/1.0\r\nHost: 127.0.0.1\r\n" + KEY + "Content-Length: 2\r\n\r\n{}");
    assertThat(reply.status()).isEqualTo(201);
    assertThat(reply.body()).isEqualTo("ok");
  }

  @Test
  void headersNamedByConnection_doNotReachTheUpstream() throws Exception {
    RawClient.once(
        gateway.port(),
        post(
            KEY
                + "Connection: X-Hop\r\nX-Hop: 1\r\nProxy-Authorization: x\r\nTE: trailers\r\n"
                + "Upgrade: websocket\r\nX-End: 1\r\n",
            "{}"));
    ScriptedUpstream.Received received = upstream.ledger().get(0);
    for (String hop : new String[] {"X-Hop", "Proxy-Authorization", "TE", "Upgrade"}) {
      assertThat(received.header(hop)).as(hop).isEmpty();
    }
    assertThat(received.header("X-End")).containsExactly("1");
  }

  private void assertRefusedAndClosed(String request, String slug) throws Exception {
    try (RawClient client = new RawClient(gateway.port())) {
      RawClient.Reply reply = client.send(request).reply();
      assertProblem(reply, 400, slug, "refused");
      assertThat(client.isClosedByPeer()).isTrue();
    }
    assertThat(upstream.ledger()).isEmpty();
    assertThat(gateway.answered).containsExactly("none/none/refused");
  }
}
