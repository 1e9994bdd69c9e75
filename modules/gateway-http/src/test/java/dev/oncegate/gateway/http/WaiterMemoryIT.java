package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.core.RoutePolicy;
import dev.oncegate.engine.UpstreamRequest;
import dev.oncegate.testkit.RawClient;
import dev.oncegate.testkit.ScriptedUpstream;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a parked request keeps alive: not its body. */
class WaiterMemoryIT extends GatewayTestBase {
  private static final int WAITERS = 40;
  private static final String BODY = "{\"note\":\"" + "x".repeat(200_000) + "\"}";

  private final BlockingQueue<HttpServerRequest> held = new LinkedBlockingQueue<>();

  @Test
  void bodiesOfParkedRequests_areNotKept() throws Exception {
    ScriptedUpstream upstream = open(ScriptedUpstream.start(vertx));
    upstream.script((request, received) -> held.add(request));
    RoutePolicy route = Policies.keyed("create-charge", "/charges");
    Gateway gateway =
        open(
            Gateway.before(
                vertx,
                upstream.port(),
                new RoutePolicy(
                    route.id(),
                    route.mode(),
                    route.methods(),
                    route.path(),
                    route.protocol(),
                    new RoutePolicy.Park(Duration.ofMinutes(5), WAITERS, WAITERS))));
    open(new RawClient(gateway.port())).send(post("Idempotency-Key: K\r\n", BODY));
    HttpServerRequest running = held.poll(60, TimeUnit.SECONDS);
    LiveObjects before = LiveObjects.now();
    for (int i = 0; i < WAITERS; i++) {
      open(new RawClient(gateway.port())).send(post("Idempotency-Key: K\r\n", BODY));
    }
    await().until(() -> gateway.parked.get() == WAITERS);

    LiveObjects parked = LiveObjects.now();
    assertThat(parked.count(UpstreamRequest.class) - before.count(UpstreamRequest.class))
        .as("requests to the upstream")
        .isZero();
    assertThat(parked.arrayBytes() - before.arrayBytes())
        .as("bytes, of which the bodies would be %d", (long) WAITERS * BODY.length())
        .isLessThan((long) WAITERS * BODY.length() / 4);
    running.response().end();
  }
}
