package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.core.TenantPolicy;
import dev.oncegate.testkit.ScriptedUpstream;
import io.vertx.core.http.HttpServerRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How long an upstream may be silent before its client is told so. */
class FirstByteIT extends GatewayTestBase {
  private static final Duration FIRST_BYTE = Duration.ofSeconds(7);

  private final BlockingQueue<HttpServerRequest> held = new LinkedBlockingQueue<>();
  private HeldTime time;
  private ScriptedUpstream upstream;
  private Gateway gateway;

  @BeforeEach
  void start() throws Exception {
    time = new HeldTime(vertx, FIRST_BYTE);
    upstream = open(ScriptedUpstream.start(vertx));
    upstream.script((request, received) -> held.add(request));
    TenantPolicy.Timeouts timeouts =
        new TenantPolicy.Timeouts(
            Policies.TIMEOUTS.connect(),
            Policies.TIMEOUTS.poolWait(),
            FIRST_BYTE,
            Policies.TIMEOUTS.total(),
            Policies.TIMEOUTS.abandon());
    gateway =
        open(
            Gateway.start(
                vertx,
                new Gateway.Options().time(time),
                Policies.tenant(
                    "t1",
                    Policies.upstream(upstream.port(), timeouts),
                    Policies.keyed("create-charge", "/charges"),
                    Policies.passthrough("files", "/files/**"))));
  }

  @Test
  void silentUpstream_endsTheClientsWaitAndNotTheExchange() throws Exception {
    CompletableFuture<HttpResponse<String>> waiting =
        gateway.sendAsync(gateway.post("/charges", "K", "{}"));
    HttpServerRequest silent = untilTheUpstreamIsAwaited();
    time.pass(FIRST_BYTE);
    assertProblem(waiting.get(60, TimeUnit.SECONDS), 504, "upstream-timeout", "in-flight");
    assertProblem(gateway.impatient("K", "{}"), 409, "in-flight", "in-flight");
    silent.response().setStatusCode(201).end("late");
    await().untilAsserted(() -> assertReplayed(gateway.charge("K", "{}"), 201));
    assertThat(upstream.ledger()).hasSize(1);
    assertThat(upstream.cut()).isZero();
  }

  @Test
  void headInTime_leavesTheBodyTimeUntilTotal() throws Exception {
    CompletableFuture<HttpResponse<String>> waiting =
        gateway.sendAsync(gateway.post("/charges", "K", "{}"));
    HttpServerRequest slow = untilTheUpstreamIsAwaited();
    slow.response().setStatusCode(201).setChunked(true).write("slow");
    await().until(() -> time.set(FIRST_BYTE) == 0);
    time.pass(FIRST_BYTE);
    assertThat(waiting).isNotDone();
    slow.response().end(" body");
    assertExecuted(waiting.get(60, TimeUnit.SECONDS), 201);
    assertReplayed(gateway.charge("K", "{}"), 201);
  }

  @Test
  void silentUpstreamOfAPassthroughRoute_isCancelled() throws Exception {
    CompletableFuture<HttpResponse<String>> waiting =
        gateway.sendAsync(gateway.request("/files/1").build());
    untilTheUpstreamIsAwaited();
    time.pass(FIRST_BYTE);
    assertProblem(waiting.get(60, TimeUnit.SECONDS), 504, "upstream-timeout", "bypassed");
    await().until(() -> upstream.cut() > 0);
  }

  private HttpServerRequest untilTheUpstreamIsAwaited() throws Exception {
    HttpServerRequest request = held.poll(60, TimeUnit.SECONDS);
    await().until(() -> time.set(FIRST_BYTE) == 1);
    return request;
  }
}
