package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.HeaderField;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.core.TenantPolicy.TlsSettings;
import dev.oncegate.engine.port.Prober.Question;
import dev.oncegate.engine.port.Prober.Reply;
import dev.oncegate.testkit.RawUpstream;
import dev.oncegate.testkit.ScriptedUpstream;
import dev.oncegate.testkit.TestCertificate;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.ByteArrayOutputStream;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One question to a tenant's API: whatever becomes of it, it becomes a reply, and in time. */
class HttpProberIT extends GatewayTestBase {
  private static final long MOST = 1_000;

  private UpstreamClients clients;
  private HttpProber prober;
  private ScriptedUpstream upstream;

  @BeforeEach
  void start() throws Exception {
    clients = UpstreamClients.forProbes(vertx);
    open((AutoCloseable) () -> Gateway.await(clients.close()));
    prober = new HttpProber(vertx, clients, new VertxTime(vertx));
    upstream = open(ScriptedUpstream.start(vertx));
  }

  private static Question get(String target, HeaderField... headers) {
    return new Question("GET", target, List.of(headers), MOST);
  }

  private static TenantPolicy tenant(int port, Duration total) {
    return tenant(Policies.upstream(port, timeouts(total)));
  }

  /** Time enough to connect on a busy machine. */
  private static TenantPolicy.Timeouts timeouts(Duration total) {
    return new TenantPolicy.Timeouts(
        Duration.ofSeconds(5), Duration.ofSeconds(5), total, total.multipliedBy(2));
  }

  private static TenantPolicy tenant(TenantPolicy.Upstream upstream) {
    return Policies.tenant("t1", upstream, Policies.keyed("create-charge", "/charges"));
  }

  private CompletableFuture<Reply> askAsync(TenantPolicy tenant, Question question) {
    CompletableFuture<Reply> reply = new CompletableFuture<>();
    Context context = vertx.getOrCreateContext();
    context.runOnContext(
        go ->
            prober
                .ask(tenant, question)
                .onComplete(
                    ended -> {
                      if (ended.failed()) {
                        reply.completeExceptionally(ended.cause());
                      } else if (Vertx.currentContext() != context) {
                        reply.completeExceptionally(new AssertionError("on another context"));
                      } else {
                        reply.complete(ended.result());
                      }
                    }));
    return reply;
  }

  private Reply ask(TenantPolicy tenant, Question question) throws Exception {
    return askAsync(tenant, question).get(60, TimeUnit.SECONDS);
  }

  private Reply ask(int port, Question question) throws Exception {
    return ask(tenant(port, Duration.ofSeconds(10)), question);
  }

  private static String body(Reply reply) {
    assertThat(reply).as("%s", reply).isInstanceOf(Reply.Answered.class);
    return new String(((Reply.Answered) reply).body().array(), StandardCharsets.UTF_8);
  }

  private static Reply none(String reason) {
    return new Reply.None(reason);
  }

  @Test
  void answer_comesWhole_withItsEndToEndHeaders() throws Exception {
    upstream.script(
        (request, received) ->
            request
                .response()
                .putHeader("Content-Type", "application/json")
                .putHeader("Connection", "X-Hop")
                .putHeader("X-Hop", "1")
                .end("{\"data\":[]}"));

    Reply reply = ask(upstream.port(), get("/v1/charges?r=a%2Fb"));

    assertThat(reply)
        .isEqualTo(
            new Reply.Answered(
                200,
                List.of(new HeaderField("Content-Type", "application/json")),
                Bytes.wrap("{\"data\":[]}".getBytes(StandardCharsets.UTF_8))));
    assertThat(upstream.ledger()).hasSize(1);
    assertThat(upstream.ledger().get(0).method()).isEqualTo("GET");
    assertThat(upstream.ledger().get(0).uri()).isEqualTo("/v1/charges?r=a%2Fb");
    assertThat(upstream.ledger().get(0).header("Cache-Control")).containsExactly("no-cache");
  }

