package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.core.TenantPolicy;
import dev.oncegate.testkit.RawUpstream;
import dev.oncegate.testkit.ScriptedUpstream;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Surely not sent releases, sent and no answer is unknown, and each exit does one of the two. */
class UpstreamFailureIT extends GatewayTestBase {
  private static final Duration TOTAL = Policies.TIMEOUTS.total();
  private static final Duration ABANDON = Policies.TIMEOUTS.abandon();

  private ScriptedUpstream healthy;
  private Gateway gateway;

  @BeforeEach
  void start() throws Exception {
    healthy = open(ScriptedUpstream.start(vertx)).answer(201, "ok");
    gateway = open(Gateway.start(vertx));
  }

  @Test
  void c17a_unknownHost_releases() throws Exception {
    use(upstream(false, "no-such-host.invalid", 80));
    assertUnreachableThenExecuted();
  }

  @Test
  void c17b_refusedPort_releases() throws Exception {
    // Bound, so that nobody else listens there meanwhile, but not listening.
    try (Socket bound = new Socket()) {
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      use(upstream(false, "127.0.0.1", bound.getLocalPort()));
      assertUnreachableThenExecuted();
    }
  }

  @Test
  void c17c_tlsFailure_releases() throws Exception {
    use(upstream(true, "127.0.0.1", healthy.port()));
    assertUnreachableThenExecuted();
  }

