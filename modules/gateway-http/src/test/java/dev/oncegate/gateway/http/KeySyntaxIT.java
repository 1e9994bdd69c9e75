package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.RoutePolicy.KeyPolicy.Syntax;
import dev.oncegate.testkit.RawClient;
import dev.oncegate.testkit.ScriptedUpstream;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The key header on the wire: what the HTTP parser does to it before the grammar sees it. */
class KeySyntaxIT extends GatewayTestBase {
  private ScriptedUpstream upstream;
  private Gateway gateway;

  @BeforeEach
  void start() throws Exception {
    upstream = open(ScriptedUpstream.start(vertx)).answer(201, "{\"id\":\"c1\"}");
    gateway = open(Gateway.before(vertx, upstream.port()));
  }

  @Test
  void c47_quotedAndBareKey_areOneKey() throws Exception {
    assertExecutedRaw("Idempotency-Key: \"abc-1\"\r\n");
    assertReplayedRaw("Idempotency-Key: abc-1\r\n");
    assertExecutedRaw("Idempotency-Key: \"a\\\"b\"\r\n");
    assertMalformed("Idempotency-Key: \"abc-1\";v=2\r\n");
    assertMalformed("Idempotency-Key: \"abc\r\n");
    assertThat(upstream.ledger()).hasSize(2);
  }

  @Test
  void c47_bareKeyOnStrictRoute_isMalformed() throws Exception {
    RoutePolicy.KeyPolicy strict =
        new RoutePolicy.KeyPolicy("Idempotency-Key", true, Syntax.STRICT, 255);
    Gateway other =
        open(
            Gateway.before(
                vertx,
                upstream.port(),
                Policies.keyed("create-charge", "/charges", Policies.key(strict))));
    assertProblem(other.charge("abc-1", "{}"), 400, "key-malformed", "refused");
    assertExecuted(other.charge("\"abc-1\"", "{}"), 201);
    assertThat(upstream.ledger()).hasSize(1);
  }

  @Test
  void c49_caseCountsAndFieldWhitespaceDoesNot() throws Exception {
    assertExecutedRaw("Idempotency-Key: Ab1\r\n");
    assertExecutedRaw("Idempotency-Key: ab1\r\n");
    assertReplayedRaw("Idempotency-Key:   Ab1  \r\n");
    assertReplayedRaw("Idempotency-Key:\tAb1\t\r\n");
    assertMalformed("Idempotency-Key: \"Ab1 \"\r\n");
    assertReplayedRaw("idempotency-KEY: Ab1\r\n");
    assertThat(upstream.ledger()).hasSize(2);
  }

  @Test
  void foldedDoubledEmptyAndForeignKeys_areMalformed() throws Exception {
    assertMalformed("Idempotency-Key: abc\r\n def\r\n");
    assertMalformed("Idempotency-Key: abc\r\n \r\n");
    assertMalformed("Idempotency-Key: \"abc\"\r\n\t\r\n");
    assertMalformed("Idempotency-Key: abc\r\nIdempotency-Key: abc\r\n");
    assertMalformed("Idempotency-Key: abc\r\nX: 1\r\nidempotency-key: def\r\n");
    assertMalformed("Idempotency-Key: a, b\r\n");
    assertMalformed("Idempotency-Key:\r\n");
    assertMalformed("Idempotency-Key: \"\"\r\n");
    assertMalformed("Idempotency-Key: caf\u00e9\r\n");
    assertThat(upstream.ledger()).isEmpty();
    assertThat(gateway.records.size()).isZero();
  }

  @Test
  void c51_lengthsUpToTheLimit_areTakenAndLongerOnesRefused() throws Exception {
    for (int length : List.of(1, 254, 255)) {
      String key = "k".repeat(length);
      assertExecutedRaw("Idempotency-Key: " + key + "\r\n");
      assertReplayedRaw("Idempotency-Key: " + key + "\r\n");
    }
    String escaped = "\"" + "\\\"".repeat(255) + "\"";
    assertExecutedRaw("Idempotency-Key: " + escaped + "\r\n");
    assertReplayedRaw("Idempotency-Key: " + escaped + "\r\n");
    for (int length : List.of(256, 4096, 9000)) {
      assertMalformed("Idempotency-Key: " + "k".repeat(length) + "\r\n");
    }
    assertThat(upstream.ledger()).hasSize(4);
  }

  @Test
  void headersOverTheServersLimit_are431AndTheConnectionCloses() throws Exception {
    try (RawClient client = new RawClient(gateway.port())) {
      RawClient.Reply reply =
          client.send(post("Idempotency-Key: " + "k".repeat(40_000) + "\r\n", "")).reply();
      assertProblem(reply, 431, "headers-too-large", "refused");
      assertThat(client.isClosedByPeer()).isTrue();
    }
    assertThat(upstream.ledger()).isEmpty();
  }

  @Test
  void keyGoesUpstreamAsItCame() throws Exception {
    assertExecutedRaw("IDEMPOTENCY-key: \"abc-1\"\r\n");
    assertThat(upstream.ledger().get(0).header("Idempotency-Key")).containsExactly("\"abc-1\"");
  }

  private void assertExecutedRaw(String lines) throws Exception {
    RawClient.Reply reply = RawClient.once(gateway.port(), post(lines, "{}"));
    assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    assertThat(reply.header("Idempotency-Status")).containsExactly("executed");
  }

  private void assertReplayedRaw(String lines) throws Exception {
    RawClient.Reply reply = RawClient.once(gateway.port(), post(lines, "{}"));
    assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    assertThat(reply.header("Idempotency-Status")).containsExactly("replayed");
    assertThat(reply.header("Idempotency-Replayed")).containsExactly("true");
  }

  private void assertMalformed(String lines) throws Exception {
    assertProblem(
        RawClient.once(gateway.port(), post(lines, "{}")), 400, "key-malformed", "refused");
  }
}
