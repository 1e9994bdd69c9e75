package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.port.Time;
import dev.oncegate.testkit.RawClient;
import dev.oncegate.testkit.ScriptedUpstream;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that leave, drip, wait for 100 or send too much. */
class ClientBehaviourIT extends GatewayTestBase {
  private static final Duration UPLOAD = Duration.ofSeconds(41);

  private ScriptedUpstream upstream;
  private Gateway gateway;

  @BeforeEach
  void start() throws Exception {
    upstream = open(ScriptedUpstream.start(vertx)).answer(201, "ok");
    gateway = open(Gateway.before(vertx, upstream.port()));
  }

  @Test
  void c20_clientThatLeaves_changesNothingOnceTheClaimIsMade() throws Exception {
    BlockingQueue<HttpServerRequest> held = new LinkedBlockingQueue<>();
    upstream.script((request, received) -> held.add(request));
    RawClient client = open(new RawClient(gateway.port()));
    client.send(post("Idempotency-Key: K\r\n", "{}"));
    HttpServerRequest running = held.poll(60, TimeUnit.SECONDS);
    client.reset();
    CompletableFuture<HttpResponse<String>> waiter =
        gateway.sendAsync(gateway.post("/charges", "K", "{}"));
    await().until(() -> gateway.parked.get() == 1);
    running.response().setStatusCode(201).end("ok");
    assertReplayed(waiter.get(60, TimeUnit.SECONDS), 201);
    assertThat(upstream.cut()).isZero();
    assertThat(upstream.ledger()).hasSize(1);
    assertThat(gateway.broken).isEmpty();
  }

  @Test
  void clientThatLeavesBeforeItsBodyIsWhole_claimsNothing() throws Exception {
    RawClient client = open(new RawClient(gateway.port()));
    client.send(
        "POST /charges HTTP/1.1\r\nHost: 127.0.0.1\r\nIdempotency-Key: K\r\n"
            + "Content-Length: 1000\r\n\r\nhalf");
    client.reset();
    await().until(() -> gateway.answered.contains("t1/create-charge/refused"));
    assertThat(gateway.records.size()).isZero();
    assertThat(upstream.ledger()).isEmpty();
    assertThat(gateway.broken).isEmpty();
  }

  @Test
  void c73_bodyThatComesWhileTheStoreIsSlow_arrivesWholeAndOnce() throws Exception {
    Gateway slow =
        open(
            Gateway.start(
                vertx,
                new Gateway.Options().store(store -> SlowStore.around(vertx, store, 300)),
                Policies.tenant(
                    "t1",
                    Policies.upstream(upstream.port(), Policies.TIMEOUTS),
                    Policies.keyed("create-charge", "/charges"))));
    assertThat(RawClient.once(slow.port(), post("Idempotency-Key: k0\r\n", "")).status())
        .isEqualTo(201);
    assertThat(RawClient.once(slow.port(), post("Idempotency-Key: k1\r\n", "0123456789")).status())
        .isEqualTo(201);
    String large = "abcdefghij".repeat(20_000);
    try (RawClient client = new RawClient(slow.port())) {
      client.send(
          "POST /charges HTTP/1.1\r\nHost: 127.0.0.1\r\nIdempotency-Key: k2\r\n"
              + "Transfer-Encoding: chunked\r\n\r\n");
      for (int at = 0; at < large.length(); at += 25_000) {
        client.send("61a8\r\n" + large.substring(at, at + 25_000) + "\r\n");
      }
      assertThat(client.send("0\r\n\r\n").reply().status()).isEqualTo(201);
    }
    assertThat(upstream.ledger().stream().map(r -> r.body().toString()))
        .containsExactly("", "0123456789", large);
    assertThat(upstream.ledger().get(0).header("Content-Length")).containsExactly("0");
    assertThat(upstream.ledger().get(2).header("Transfer-Encoding")).isEmpty();
  }

  @Test
  void c76_slowUpload_holdsNoKeyAndEndsAtItsDeadline() throws Exception {
    HeldTime time = new HeldTime(vertx, UPLOAD);
    Gateway strict = dripping(time, UPLOAD, Duration.ofMinutes(5));
    try (RawClient slow = new RawClient(strict.port())) {
      slow.send(
          "POST /charges HTTP/1.1\r\nHost: 127.0.0.1\r\nIdempotency-Key: K\r\n"
              + "Content-Length: 1000\r\n\r\n{");
      await().until(() -> time.set(UPLOAD) == 1);
      assertExecuted(strict.charge("K", "{}"), 201);
      time.pass(UPLOAD);
      RawClient.Reply ended = slow.reply();
      assertProblem(ended, 408, "request-timeout", "refused");
      assertThat(ended.header("Connection")).containsExactly("close");
      assertThat(slow.isClosedByPeer()).isTrue();
    }
    assertThat(upstream.ledger()).hasSize(1);
  }