  @Test
  void c17d_connectTimeout_releases() throws Exception {
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      fillBacklog(full);
      use(upstream(false, "127.0.0.1", full.getLocalPort()));
      assertUnreachableThenExecuted();
    }
  }

  @Test
  void c17e_poolFull_releases() throws Exception {
    BlockingQueue<HttpServerRequest> held = new LinkedBlockingQueue<>();
    TenantPolicy.Pool one = new TenantPolicy.Pool(1, 1, Duration.ofMinutes(5));
    use(Policies.upstream(healthy.port(), Policies.SOON_WITHOUT_CONNECTION, one));
    // The only connection is made before anything depends on how soon there is one.
    AtomicInteger warm = new AtomicInteger();
    await()
        .untilAsserted(
            () -> assertExecuted(gateway.charge("warm" + warm.incrementAndGet(), "{}"), 201));
    int before = healthy.ledger().size();
    healthy.script((request, received) -> held.add(request));
    CompletableFuture<HttpResponse<String>> first =
        gateway.sendAsync(gateway.post("/charges", "first", "{}"));
    HttpServerRequest running = held.poll(60, TimeUnit.SECONDS);
    // Waits for the only connection until poolWait is over.
    assertProblem(gateway.charge("K", "{}"), 502, "upstream-unreachable", "released");
    assertThat(healthy.ledger()).hasSize(before + 1);
    running.response().setStatusCode(201).end();
    assertExecuted(first.get(60, TimeUnit.SECONDS), 201);
    healthy.answer(201, "ok");
    useHealthy();
    assertExecuted(gateway.charge("K", "{}"), 201);
    assertThat(healthy.ledger()).hasSize(before + 2);
  }

  @Test
  void c17f_faultOfOurOwnBeforeTheFirstByte_isRefusedAndReleases() throws Exception {
    use(
        new TenantPolicy.Upstream(
            false,
            "127.0.0.1",
            healthy.port(),
            "",
            Policies.TIMEOUTS,
            // A pool that cannot be built stands for any bug on the way to the first byte.
            new TenantPolicy.Pool(0, 1, Duration.ofSeconds(1))));
    assertProblem(gateway.charge("K", "{}"), 500, "internal-error", "refused");
    assertThat(gateway.broken).hasSize(1);
    assertThat(gateway.records.size()).isZero();
    useHealthy();
    assertExecuted(gateway.charge("K", "{}"), 201);
    assertThat(healthy.ledger()).hasSize(1);
  }

  @Test
  void c17g_resetBeforeTheHead_isUnknown() throws Exception {
    RawUpstream upstream = open(RawUpstream.start(vertx, socket -> socket.close()));
    assertResetThenUnknown(upstream);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 201 Created\r\nContent-Le",
        "HTTP/1.1 201 Created\r\nContent-Length: 10\r\n\r\n12345",
        "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n"
      })
  void c17h_answerCutOff_isUnknown(String cut) throws Exception {
    RawUpstream upstream =
        open(
            RawUpstream.start(
                vertx,
                socket -> {
                  RawUpstream.write(socket, cut);
                  socket.close();
                }));
    assertResetThenUnknown(upstream);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "garbage\r\n\r\n",
        "HTTP/1.1 abc Created\r\n\r\n",
        "HTTP/2.7 201 Created\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 201 Created\r\nContent-Length: five\r\n\r\n12345",
        "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 199 Odd\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 199 Odd\r\n\r\n",
        "HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
        "HTTP/1.1 1000 What\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 201 Created\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        "HTTP/1.1 201 Created\r\nTransfer-Encoding: gzip\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
      })
  void c17i_unparsableAnswer_isUnknown(String garbage) throws Exception {
    assertResetThenUnknown(open(RawUpstream.answering(vertx, garbage)));
  }

  @Test
  void c17j_noAnswer_isInFlightAndUnknownOnceAbandoned() throws Exception {
    RawUpstream silent = open(RawUpstream.start(vertx, socket -> {}));
    HeldTime time = holdTime();
    use(Policies.upstream(silent.port(), Policies.TIMEOUTS));
    CompletableFuture<HttpResponse<String>> waiting =
        gateway.sendAsync(gateway.post("/charges", "K", "{}"));
    await().until(() -> silent.requests().size() == 1);
    time.pass(TOTAL);
    HttpResponse<String> timedOut = waiting.get(60, TimeUnit.SECONDS);
    assertProblem(timedOut, 504, "upstream-timeout", "in-flight");
    assertThat(timedOut.headers().firstValue("Retry-After")).isPresent();
    assertProblem(gateway.impatient("K", "{}"), 409, "in-flight", "in-flight");
    time.pass(ABANDON);
    await().until(() -> !gateway.marked.isEmpty());
    assertProblem(gateway.charge("K", "{}"), 409, "outcome-unknown", "unknown");
    assertThat(silent.requests()).hasSize(1);
  }

  @Test
  void c24_lateAnswer_completesTheRecord() throws Exception {
    BlockingQueue<HttpServerRequest> held = new LinkedBlockingQueue<>();
    healthy.script((request, received) -> held.add(request));
    use(Policies.upstream(healthy.port(), Policies.timeouts(Duration.ofMillis(200))));
    assertProblem(gateway.charge("K", "{}"), 504, "upstream-timeout", "in-flight");
    assertProblem(gateway.impatient("K", "{}"), 409, "in-flight", "in-flight");
    CompletableFuture<HttpResponse<String>> waiter =
        gateway.sendAsync(gateway.post("/charges", "K", "{}"));
    await().until(() -> gateway.parked.get() == 1);
    held.poll(60, TimeUnit.SECONDS).response().setStatusCode(201).end("late");
    for (HttpResponse<String> again :
        List.of(waiter.get(60, TimeUnit.SECONDS), gateway.charge("K", "{}"))) {
      assertReplayed(again, 201);
      assertThat(again.body()).isEqualTo("late");
    }
    assertThat(healthy.ledger()).hasSize(1);
    assertThat(healthy.cut()).isZero();
  }

  @Test
  void answerTooLateForAbandon_staysUnknown() throws Exception {
    BlockingQueue<HttpServerRequest> held = new LinkedBlockingQueue<>();
    healthy.script((request, received) -> held.add(request));
    HeldTime time = holdTime();
    useHealthy();
    CompletableFuture<HttpResponse<String>> waiting =
        gateway.sendAsync(gateway.post("/charges", "K", "{}"));
    assertThat(held.poll(60, TimeUnit.SECONDS)).isNotNull();
    time.pass(TOTAL);
    assertProblem(waiting.get(60, TimeUnit.SECONDS), 504, "upstream-timeout", "in-flight");
    time.pass(ABANDON);
    await().until(() -> !gateway.marked.isEmpty());
    await().until(() -> healthy.cut() > 0);
    assertProblem(gateway.charge("K", "{}"), 409, "outcome-unknown", "unknown");
    assertThat(healthy.ledger()).hasSize(1);
  }

  @Test
  void completeEarlyAnswer_countsAndItsConnectionIsNotUsedAgain() throws Exception {
    String answer = "HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno";
    EarlyUpstream early = open(new EarlyUpstream(answer));
    TenantPolicy.Pool one = new TenantPolicy.Pool(1, 8, Duration.ofSeconds(15));
    use(Policies.upstream(early.port(), Policies.TIMEOUTS, one), 16 * 1024 * 1024);
    HttpResponse<String> refused = gateway.charge("K", "x".repeat(12 * 1024 * 1024));
    assertExecuted(refused, 413);
    assertThat(refused.body()).isEqualTo("no");
    assertReplayed(gateway.charge("K", "x".repeat(12 * 1024 * 1024)), 413);
    assertExecuted(gateway.charge("K2", "x"), 413);
    assertThat(early.connections()).isEqualTo(2);
  }

  @Test
  void unhealthyConnection_isNotUsedAgain() throws Exception {
    RawUpstream upstream = open(RawUpstream.answering(vertx, "garbage\r\n\r\n"));
    TenantPolicy.Pool one = new TenantPolicy.Pool(1, 8, Duration.ofSeconds(15));
    use(Policies.upstream(upstream.port(), Policies.TIMEOUTS, one));
    assertProblem(gateway.charge("K", "{}"), 502, "upstream-reset", "unknown");
    upstream.script(
        socket -> RawUpstream.write(socket, "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"));
    assertExecuted(gateway.charge("K2", "{}"), 201);
    assertThat(upstream.connections()).isEqualTo(2);
  }

  private void assertUnreachableThenExecuted() throws Exception {
    HttpResponse<String> unreachable = gateway.charge("K", "{}");
    assertProblem(unreachable, 502, "upstream-unreachable", "released");
    assertThat(unreachable.headers().firstValue("Retry-After")).isPresent();
    assertThat(gateway.records.size()).isZero();
    useHealthy();
    assertExecuted(gateway.charge("K", "{}"), 201);
    assertThat(healthy.ledger()).hasSize(1);
  }

  private void assertResetThenUnknown(RawUpstream upstream) throws Exception {
    use(Policies.upstream(upstream.port(), Policies.TIMEOUTS));
    assertProblem(gateway.charge("K", "{}"), 502, "upstream-reset", "unknown");
    useHealthy();
    assertProblem(gateway.charge("K", "{}"), 409, "outcome-unknown", "unknown");
    assertThat(upstream.requests()).hasSize(1);
    assertThat(healthy.ledger()).isEmpty();
  }

  private void useHealthy() {
    use(Policies.upstream(healthy.port(), Policies.TIMEOUTS));
  }

  private void use(TenantPolicy.Upstream upstream) {
    use(upstream, 1024 * 1024);
  }

  private void use(TenantPolicy.Upstream upstream, long maxRequest) {
    gateway.tenants.set(
        java.util.List.of(
            Policies.tenant(
                "t1",
                upstream,
                Policies.keyed("create-charge", "/charges", Policies.maxRequest(maxRequest)))));
  }

  private static TenantPolicy.Upstream upstream(boolean tls, String host, int port) {
    return new TenantPolicy.Upstream(
        tls, host, port, "", Policies.SOON_WITHOUT_CONNECTION, TenantPolicy.Pool.BUILT_IN);
  }

  /** From now on the client's wait and the exchange's end come when the test says so. */
  private HeldTime holdTime() throws Exception {
    HeldTime time = new HeldTime(vertx, TOTAL, ABANDON);
    gateway = open(Gateway.start(vertx, new Gateway.Options().time(time)));
    return time;
  }

  /** Connects until the kernel drops further attempts: a port that neither takes nor refuses. */
  private void fillBacklog(ServerSocket full) throws Exception {
    for (int i = 0; i < 16; i++) {
      Socket socket = open(new Socket());
      try {
        socket.connect(new InetSocketAddress("127.0.0.1", full.getLocalPort()), 200);
      } catch (SocketTimeoutException filled) {
        return;
      }
    }
    throw new IllegalStateException("the backlog takes everything");
  }
}