  @Test
  void question_carriesItsOwnHeadersAndHost_andNoneOfOneHop() throws Exception {
    ask(
        upstream.port(),
        get(
            "/",
            new HeaderField("Authorization", "Bearer s3cret"),
            new HeaderField("X-A", "1"),
            new HeaderField("X-A", "2"),
            new HeaderField("Host", "other.example"),
            new HeaderField("Content-Length", "7"),
            new HeaderField("Connection", "close, X-B"),
            new HeaderField("X-B", "3")));

    ScriptedUpstream.Received received = upstream.ledger().get(0);
    assertThat(received.header("Authorization")).containsExactly("Bearer s3cret");
    assertThat(received.header("X-A")).containsExactly("1", "2");
    assertThat(received.header("Host")).containsExactly("127.0.0.1:" + upstream.port());
    assertThat(received.header("Content-Length")).isEmpty();
    assertThat(received.header("Connection")).isEmpty();
    assertThat(received.header("X-B")).isEmpty();
    assertThat(received.header("Accept-Encoding")).containsExactly("identity");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\r\nX-Evil: 1", "caf\u00e9", "a\nb", " a", ""})
  void headerThatIsNoLine_isNeverSent(String value) throws Exception {
    assertThat(ask(upstream.port(), get("/", new HeaderField("X-A", value))))
        .isEqualTo(none("a header of the question cannot be sent"));
    assertThat(upstream.connections()).isZero();
  }

  @Test
  void head_hasNoBody_whateverLengthIsDeclared() throws Exception {
    RawUpstream raw =
        open(
            RawUpstream.answering(
                vertx,
                "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\nContent-Encoding: gzip\r\n\r\n"));

    Reply reply = ask(raw.port(), new Question("HEAD", "/x", List.of(), MOST));

    assertThat(body(reply)).isEmpty();
    assertThat(raw.requests()).singleElement().asString().startsWith("HEAD /x HTTP/1.1\r\n");
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 302, 307, 404, 410, 500})
  void anyStatus_isAnAnswer_andNoRedirectIsFollowed(int status) throws Exception {
    upstream.script(
        (request, received) ->
            request.response().setStatusCode(status).putHeader("Location", "/other").end());

    Reply reply = ask(upstream.port(), get("/x"));

    assertThat(((Reply.Answered) reply).status()).isEqualTo(status);
    assertThat(upstream.ledger()).hasSize(1);
  }

  @Test
  void basePath_standsBeforeTheTarget() throws Exception {
    TenantPolicy.Upstream plain =
        Policies.upstream(upstream.port(), timeouts(Duration.ofSeconds(10)));
    TenantPolicy.Upstream below =
        new TenantPolicy.Upstream(
            false, plain.host(), plain.port(), "/api", plain.timeouts(), plain.pool());

    ask(tenant(below), get("/x"));

    assertThat(upstream.ledger().get(0).uri()).isEqualTo("/api/x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{\"data\":[]}",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"da",
        "HTTP/1.1 200 OK\r\nContent-Le",
        "",
        "nonsense\r\n\r\n",
        "HTTP/1.1 199 Odd\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n"
      })
  void cutOrUnreadableAnswer_isNone_andNotAskedAgain(String bytes) throws Exception {
    RawUpstream raw =
        open(
            RawUpstream.start(
                vertx,
                socket -> {
                  RawUpstream.write(socket, bytes);
                  socket.close();
                }));

    assertThat(ask(raw.port(), get("/x"))).isInstanceOf(Reply.None.class);
    assertThat(raw.requests()).hasSize(1);
  }

  @Test
  void silentUpstream_isNone_onceTotalHasPassed() throws Exception {
    upstream.script((request, received) -> {});

    assertThat(ask(tenant(upstream.port(), Duration.ofMillis(1_500)), get("/x")))
        .isEqualTo(none("no complete answer in time"));
    assertThat(upstream.ledger()).hasSize(1);
  }

