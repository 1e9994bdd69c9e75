package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oncegate.testkit.RawClient;
import dev.oncegate.testkit.RawUpstream;
import dev.oncegate.testkit.ScriptedUpstream;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Over the cap the body is lost, never the fact. */
class UnkeptBodyIT extends GatewayTestBase {
  private static final int CAP = 1024 * 1024;

  private ScriptedUpstream upstream;
  private Gateway gateway;

  @BeforeEach
  void start() throws Exception {
    upstream = open(ScriptedUpstream.start(vertx));
    gateway = open(Gateway.before(vertx, upstream.port()));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8192, 8193, CAP})
  void c62_bodyUpToTheCap_isReplayedWhole(int size) throws Exception {
    byte[] body = random(size);
    upstream.script(
        (request, received) ->
            request.response().setStatusCode(201).end(Buffer.buffer(body.clone())));
    HttpResponse<byte[]> first = bytes();
    HttpResponse<byte[]> again = bytes();
    assertExecuted(first, 201);
    assertThat(Arrays.equals(first.body(), body)).isTrue();
    assertReplayed(again, 201);
    assertThat(Arrays.equals(again.body(), body)).isTrue();
    assertThat(upstream.ledger()).hasSize(1);
  }

  @Test
  void c62_bodyOverTheCap_isStreamedAndTheFactIsKept() throws Exception {
    byte[] body = random(CAP + 1);
    upstream.script(
        (request, received) ->
            request
                .response()
                .setStatusCode(201)
                .putHeader("Location", "/c/1")
                .end(Buffer.buffer(body.clone())));
    HttpResponse<byte[]> first = bytes();
    assertExecuted(first, 201);
    assertThat(Arrays.equals(first.body(), body)).isTrue();
    assertNotKept();
  }

  @Test
  void c62_30MegabytesInChunks_areStreamedWhole() throws Exception {
    byte[] part = random(60_000);
    int parts = 30_000_000 / part.length;
    BlockingQueue<HttpServerRequest> held = new LinkedBlockingQueue<>();
    upstream.script((request, received) -> held.add(request));
    CompletableFuture<HttpResponse<byte[]>> winner =
        Gateway.CLIENT.sendAsync(
            gateway.post("/charges", "K", "{}"), HttpResponse.BodyHandlers.ofByteArray());
    HttpServerResponse response = held.poll(60, TimeUnit.SECONDS).response();
    CompletableFuture<HttpResponse<String>> waiter =
        gateway.sendAsync(gateway.post("/charges", "K", "{}"));
    await().until(() -> gateway.parked.get() == 1);
    response.setStatusCode(201).setChunked(true).putHeader("Location", "/c/1");
    pump(response, part, parts);
    HttpResponse<byte[]> first = winner.get(60, TimeUnit.SECONDS);
    assertExecuted(first, 201);
    assertThat(first.body()).hasSize(part.length * parts);
    for (int i = 0; i < parts; i++) {
      assertThat(
              Arrays.equals(
                  first.body(), i * part.length, (i + 1) * part.length, part, 0, part.length))
          .isTrue();
    }
    assertProblem(waiter.get(60, TimeUnit.SECONDS), 409, "response-not-kept", "replayed");
    assertNotKept();
  }

  @Test
  void http10ClientThatKeepsItsConnection_isToldTheEndOfAStreamByTheClose() throws Exception {
    upstream.script(
        (request, received) ->
            request.response().setStatusCode(201).end(Buffer.buffer(random(CAP + 1))));
    RawClient.Reply reply =
        RawClient.once(
            gateway.port(),
            "POST /charges HTTP/1.0\r\nHost: 127.0.0.1\r\nConnection: keep-alive\r\n"
                + "Idempotency-Key: K\r\nContent-Length: 2\r\n\r\n{}");
    assertThat(reply.header("Idempotency-Status")).containsExactly("executed");
    assertThat(reply.body()).hasSize(CAP + 1);
  }

  @Test
  void c67_eventStream_isCommittedWhenItsHeadArrives() throws Exception {
    BlockingQueue<HttpServerRequest> held = new LinkedBlockingQueue<>();
    upstream.script(
        (request, received) -> {
          HttpServerResponse response = request.response().setChunked(true);
          response.putHeader("Content-Type", "text/event-stream; charset=utf-8");
          response.write("data: 1\n\n");
          held.add(request);
        });
    try (RawClient client = new RawClient(gateway.port())) {
      client.send(post("Idempotency-Key: K\r\n", "{}"));
      HttpServerRequest running = held.poll(60, TimeUnit.SECONDS);
      await()
          .untilAsserted(
              () -> assertProblem(gateway.charge("K", "{}"), 409, "response-not-kept", "replayed"));
      running.response().end("data: 2\n\n");
      RawClient.Reply reply = client.reply();
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.header("Idempotency-Status")).containsExactly("executed");
      assertThat(reply.body()).isEqualTo("data: 1\n\ndata: 2\n\n");
    }
    assertThat(gateway.charge("K", "{}").body()).contains("\"original_status\":200");
    assertThat(upstream.ledger()).hasSize(1);
  }

  @Test
  void upstreamBreakingOffMidStream_abortsTheClientAndNeverLooksWhole() throws Exception {
    RawUpstream cut =
        open(
            RawUpstream.start(
                vertx,
                socket -> {
                  RawUpstream.write(
                      socket,
                      "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n200000\r\n"
                          + "x".repeat(CAP + 1000));
                  socket.close();
                }));
    Gateway other = open(Gateway.before(vertx, cut.port()));
    try (RawClient client = new RawClient(other.port())) {
      client.send(post("Idempotency-Key: K\r\n", "{}"));
      assertThatThrownBy(client::reply).isInstanceOf(IOException.class);
    }
    assertProblem(other.charge("K", "{}"), 409, "response-not-kept", "replayed");
    assertThat(cut.requests()).hasSize(1);
  }

  @Test
  void clientLeavingAStream_freesTheUpstreamAndChangesNothing() throws Exception {
    upstream.script(
        (request, received) -> {
          HttpServerResponse response = request.response().setChunked(true);
          response.putHeader("Content-Type", "text/event-stream");
          response.write("data: 1\n\n");
        });
    RawClient client = open(new RawClient(gateway.port()));
    client.send(post("Idempotency-Key: K\r\n", "{}"));
    await().until(() -> gateway.answered.contains("t1/create-charge/executed"));
    client.reset();
    await().until(() -> upstream.cut() > 0);
    assertProblem(gateway.charge("K", "{}"), 409, "response-not-kept", "replayed");
    assertThat(upstream.ledger()).hasSize(1);
  }

  private void assertNotKept() throws Exception {
    HttpResponse<String> again = gateway.charge("K", "{}");
    assertProblem(again, 409, "response-not-kept", "replayed");
    assertThat(again.body()).contains("\"original_status\":201").contains("\"location\":\"/c/1\"");
    assertThat(again.headers().allValues("Link"))
        .contains("</.well-known/idempotency/operations?route=create-charge>; rel=\"related\"");
    assertThat(upstream.ledger()).hasSize(1);
  }

  private static void pump(HttpServerResponse response, byte[] part, int parts) {
    int left = parts;
    while (left > 0 && !response.writeQueueFull()) {
      response.write(Buffer.buffer(part.clone()));
      left--;
    }
    if (left == 0) {
      response.end();
      return;
    }
    int rest = left;
    response.drainHandler(drained -> pump(response, part, rest));
  }

  private HttpResponse<byte[]> bytes() throws Exception {
    return Gateway.CLIENT.send(
        gateway.post("/charges", "K", "{}"), HttpResponse.BodyHandlers.ofByteArray());
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }
}
