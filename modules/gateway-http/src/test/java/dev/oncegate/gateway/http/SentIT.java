package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.UpstreamRequest;
import dev.oncegate.engine.UpstreamResult;
import dev.oncegate.engine.port.Upstream;
import dev.oncegate.testkit.ScriptedUpstream;
import io.vertx.core.http.HttpServerRequest;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The moment at which a request's last byte has left is told once. */
class SentIT extends GatewayTestBase {
  private final AtomicInteger sent = new AtomicInteger();
  private final CountDownLatch told = new CountDownLatch(1);
  private UpstreamClients clients;
  private HttpUpstream sender;
  private ScriptedUpstream upstream;

  @BeforeEach
  void start() throws Exception {
    clients = new UpstreamClients(vertx);
    open((AutoCloseable) () -> Gateway.await(clients.close()));
    sender = new HttpUpstream(clients, new VertxTime(vertx));
    upstream = open(ScriptedUpstream.start(vertx));
  }

  private CompletableFuture<UpstreamResult> send(int port, int bytes, Duration abandon) {
    TenantPolicy.Timeouts timeouts =
        new TenantPolicy.Timeouts(Duration.ofSeconds(5), Duration.ofSeconds(5), abandon, abandon);
    TenantPolicy tenant =
        Policies.tenant(
            "t1", Policies.upstream(port, timeouts), Policies.keyed("create-charge", "/charges"));
    Upstream.Progress progress =
        new Upstream.Progress() {
          @Override
          public void sent() {
            sent.incrementAndGet();
            told.countDown();
          }
        };
    CompletableFuture<UpstreamResult> result = new CompletableFuture<>();
    vertx.runOnContext(
        go ->
            sender
                .send(
                    tenant,
                    new UpstreamRequest("POST", "/charges", List.of(), Bytes.wrap(new byte[bytes])),
                    RoutePolicy.Capture.BUILT_IN,
                    progress)
                .onSuccess(result::complete)
                .onFailure(result::completeExceptionally));
    return result;
  }

  @Test
  void lastByte_isToldOnce_andBeforeAnyAnswer() throws Exception {
    BlockingQueue<HttpServerRequest> held = new LinkedBlockingQueue<>();
    upstream.script((request, received) -> held.add(request));
    CompletableFuture<UpstreamResult> result =
        send(upstream.port(), 100_000, Duration.ofSeconds(20));

    HttpServerRequest whole = held.poll(60, TimeUnit.SECONDS);
    assertThat(told.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(result).isNotDone();
    whole.response().setStatusCode(201).end();

    assertThat(result.get(60, TimeUnit.SECONDS)).isInstanceOf(UpstreamResult.Answered.class);
    assertThat(sent).hasValue(1);
  }

  @Test
  void bodyThatIsNotRead_hasNotLeft() throws Exception {
    BlockingQueue<HttpServerRequest> held = new LinkedBlockingQueue<>();
    upstream.early(held::add);
    CompletableFuture<UpstreamResult> result =
        send(upstream.port(), 64 << 20, Duration.ofSeconds(2));

    assertThat(held.poll(60, TimeUnit.SECONDS)).isNotNull();

    assertThat(result.get(60, TimeUnit.SECONDS)).isInstanceOf(UpstreamResult.Broken.class);
    assertThat(sent).hasValue(0);
  }

  @Test
  void requestThatNeverLeft_isNotTold() throws Exception {
    int closed;
    try (ServerSocket socket = new ServerSocket(0)) {
      closed = socket.getLocalPort();
    }

    assertThat(send(closed, 2, Duration.ofSeconds(5)).get(60, TimeUnit.SECONDS))
        .isInstanceOf(UpstreamResult.NotSent.class);
    assertThat(sent).hasValue(0);
  }
}
