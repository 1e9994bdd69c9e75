package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.testkit.RawClient;
import dev.oncegate.testkit.ScriptedUpstream;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many get one large answer at a time and read as they like: it is there once. */
class SlowReadersIT extends GatewayTestBase {
  private static final int WAITERS = 20;

  /** Sockets with all their buffers hold less than half of it. */
  private static final int SIZE = 24_000_000;

  private final BlockingQueue<HttpServerRequest> held = new LinkedBlockingQueue<>();
  private final byte[] body = random();
  private Gateway gateway;
  private CompletableFuture<HttpResponse<byte[]>> winner;
  private HttpServerRequest running;

  @BeforeEach
  void start() throws Exception {
    ScriptedUpstream upstream = open(ScriptedUpstream.start(vertx));
    upstream.script((request, received) -> held.add(request));
    gateway =
        open(
            Gateway.start(
                vertx,
                new Gateway.Options()
                    .listener(new Listener("127.0.0.1", 0, Optional.empty(), true)),
                Policies.tenant(
                    "t1",
                    Policies.upstream(upstream.port(), Policies.TIMEOUTS),
                    Policies.keyed("create-charge", "/charges", Policies.capture(SIZE)))));
    winner =
        Gateway.CLIENT.sendAsync(
            gateway.post("/charges", "K", "{}"), HttpResponse.BodyHandlers.ofByteArray());
    running = held.poll(60, TimeUnit.SECONDS);
  }

  private void answer() throws Exception {
    running.response().setStatusCode(201).end(Buffer.buffer(body.clone()));
    assertThat(winner.get(60, TimeUnit.SECONDS).body()).isEqualTo(body);
  }

  @Test
  void waitersThatReadSlowly_takeNoMemoryOfTheirOwn_andGetAllOfIt() throws Exception {
    List<RawClient> waiters = new ArrayList<>();
    for (int i = 0; i < WAITERS; i++) {
      waiters.add(open(new RawClient(gateway.port())).send(post("Idempotency-Key: K\r\n", "{}")));
    }
    await().until(() -> gateway.parked.get() == WAITERS);
    LiveObjects before = LiveObjects.now();
    answer();
    for (RawClient waiter : waiters) {
      assertThat(waiter.bytes(12)).isEqualTo("HTTP/1.1 201");
    }
    assertOneForAll(before);

    for (RawClient waiter : waiters.subList(0, WAITERS / 2)) {
      waiter.reset();
    }
    for (RawClient waiter : waiters.subList(WAITERS / 2, WAITERS)) {
      String rest = "HTTP/1.1 201" + waiter.bytes(" Created\r\n".length());
      assertThat(rest).isEqualTo("HTTP/1.1 201 Created\r\n");
      assertThat(whole(waiter)).isTrue();
    }
    assertThat(gateway.broken).isEmpty();
    assertReplayed(gateway.charge("K", "{}"), 201);
  }

  /** Up to the end of the head, and then the body. */
  private boolean whole(RawClient client) throws Exception {
    StringBuilder head = new StringBuilder("\r\n");
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append(client.bytes(1));
    }
    assertThat(head).containsIgnoringCase("\r\nContent-Length: " + SIZE + "\r\n");
    return Arrays.equals(client.bytes(SIZE).getBytes(StandardCharsets.ISO_8859_1), body);
  }

  @Test
  void streamsOfHttp2_areWrittenAsTheyAreRead() throws Exception {
    HttpClientAgent client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false)
                .setHttp2MultiplexingLimit(WAITERS)
                // Else one that is not read keeps the others from being.
                .setHttp2ConnectionWindowSize(16 * 1024 * 1024));
    open(() -> Gateway.await(client.close()));
    List<Future<HttpClientResponse>> heads = new ArrayList<>();
    for (int i = 0; i < WAITERS; i++) {
      heads.add(head(client));
    }
    await().until(() -> gateway.parked.get() == WAITERS);
    LiveObjects before = LiveObjects.now();
    answer();
    List<HttpClientResponse> paused = new ArrayList<>();
    for (Future<HttpClientResponse> head : heads) {
      paused.add(Gateway.await(head));
    }
    assertOneForAll(before);

    for (HttpClientResponse left : paused.subList(0, WAITERS / 2)) {
      left.request().reset();
    }
    for (HttpClientResponse read : paused.subList(WAITERS / 2, WAITERS)) {
      Promise<Buffer> all = Promise.promise();
      read.body().onComplete(all);
      read.resume();
      assertThat(Arrays.equals(Gateway.await(all.future()).getBytes(), body)).isTrue();
    }
    assertThat(gateway.broken).isEmpty();
  }

  private Future<HttpClientResponse> head(HttpClientAgent client) {
    return client
        .request(HttpMethod.POST, gateway.port(), "127.0.0.1", "/charges")
        .compose(
            request ->
                request
                    .putHeader("Idempotency-Key", "K")
                    .putHeader("Content-Type", "application/json")
                    .send("{}"))
        .map(
            response -> {
              response.exceptionHandler(reset -> {});
              response.pause();
              return response;
            });
  }

  /** Some copies are there, but not one for each. */
  private static void assertOneForAll(LiveObjects before) throws Exception {
    LiveObjects after = LiveObjects.now();
    long grown =
        after.arrayBytes() - before.arrayBytes() + after.directBytes() - before.directBytes();
    assertThat(grown).isLessThan((long) WAITERS * SIZE / 2);
  }

  private static byte[] random() {
    byte[] bytes = new byte[SIZE];
    new Random(83).nextBytes(bytes);
    return bytes;
  }
}
