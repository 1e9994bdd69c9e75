package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.TenantPolicy;
import dev.oncegate.testkit.ScriptedUpstream;
import io.vertx.core.http.HttpServerRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The pool of tenants.yaml is the node's, however many event loops send. */
class UpstreamPoolIT extends GatewayTestBase {
  private static final TenantPolicy.Pool ONE = new TenantPolicy.Pool(1, 0, Duration.ofSeconds(15));

  private final BlockingQueue<HttpServerRequest> held = new LinkedBlockingQueue<>();
  private ScriptedUpstream upstream;
  private Gateway loop1;
  private Gateway loop2;

  @BeforeEach
  void start() throws Exception {
    upstream = open(ScriptedUpstream.start(vertx));
    upstream.script((request, received) -> held.add(request));
    TenantPolicy tenant = tenant(ONE);
    loop1 = open(Gateway.start(vertx, tenant));
    loop2 = open(Gateway.start(vertx, new Gateway.Options().clientsOf(loop1), tenant));
  }

  @Test
  void oneConnectionForAllLoops_isOneConnection() throws Exception {
    CompletableFuture<HttpResponse<String>> running =
        loop1.sendAsync(loop1.post("/charges", "K1", "{}"));
    HttpServerRequest first = held.poll(60, TimeUnit.SECONDS);

    // maxWaitQueue 0: the only connection is taken, so nothing may wait for it.
    assertProblem(loop2.charge("K2", "{}"), 502, "upstream-unreachable", "released");
    assertThat(loop2.charge("K2", "{}").body()).contains("pool full");

    first.response().setStatusCode(201).end("one");
    assertExecuted(running.get(60, TimeUnit.SECONDS), 201);
    assertThat(upstream.ledger()).hasSize(1);
  }

  @Test
  void connectionMadeByOneLoop_servesTheOther() throws Exception {
    upstream.answer(201, "ok");
    // The connection may come back a moment after the answer that it brought.
    TenantPolicy tenant = tenant(new TenantPolicy.Pool(1, 8, Duration.ofSeconds(15)));
    loop1.tenants.set(List.of(tenant));
    loop2.tenants.set(List.of(tenant));
    for (int i = 0; i < 10; i++) {
      Gateway loop = i % 2 == 0 ? loop1 : loop2;
      assertExecuted(loop.charge("K" + i, "{}"), 201);
    }
    assertThat(upstream.connections()).isEqualTo(1);
    assertThat(loop1.broken).isEmpty();
    assertThat(loop2.broken).isEmpty();
  }

  @Test
  void changedUpstream_leavesRunningExchangesAlone() throws Exception {
    CompletableFuture<HttpResponse<String>> running =
        loop1.sendAsync(loop1.post("/charges", "K1", "{}"));
    HttpServerRequest first = held.poll(60, TimeUnit.SECONDS);
    TenantPolicy changed = tenant(new TenantPolicy.Pool(2, 0, Duration.ofSeconds(15)));
    loop1.tenants.set(List.of(changed));
    CompletableFuture<HttpResponse<String>> next =
        loop1.sendAsync(loop1.post("/charges", "K2", "{}"));
    HttpServerRequest second = held.poll(60, TimeUnit.SECONDS);
    second.response().setStatusCode(201).end("two");
    assertExecuted(next.get(60, TimeUnit.SECONDS), 201);
    first.response().setStatusCode(201).end("one");
    assertExecuted(running.get(60, TimeUnit.SECONDS), 201);
    assertThat(upstream.cut()).isZero();
  }

  private TenantPolicy tenant(TenantPolicy.Pool pool) {
    return Policies.tenant(
        "t1",
        Policies.upstream(upstream.port(), Policies.TIMEOUTS, pool),
        Policies.keyed("create-charge", "/charges"));
  }
}
