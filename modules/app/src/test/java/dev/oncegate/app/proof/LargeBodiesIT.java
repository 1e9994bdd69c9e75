package dev.oncegate.app.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.app.TenantsYaml;
import dev.oncegate.testkit.TestPostgres;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A small heap before large bodies: a waiter keeps no body, a wake-up carries none, and an answer
 * is written as its client reads it.
 */
class LargeBodiesIT extends ProofBase {
  private static final int WAITERS = 100;
  private static final int SIZE = 8_000_000;

  /** Whoever sends a body has to be read, and that many of them fit the heap. */
  private static final int UPLOADS_AT_ONCE = 4;

  private final List<Node> nodes = new ArrayList<>();
  private final Buffer body = Buffer.buffer(random(1));
  private final Buffer answer = Buffer.buffer(random(2));
  private HttpClient client;

  /** An answer of which only the digest is kept. */
  private record Digested(
      int status, String outcome, boolean replayed, String digest, String text) {
    boolean isProblem() {
      return !text.isEmpty();
    }
  }

  @BeforeAll
  void start() throws Exception {
    Files.writeString(
        directory.resolve("tenants.yaml"), TenantsYaml.forLargeBodies(upstream.port()));
    TestPostgres.Database database = TestPostgres.shared().freshDatabase(LargeBodiesIT.class);
    for (NodeSettings its : NodeSettings.clustered(2, 2)) {
      nodes.add(open(Node.one(its, database, directory, Map.of("JAVA_TOOL_OPTIONS", "-Xmx256m"))));
    }
    for (Node node : nodes) {
      await().until(node::onBus);
    }
    client =
        vertx.createHttpClient(
            new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(WAITERS + 10));
  }

  @AfterEach
  void nodesAreWell() throws Exception {
    for (Node node : nodes) {
      await().until(() -> Instances.perKey(node) == 0);
      assertThat(node.err())
          .doesNotContain("OutOfMemory")
          .doesNotContain("has been blocked")
          .doesNotContain("xception");
      assertThat(node.ready()).isEqualTo(200);
    }
  }

  @Test
  void c83_answersThatAreKept_reachEveryWaiterWhole() throws Exception {
    List<Digested> told = winnerAndWaiters("kept");
    Digested winner = told.get(0);
    assertThat(winner.digest()).isEqualTo(digest(answer));
    assertThat(told.subList(1, told.size()))
        .allSatisfy(
            each ->
                assertThat(each)
                    .isEqualTo(new Digested(201, "replayed", true, winner.digest(), "")));
  }

  @Test
  void c83_answersThatAreNotKept_areSaidToBeSo() throws Exception {
    List<Digested> told = winnerAndWaiters("shop");
    assertThat(told.get(0).digest()).isEqualTo(digest(answer));
    assertThat(told.subList(1, told.size()))
        .allSatisfy(
            each -> {
              assertThat(each.status()).isEqualTo(409);
              assertThat(each.outcome()).isEqualTo("replayed");
              assertThat(each.replayed()).isFalse();
              assertThat(each.text())
                  .contains("urn:oncegate:problem:response-not-kept")
                  .contains("\"original_status\":201");
            });
  }

  @Test
  void c83_manyKeys_leaveNothingBehind() throws Exception {
    keys(5_000);
  }

  @Test
  @Tag("long")
  void c83_hundredThousandKeys_leaveNothingBehind() throws Exception {
    keys(100_000);
  }

  private void keys(int howMany) throws Exception {
    upstream.script((request, received) -> answer(request));
    int before = upstream.ledger().size();
    List<List<ClosedLoop.Said>> said =
        new ClosedLoop(vertx, nodes, "many-" + howMany + "-").run(64, howMany, 1);
    assertThat(said)
        .allSatisfy(
            each -> {
              assertThat(each).hasSize(1);
              assertThat(each.get(0).outcome()).isEqualTo("executed");
            });
    assertThat(upstream.ledger()).hasSize(before + howMany);
  }

  /** The winner's answer first. */
  private List<Digested> winnerAndWaiters(String tenant) throws Exception {
    holdAnswers();
    List<Future<Digested>> sent = new ArrayList<>();
    sent.add(send(0, tenant));
    HttpServerRequest running = heldRequest();
    long parked = 0;
    while (parked < WAITERS) {
      for (int i = 0; i < UPLOADS_AT_ONCE; i++) {
        sent.add(send(i, tenant));
        parked++;
      }
      long now = parked;
      await().until(() -> parked(tenant) == now);
    }
    running
        .response()
        .setStatusCode(201)
        .putHeader("Content-Type", "application/octet-stream")
        .end(answer.copy());
    List<Digested> told = new ArrayList<>();
    for (Future<Digested> each : sent) {
      told.add(each.await(120, TimeUnit.SECONDS));
    }
    assertThat(told.get(0).status()).isEqualTo(201);
    assertThat(told.get(0).outcome()).isEqualTo("executed");
    assertThat(effects("large-" + tenant)).isEqualTo(1);
    await().until(() -> parked(tenant) == 0);
    return told;
  }

  private long parked(String tenant) throws Exception {
    return nodes.get(0).parked(tenant) + nodes.get(1).parked(tenant);
  }

  private Future<Digested> send(int number, String tenant) {
    RequestOptions request =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setAbsoluteURI(nodes.get(number % nodes.size()).traffic() + "/" + tenant + "/charges")
            .putHeader("Idempotency-Key", "large-" + tenant)
            .putHeader("Content-Type", "application/octet-stream");
    return client
        .request(request)
        .compose(made -> made.send(body))
        .compose(LargeBodiesIT::digested);
  }

  private static Future<Digested> digested(HttpClientResponse response) {
    MessageDigest digest = sha256();
    StringBuilder text = new StringBuilder();
    boolean problem = String.valueOf(response.getHeader("Content-Type")).contains("problem");
    Promise<Digested> whole = Promise.promise();
    response.handler(
        part -> {
          digest.update(part.getBytes());
          if (problem) {
            text.append(part);
          }
        });
    response.exceptionHandler(whole::tryFail);
    response.endHandler(
        end ->
            whole.tryComplete(
                new Digested(
                    response.statusCode(),
                    String.valueOf(response.getHeader("Idempotency-Status")),
                    "true".equals(response.getHeader("Idempotency-Replayed")),
                    HexFormat.of().formatHex(digest.digest()),
                    text.toString())));
    return whole.future();
  }

  private static String digest(Buffer bytes) {
    return HexFormat.of().formatHex(sha256().digest(bytes.getBytes()));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] random(long seed) {
    byte[] bytes = new byte[SIZE];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
