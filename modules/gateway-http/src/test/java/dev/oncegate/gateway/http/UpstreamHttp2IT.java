package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oncegate.core.TenantPolicy;
import dev.oncegate.core.TenantPolicy.TlsSettings;
import dev.oncegate.testkit.ScriptedUpstream;
import dev.oncegate.testkit.TestCertificate;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemKeyCertOptions;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/2 to the upstream by ALPN: the one protocol that says when nothing was processed. */
class UpstreamHttp2IT extends GatewayTestBase {
  private static final long NO_ERROR = 0;
  private static final long REFUSED_STREAM = 7;

  @TempDir static Path directory;
  private static TestCertificate certificate;

  private final List<HttpVersion> versions = new CopyOnWriteArrayList<>();
  private ScriptedUpstream upstream;
  private Gateway gateway;

  @BeforeAll
  static void makeCertificate() throws Exception {
    certificate = TestCertificate.make(directory, "upstream", "ip:127.0.0.1");
  }

  @BeforeEach
  void start() throws Exception {
    upstream = upstream(true);
    gateway = open(Gateway.start(vertx, tenant(upstream)));
  }

  @Test
  void upstreamThatSpeaksHttp2_getsAllRequestsOverOneConnection() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> all =
        IntStream.range(0, 20)
            .mapToObj(
                i -> gateway.sendAsync(gateway.post("/charges", "K" + i, "{\"n\":" + i + "}")))
            .toList();
    for (CompletableFuture<HttpResponse<String>> one : all) {
      assertExecuted(one.get(60, TimeUnit.SECONDS), 201);
    }
    assertThat(versions).hasSize(20).containsOnly(HttpVersion.HTTP_2);
    assertThat(upstream.connections()).isEqualTo(1);
    assertReplayed(gateway.charge("K3", "{\"n\":3}"), 201);
    ScriptedUpstream.Received first = upstream.ledger().get(0);
    assertThat(first.header("Idempotency-Key")).hasSize(1);
    assertThat(first.header("Connection")).isEmpty();
  }

  @Test
  void upstreamWithoutHttp2_getsHttp11() throws Exception {
    gateway.tenants.set(List.of(tenant(upstream(false))));
    assertExecuted(gateway.charge("K", "{}"), 201);
    assertThat(versions).containsExactly(HttpVersion.HTTP_1_1);
  }

  @Test
  void refusedStream_releasesAndIsNotSentAgain() throws Exception {
    upstream.script((request, received) -> request.response().reset(REFUSED_STREAM));
    assertProblem(gateway.charge("K", "{}"), 502, "upstream-unreachable", "released");
    assertThat(upstream.ledger()).hasSize(1);
    assertThat(gateway.records.size()).isZero();
    upstream.answer(201, "ok");
    assertExecuted(gateway.charge("K", "{}"), 201);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 8, 11})
  void otherResets_areUnknown(long code) throws Exception {
    upstream.script((request, received) -> request.response().reset(code));
    assertProblem(gateway.charge("K", "{}"), 502, "upstream-reset", "unknown");
    assertProblem(gateway.charge("K", "{}"), 409, "outcome-unknown", "unknown");
    assertThat(upstream.ledger()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {101, 102, 199})
  void interimAnswerThatNobodyAskedFor_isUnknown(int status) throws Exception {
    upstream.script((request, received) -> request.response().setStatusCode(status).end());
    assertProblem(gateway.charge("K", "{}"), 502, "upstream-reset", "unknown");
  }

  @Test
  void continueAndEarlyHints_areNoOutcome() throws Exception {
    upstream.script(
        (request, received) -> {
          request.response().writeContinue();
          request
              .response()
              .writeEarlyHints(HttpHeaders.headers().add("link", "</a>"))
              .onComplete(done -> request.response().setStatusCode(201).end("ok"));
        });
    HttpResponse<String> answer = gateway.charge("K", "{}");
    assertExecuted(answer, 201);
    assertThat(answer.headers().firstValue("link")).isEmpty();
  }

  @Test
  void refusedStreamAfterTheHead_isUnknown() throws Exception {
    upstream.script(
        (request, received) -> {
          request.response().setStatusCode(201).setChunked(true).write("par");
          vertx.setTimer(100, later -> request.response().reset(REFUSED_STREAM));
        });
    assertProblem(gateway.charge("K", "{}"), 502, "upstream-reset", "unknown");
  }

  @Test
  void goAwayBelowOurStream_releases() throws Exception {
    assertExecuted(gateway.charge("first", "{}"), 201);
    upstream.script((request, received) -> request.connection().goAway(NO_ERROR, 1));
    assertProblem(gateway.charge("K", "{}"), 502, "upstream-unreachable", "released");
    assertThat(gateway.records.size()).isEqualTo(1);
    upstream.answer(201, "ok");
    assertExecuted(gateway.charge("K", "{}"), 201);
    assertThat(upstream.connections()).isEqualTo(2);
  }

  @Test
  void goAwayThatCountsOurStream_letsItsAnswerCome() throws Exception {
    upstream.script(
        (request, received) -> {
          request.connection().goAway(NO_ERROR, request.streamId());
          vertx.setTimer(100, later -> request.response().setStatusCode(201).end("ok"));
        });
    assertExecuted(gateway.charge("K", "{}"), 201);
  }

  @Test
  void goAwayThatCountsOurStream_andNoAnswer_isUnknown() throws Exception {
    upstream.script(
        (request, received) -> {
          request.connection().goAway(NO_ERROR, request.streamId());
          vertx.setTimer(100, later -> request.connection().close());
        });
    assertProblem(gateway.charge("K", "{}"), 502, "upstream-reset", "unknown");
  }

  @Test
  void connectionThatClosesBeforeTheStreamIsOpened_hasProcessedNothing() throws Exception {
    UpstreamClients clients = new UpstreamClients(vertx);
    open(() -> Gateway.await(clients.close()));
    TenantPolicy tenant = tenant(upstream);
    HttpClientRequest out =
        Gateway.await(
            clients.of(tenant).request(UpstreamOptions.request(tenant, "POST", "/charges")));
    CountDownLatch closed = new CountDownLatch(1);
    out.connection().closeHandler(gone -> closed.countDown());
    out.connection().close();
    assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();

    Future<HttpClientResponse> answer = out.response();
    out.end("{}");
    assertThatThrownBy(() -> Gateway.await(answer)).isInstanceOf(ExecutionException.class);
    assertThat(UpstreamFailures.isUnprocessed(clients, out, answer.cause())).isTrue();
    assertThat(upstream.ledger()).isEmpty();
  }

  @Test
  void earlyAnswer_countsAndItsConnectionTakesNoMore() throws Exception {
    gateway.tenants.set(
        List.of(
            Policies.tenant(
                "t1",
                settings(upstream),
                Policies.keyed("create-charge", "/charges", Policies.maxRequest(64 << 20)))));
    CountDownLatch left = new CountDownLatch(1);
    upstream.early(
        request -> {
          request.connection().goAwayHandler(goAway -> left.countDown());
          request.response().setStatusCode(413).end("no");
        });
    assertExecuted(gateway.charge("K", "x".repeat(12 << 20)), 413);
    assertThat(left.await(60, TimeUnit.SECONDS)).as("the connection is given up").isTrue();
    upstream.early(null);
    assertExecuted(gateway.charge("K2", "{}"), 201);
    assertThat(upstream.connections()).isEqualTo(2);
  }

  @Test
  void largeBodies_crossBothWays() throws Exception {
    upstream.script(
        (request, received) ->
            request.response().setStatusCode(201).end(Buffer.buffer(received.body().getBytes())));
    String large = "x".repeat(900_000);
    HttpResponse<String> answer = gateway.charge("K", large);
    assertExecuted(answer, 201);
    assertThat(answer.body()).isEqualTo(large);
  }

  private ScriptedUpstream upstream(boolean alpn) throws Exception {
    ScriptedUpstream started =
        open(
            ScriptedUpstream.start(
                vertx,
                new HttpServerOptions()
                    .setSsl(true)
                    .setUseAlpn(alpn)
                    .setKeyCertOptions(
                        new PemKeyCertOptions()
                            .addCertPath(certificate.certificate().toString())
                            .addKeyPath(certificate.key().toString()))));
    return started.script(
        (request, received) -> {
          versions.add(request.version());
          request.response().setStatusCode(201).end("ok");
        });
  }

  private static TenantPolicy tenant(ScriptedUpstream upstream) {
    return Policies.tenant("t1", settings(upstream), Policies.keyed("create-charge", "/charges"));
  }

  private static TenantPolicy.Upstream settings(ScriptedUpstream upstream) {
    return new TenantPolicy.Upstream(
        true,
        "127.0.0.1",
        upstream.port(),
        "",
        Policies.TIMEOUTS,
        new TenantPolicy.Pool(1, 64, Duration.ofSeconds(15), true),
        Optional.of(
            new TlsSettings(
                Optional.of(certificate.certificate().toString()),
                Optional.empty(),
                Optional.empty(),
                true)));
  }
}