  @Test
  void c76_slowUploadThatFinishesInTime_isReplayedOrMismatch() throws Exception {
    try (RawClient slow = new RawClient(gateway.port());
        RawClient other = new RawClient(gateway.port())) {
      String head =
          "POST /charges HTTP/1.1\r\nHost: 127.0.0.1\r\nIdempotency-Key: K\r\n"
              + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n";
      slow.send(head + "{");
      other.send(head + "[");
      assertExecuted(gateway.charge("K", "{}"), 201);
      assertThat(slow.send("}").reply().header("Idempotency-Status")).containsExactly("replayed");
      assertProblem(other.send("]").reply(), 422, "key-reused", "mismatch");
    }
    assertThat(upstream.ledger()).hasSize(1);
  }

  @Test
  void c76_uploadBelowTheLeastRate_ends() throws Exception {
    Gateway strict = dripping(new VertxTime(vertx), UPLOAD, Duration.ofMillis(300));
    try (RawClient slow = new RawClient(strict.port())) {
      slow.send(
          "POST /charges HTTP/1.1\r\nHost: 127.0.0.1\r\nIdempotency-Key: K\r\n"
              + "Content-Length: 1000\r\n\r\n{");
      assertProblem(slow.reply(), 408, "request-timeout", "refused");
    }
    assertThat(strict.records.size()).isZero();
  }

  @Test
  void c79_lateLeaverOfAnEarlierExchange_doesNotTouchTheNext() throws Exception {
    BlockingQueue<HttpServerRequest> held = new LinkedBlockingQueue<>();
    TenantPolicy.Pool one = new TenantPolicy.Pool(1, 8, Duration.ofSeconds(15));
    gateway.tenants.set(
        List.of(
            Policies.tenant(
                "t1",
                Policies.upstream(upstream.port(), Policies.TIMEOUTS, one),
                Policies.keyed("create-charge", "/charges"))));
    RawClient first = open(new RawClient(gateway.port()));
    assertThat(first.send(post("Idempotency-Key: K1\r\n", "{}")).reply().status()).isEqualTo(201);
    upstream.script((request, received) -> held.add(request));
    CompletableFuture<HttpResponse<String>> second =
        gateway.sendAsync(gateway.post("/charges", "K2", "{}"));
    HttpServerRequest running = held.poll(60, TimeUnit.SECONDS);
    first.reset();
    assertReplayed(gateway.charge("K1", "{}"), 201);
    running.response().setStatusCode(201).end("two");
    HttpResponse<String> answer = second.get(60, TimeUnit.SECONDS);
    assertExecuted(answer, 201);
    assertThat(answer.body()).isEqualTo("two");
    assertThat(upstream.ledger()).hasSize(2);
    assertThat(upstream.cut()).isZero();
  }

  @Test
  void bodyOverTheLimit_is413AtOnceFromItsDeclaredLength() throws Exception {
    try (RawClient client = new RawClient(gateway.port())) {
      client.send(
          "POST /charges HTTP/1.1\r\nHost: 127.0.0.1\r\nIdempotency-Key: K\r\n"
              + "Content-Length: 1048577\r\n\r\n");
      RawClient.Reply reply = client.reply();
      assertProblem(reply, 413, "body-too-large", "refused");
      assertThat(reply.header("Connection")).containsExactly("close");
      assertThat(client.isClosedByPeer()).isTrue();
    }
    assertThat(gateway.records.size()).isZero();
  }

  @Test
  void chunkedBodyOverTheLimit_is413WhileItComes() throws Exception {
    try (RawClient client = new RawClient(gateway.port())) {
      client.send(
          "POST /charges HTTP/1.1\r\nHost: 127.0.0.1\r\nIdempotency-Key: K\r\n"
              + "Transfer-Encoding: chunked\r\n\r\n100001\r\n"
              + "x".repeat(0x100001)
              + "\r\n");
      assertProblem(client.reply(), 413, "body-too-large", "refused");
      assertThat(client.isClosedByPeer()).isTrue();
    }
    assertThat(upstream.ledger()).isEmpty();
  }

