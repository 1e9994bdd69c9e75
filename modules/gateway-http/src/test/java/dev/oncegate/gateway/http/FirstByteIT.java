package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.core.TenantPolicy;
import dev.oncegate.testkit.ScriptedUpstream;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How long an upstream may be silent before its client is told so. */
class FirstByteIT extends GatewayTestBase {
  private final BlockingQueue<HttpServerRequest> held = new LinkedBlockingQueue<>();
  private ScriptedUpstream upstream;
  private Gateway gateway;

  @BeforeEach
  void start() throws Exception {
    upstream = open(ScriptedUpstream.start(vertx));
    upstream.script((request, received) -> held.add(request));
    TenantPolicy.Timeouts timeouts =
        new TenantPolicy.Timeouts(
            Duration.ofMillis(500),
            Duration.ofMillis(300),
            Duration.ofMillis(200),
            Duration.ofSeconds(30),
            Duration.ofSeconds(60));
    gateway =
        open(
            Gateway.start(
                vertx,
                Policies.tenant(
                    "t1",
                    Policies.upstream(upstream.port(), timeouts),
                    Policies.keyed("create-charge", "/charges"),
                    Policies.passthrough("files", "/files/**"))));
  }

  @Test
  void silentUpstream_endsTheClientsWaitAndNotTheExchange() throws Exception {
    assertProblem(gateway.charge("K", "{}"), 504, "upstream-timeout", "in-flight");
    assertProblem(gateway.charge("K", "{}"), 409, "in-flight", "in-flight");
    held.poll(10, TimeUnit.SECONDS).response().setStatusCode(201).end("late");
    await().untilAsserted(() -> assertReplayed(gateway.charge("K", "{}"), 201));
    assertThat(upstream.ledger()).hasSize(1);
    assertThat(upstream.cut()).isZero();
  }

  @Test
  void headInTime_leavesTheBodyTimeUntilTotal() throws Exception {
    upstream.script(
        (request, received) -> {
          request.response().setStatusCode(201).setChunked(true).write("slow");
          vertx.setTimer(600, later -> request.response().end(" body"));
        });
    assertExecuted(gateway.charge("K", "{}"), 201);
    assertReplayed(gateway.charge("K", "{}"), 201);
  }

  @Test
  void silentUpstreamOfAPassthroughRoute_isCancelled() throws Exception {
    assertProblem(
        gateway.send(gateway.request("/files/1").build()), 504, "upstream-timeout", "bypassed");
    await().until(() -> upstream.cut() > 0);
  }
}
