package dev.oncegate.app.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.app.TenantsYaml;
import dev.oncegate.testkit.RawClient;
import dev.oncegate.testkit.TestPostgres;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The waiters' own limit and the winner's answer come at the same moment, and some leave then. */
class LimitRaceIT extends ProofBase {
  private static final int WAITERS = 200;
  private static final int LEAVING = 50;
  private static final int HTTP2 = 50;

  /** The waiters' limit, and what the upstream takes. */
  private static final int LIMIT_MILLIS = 1_000;

  private final List<Node> nodes = new ArrayList<>();
  private HttpClient http2;

  @BeforeAll
  void start() throws Exception {
    Files.writeString(
        directory.resolve("tenants.yaml"),
        TenantsYaml.forWaiting("127.0.0.1:" + upstream.port(), LIMIT_MILLIS + "ms"));
    TestPostgres.Database database = TestPostgres.shared().freshDatabase(LimitRaceIT.class);
    for (NodeSettings its : NodeSettings.clustered(2, 2)) {
      NodeSettings both = its.with("gateway: { clearTextHttp2: true }");
      nodes.add(open(Node.one(both, database, directory)));
    }
    for (Node node : nodes) {
      await().until(node::onBus);
    }
    http2 =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false),
            new PoolOptions().setHttp2MaxSize(4));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void c21_limitAndAnswerAtOnce_eachWaiterHasOneWholeAnswer(long seed) throws Exception {
    String key = "race-" + seed;
    Random random = new Random(seed);
    upstream.script((request, received) -> vertx.setTimer(LIMIT_MILLIS, fired -> answer(request)));
    CompletableFuture<HttpResponse<String>> first =
        nodes.get(0).postAsync(Duplicates.PATH, key, Duplicates.BODY);
    await().until(() -> effects(key) == 1);
    List<Integer> leaving = leaving(random);
    List<RawClient> http1 = new ArrayList<>();
    List<Future<ClosedLoop.Said>> streams = new ArrayList<>();
    for (int i = 0; i < WAITERS; i++) {
      Node node = nodes.get(i % nodes.size());
      int leavesAfter = leaving.contains(i) ? 1 + random.nextInt(LIMIT_MILLIS + 200) : 0;
      if (i % (WAITERS / HTTP2) == 0) {
        Future<ClosedLoop.Said> told = stream(node, key, leavesAfter);
        if (leavesAfter == 0) {
          streams.add(told);
        }
      } else {
        RawClient client = http1(node, key, leavesAfter);
        if (leavesAfter == 0) {
          http1.add(client);
        }
      }
    }
    assertThat(http1.size() + streams.size()).isEqualTo(WAITERS - LEAVING);

    HttpResponse<String> winner = first.get(60, TimeUnit.SECONDS);
    Answers.assertExecuted(winner, 201);
    for (RawClient client : http1) {
      RawClient.Reply told = client.reply();
      assertToldOnce(told.status(), told.header("Idempotency-Status").get(0), told.body(), winner);
      assertThat(client.isClosedByPeer()).as("nothing follows the one answer").isTrue();
      client.close();
    }
    for (Future<ClosedLoop.Said> stream : streams) {
      ClosedLoop.Said told = stream.await(60, TimeUnit.SECONDS);
      assertToldOnce(told.status(), told.outcome(), told.body(), winner);
    }
    assertThat(effects(key)).isEqualTo(1);
    assertNothingIsLeft();
  }

  private static void assertToldOnce(
      int status, String outcome, String body, HttpResponse<String> winner) {
    if (outcome.equals("replayed")) {
      assertThat(status).isEqualTo(201);
      assertThat(body).isEqualTo(winner.body());
    } else {
      assertThat(outcome).isEqualTo("in-flight");
      assertThat(status).isEqualTo(409);
      assertThat(body).contains("urn:oncegate:problem:in-flight").endsWith("}");
    }
  }

  private void assertNothingIsLeft() throws Exception {
    Duplicates.untilParked(nodes, 0);
    for (Node node : nodes) {
      await().until(() -> Instances.perKey(node) == 0);
      assertThat(node.err()).doesNotContain("xception").doesNotContain("ERROR");
    }
  }

  private static List<Integer> leaving(Random random) {
    List<Integer> all = new ArrayList<>(IntStream.range(0, WAITERS).boxed().toList());
    java.util.Collections.shuffle(all, random);
    return all.subList(0, LEAVING);
  }

  /** Sends on a connection of its own; leaves so much later with a reset, or stays with 0. */
  private RawClient http1(Node node, String key, int leavesAfter) throws IOException {
    RawClient client = new RawClient(node.port());
    client.send(
        "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nIdempotency-Key: %s\r\n"
                .formatted(Duplicates.PATH, key)
            + "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(Duplicates.BODY.length(), Duplicates.BODY));
    if (leavesAfter > 0) {
      vertx.setTimer(leavesAfter, fired -> reset(client));
    }
    return client;
  }

  private static void reset(RawClient client) {
    try {
      client.reset();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Future<ClosedLoop.Said> stream(Node node, String key, int leavesAfter) {
    RequestOptions options =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setAbsoluteURI(node.traffic() + Duplicates.PATH)
            .putHeader("Idempotency-Key", key)
            .putHeader("Content-Type", "application/json");
    return http2
        .request(options)
        .compose(request -> send(request, leavesAfter).compose(ClosedLoop::said));
  }

  private Future<io.vertx.core.http.HttpClientResponse> send(
      HttpClientRequest request, int leavesAfter) {
    if (leavesAfter > 0) {
      vertx.setTimer(leavesAfter, fired -> request.reset());
    }
    return request.send(Duplicates.BODY);
  }
}