  @Test
  void bodyAtTheLimit_isExecuted() throws Exception {
    assertExecuted(gateway.charge("K", "x".repeat(1024 * 1024)), 201);
    assertReplayed(gateway.charge("K", "x".repeat(1024 * 1024)), 201);
    assertThat(upstream.ledger().get(0).body().length()).isEqualTo(1024 * 1024);
  }

  @Test
  void expect100_isAnsweredOnceKeyAndLengthAreJudged() throws Exception {
    String head = "Idempotency-Key: K\r\nExpect: 100-continue\r\n";
    try (RawClient client = new RawClient(gateway.port())) {
      client.send(
          "POST /charges HTTP/1.1\r\nHost: 127.0.0.1\r\n" + head + "Content-Length: 2\r\n\r\n");
      assertThat(client.reply().status()).isEqualTo(100);
      RawClient.Reply reply = client.send("{}").reply();
      assertThat(reply.status()).isEqualTo(201);
      assertThat(upstream.ledger().get(0).header("Expect")).isEmpty();
    }
    for (String refused :
        List.of("Content-Length: 2000000\r\n", "Idempotency-Key: K2\r\nContent-Length: 2\r\n")) {
      try (RawClient client = new RawClient(gateway.port())) {
        client.send("POST /charges HTTP/1.1\r\nHost: 127.0.0.1\r\n" + head + refused + "\r\n");
        assertThat(client.reply().status()).isIn(400, 413);
        assertThat(client.isClosedByPeer()).isTrue();
      }
    }
    assertProblem(
        RawClient.once(gateway.port(), post("Idempotency-Key: K3\r\nExpect: tea\r\n", "{}")),
        417,
        "expectation-failed",
        "refused");
  }

  @Test
  void gzipBody_isFingerprintedDecodedAndForwardedAsItCame() throws Exception {
    byte[] zipped = gzip("{\"a\":1,\"b\":2}");
    assertExecuted(gateway.send(gzipped(zipped)), 201);
    assertReplayed(gateway.charge("K", "{ \"b\": 2.0, \"a\": 1 }"), 201);
    assertThat(upstream.ledger().get(0).body().getBytes()).isEqualTo(zipped);
    assertThat(upstream.ledger().get(0).header("Content-Encoding")).containsExactly("gzip");
    HttpResponse<String> bomb = gateway.send(gzipped(gzip("x".repeat(2_000_000))));
    assertProblem(bomb, 413, "body-too-large", "refused");
    assertThat(upstream.ledger()).hasSize(1);
  }

  @Test
  void refusedRequestWithAShortBody_keepsItsConnection() throws Exception {
    try (RawClient client = new RawClient(gateway.port())) {
      assertProblem(client.send(post("", "{}")).reply(), 400, "key-missing", "refused");
      assertThat(client.send(post("Idempotency-Key: K\r\n", "{}")).reply().status()).isEqualTo(201);
    }
  }

  @Test
  void pipelinedRequests_areAnsweredInOrder() throws Exception {
    try (RawClient client = new RawClient(gateway.port())) {
      client.send(
          post("Idempotency-Key: K\r\n", "{}")
              + post("Idempotency-Key: K\r\n", "{}")
              + post("Idempotency-Key: K\r\n", "[]"));
      assertThat(client.reply().header("Idempotency-Status")).containsExactly("executed");
      assertThat(client.reply().header("Idempotency-Status")).containsExactly("replayed");
      assertThat(client.reply().header("Idempotency-Status")).containsExactly("mismatch");
    }
  }

  private Gateway dripping(Time time, Duration total, Duration window) throws Exception {
    return open(
        Gateway.start(
            vertx,
            new Gateway.Options()
                .time(time)
                .limits(GatewayLimits.BUILT_IN.withUpload(total, window, 100)),
            Policies.tenant(
                "t1",
                Policies.upstream(upstream.port(), Policies.TIMEOUTS),
                Policies.keyed("create-charge", "/charges"))));
  }

  private HttpRequest gzipped(byte[] body) {
    return gateway
        .request("/charges")
        .header("Idempotency-Key", "K")
        .header("Content-Type", "application/json")
        .header("Content-Encoding", "gzip")
        .POST(HttpRequest.BodyPublishers.ofByteArray(body))
        .build();
  }

  private static byte[] gzip(String plain) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(plain.getBytes(StandardCharsets.UTF_8));
    }
    return out.toByteArray();
  }
}