  @Test
  void answerThatNeverEnds_isNone_onceTotalHasPassed() throws Exception {
    upstream.script((request, received) -> request.response().setChunked(true).write("{\"data\":"));

    assertThat(ask(tenant(upstream.port(), Duration.ofMillis(1_500)), get("/x")))
        .isEqualTo(none("no complete answer in time"));
  }

  @Test
  void limit_isTotal_andTenSecondsAtMost() {
    assertThat(HttpProber.limit(tenant(1, Duration.ofSeconds(4)))).isEqualTo(Duration.ofSeconds(4));
    assertThat(HttpProber.limit(tenant(1, Duration.ofMinutes(4))))
        .isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void longestAnswer_isRead_andNoneBeyond() throws Exception {
    upstream.answer(200, "x".repeat((int) MOST));
    assertThat(body(ask(upstream.port(), get("/x")))).hasSize((int) MOST);
    upstream.answer(200, "x".repeat((int) MOST + 1));
    assertThat(ask(upstream.port(), get("/x"))).isEqualTo(none("answer too large"));
    upstream.script(
        (request, received) -> {
          request.response().setChunked(true).write("x".repeat((int) MOST));
          request.response().end("x");
        });
    assertThat(ask(upstream.port(), get("/x"))).isEqualTo(none("answer too large"));
  }

  @Test
  void codedAnswer_isDecodedUnderTheCap() throws Exception {
    String json = "{\"data\":[1]}";
    answerCoded("gzip", gzip(json));
    Reply.Answered gzipped = (Reply.Answered) ask(upstream.port(), get("/x"));
    assertThat(body(gzipped)).isEqualTo(json);
    assertThat(gzipped.headers()).noneMatch(header -> header.is("Content-Encoding"));
    answerCoded("deflate", deflate(json));
    assertThat(body(ask(upstream.port(), get("/x")))).isEqualTo(json);
    answerCoded("gzip", gzip("0".repeat(100_000)));
    assertThat(ask(upstream.port(), get("/x"))).isEqualTo(none("answer too large"));
  }

  @Test
  void largeCodedAnswer_isDecodedOffTheLoop() throws Exception {
    answerCoded("gzip", gzip("0".repeat(1_000_000)));

    assertThat(body(ask(upstream.port(), new Question("GET", "/x", List.of(), 1 << 20))))
        .hasSize(1_000_000);
  }

  @Test
  void bodyThatIsNotInItsCoding_isNone() throws Exception {
    byte[] whole = gzip("{\"data\":[1]}");
    answerCoded("gzip", java.util.Arrays.copyOf(whole, whole.length - 9));
    assertThat(ask(upstream.port(), get("/x"))).isEqualTo(none("answer not in its coding"));
    answerCoded("br", whole);
    assertThat(ask(upstream.port(), get("/x"))).isEqualTo(none("answer not in its coding"));
    answerCoded("gzip, gzip", whole);
    assertThat(ask(upstream.port(), get("/x"))).isEqualTo(none("answer not in its coding"));
    answerCoded("br", new byte[0]);
    assertThat(body(ask(upstream.port(), get("/x")))).isEmpty();
  }

  @Test
  void nobodyThere_isNone() throws Exception {
    int closed;
    try (ServerSocket socket = new ServerSocket(0)) {
      closed = socket.getLocalPort();
    }

    assertThat(ask(closed, get("/x"))).isEqualTo(none("connection refused"));
  }

  @Test
  void targetThatCannotBeWritten_isNone() throws Exception {
    assertThat(ask(upstream.port(), new Question("G T", "/x", List.of(), MOST)))
        .isInstanceOf(Reply.None.class);
    assertThat(upstream.ledger()).isEmpty();
  }

  @Test
  void fullPoolOfTraffic_keepsNoQuestionWaiting() throws Exception {
    BlockingQueue<HttpServerRequest> held = new LinkedBlockingQueue<>();
    TenantPolicy one =
        tenant(
            Policies.upstream(
                upstream.port(),
                timeouts(Duration.ofSeconds(10)),
                new TenantPolicy.Pool(1, 0, Duration.ofSeconds(15))));
    Gateway gateway = open(Gateway.start(vertx, one));
    upstream.script((request, received) -> held.add(request));
    CompletableFuture<HttpResponse<String>> running =
        gateway.sendAsync(gateway.post("/charges", "K1", "{}"));
    HttpServerRequest first = held.poll(60, TimeUnit.SECONDS);
    upstream.answer(200, "asked");

    assertThat(body(ask(one, get("/x")))).isEqualTo("asked");
    assertThat(upstream.connections()).isEqualTo(2);

    first.response().setStatusCode(201).end();
    assertExecuted(running.get(60, TimeUnit.SECONDS), 201);
  }

  @Test
  void questionsThatHang_takeNoConnectionFromTraffic() throws Exception {
    TenantPolicy one =
        tenant(
            Policies.upstream(
                upstream.port(),
                timeouts(Duration.ofSeconds(10)),
                new TenantPolicy.Pool(1, 0, Duration.ofSeconds(15))));
    Gateway gateway = open(Gateway.start(vertx, one));
    BlockingQueue<HttpServerRequest> held = new LinkedBlockingQueue<>();
    upstream.script((request, received) -> held.add(request));
    List<CompletableFuture<Reply>> hanging =
        IntStream.range(0, 8).mapToObj(i -> askAsync(one, get("/x"))).toList();
    for (int i = 0; i < 8; i++) {
      assertThat(held.poll(60, TimeUnit.SECONDS)).isNotNull();
    }
    upstream.answer(201, "ok");

    assertExecuted(gateway.charge("K", "{}"), 201);
    assertThat(hanging).noneMatch(CompletableFuture::isDone);
  }

  @Test
  void upstreamThatSpeaksHttp2_isAskedOverIt(@TempDir Path directory) throws Exception {
    TestCertificate certificate = TestCertificate.make(directory, "probed", "ip:127.0.0.1");
    List<HttpVersion> versions = new CopyOnWriteArrayList<>();
    ScriptedUpstream secure =
        open(
            ScriptedUpstream.start(
                vertx,
                new HttpServerOptions()
                    .setSsl(true)
                    .setUseAlpn(true)
                    .setKeyCertOptions(
                        new PemKeyCertOptions()
                            .addCertPath(certificate.certificate().toString())
                            .addKeyPath(certificate.key().toString()))));
    secure.script(
        (request, received) -> {
          versions.add(request.version());
          if (received.uri().equals("/reset")) {
            request.response().reset(7);
          } else {
            request.response().end("over h2");
          }
        });
    TenantPolicy tenant =
        tenant(
            new TenantPolicy.Upstream(
                true,
                "127.0.0.1",
                secure.port(),
                "",
                timeouts(Duration.ofSeconds(10)),
                new TenantPolicy.Pool(1, 0, Duration.ofSeconds(15), true),
                Optional.of(
                    new TlsSettings(
                        Optional.of(certificate.certificate().toString()),
                        Optional.empty(),
                        Optional.empty(),
                        true))));

    assertThat(body(ask(tenant, get("/x")))).isEqualTo("over h2");
    assertThat(ask(tenant, get("/reset"))).isInstanceOf(Reply.None.class);
    assertThat(versions).containsExactly(HttpVersion.HTTP_2, HttpVersion.HTTP_2);
  }

  private void answerCoded(String coding, byte[] bytes) {
    upstream.script(
        (request, received) ->
            request.response().putHeader("Content-Encoding", coding).end(Buffer.buffer(bytes)));
  }

  private static byte[] gzip(String text) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return out.toByteArray();
  }

  private static byte[] deflate(String text) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflate = new DeflaterOutputStream(out)) {
      deflate.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return out.toByteArray();
  }
}
