package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.testkit.RawClient;
import dev.oncegate.testkit.ScriptedUpstream;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** SIGTERM, seen from the clients. */
class DrainIT extends GatewayTestBase {
  @Test
  void draining_refusesNewKeyedRequestsAndLetsRunningOnesEnd() throws Exception {
    BlockingQueue<HttpServerRequest> held = new LinkedBlockingQueue<>();
    ScriptedUpstream upstream = open(ScriptedUpstream.start(vertx));
    upstream.script((request, received) -> held.add(request));
    Gateway gateway = open(Gateway.before(vertx, upstream.port()));
    RawClient running = open(new RawClient(gateway.port()));
    RawClient late = open(new RawClient(gateway.port()));
    running.send(post("Idempotency-Key: K\r\n", "{}"));
    HttpServerRequest exchange = held.poll(60, TimeUnit.SECONDS);

    gateway.draining = true;
    RawClient.Reply refused = late.send(post("Idempotency-Key: K2\r\n", "{}")).reply();
    assertProblem(refused, 503, "draining", "refused");
    assertThat(refused.header("Retry-After")).containsExactly("1");
    assertThat(refused.header("Connection")).containsExactly("close");
    assertThat(late.isClosedByPeer()).isTrue();

    Future<Void> drained = gateway.drain(Duration.ofSeconds(60));
    exchange.response().setStatusCode(201).end("ok");
    RawClient.Reply reply = running.reply();
    assertThat(reply.status()).isEqualTo(201);
    assertThat(reply.header("Connection")).containsExactly("close");
    assertThat(running.isClosedByPeer()).isTrue();
    Gateway.await(drained);
    // The client is answered a moment before its exchange is taken off the floor.
    org.awaitility.Awaitility.await().until(() -> gateway.engine.running() == 0);
    assertThat(upstream.ledger()).hasSize(1);
  }
}
