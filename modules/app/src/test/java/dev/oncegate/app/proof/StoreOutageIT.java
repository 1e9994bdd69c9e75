package dev.oncegate.app.proof;

import static dev.oncegate.app.proof.Answers.assertExecuted;
import static dev.oncegate.app.proof.Answers.assertProblem;
import static dev.oncegate.app.proof.Answers.assertReplayOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.testkit.SocketCutter;
import dev.oncegate.testkit.TestPostgres;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Postgres goes away and comes back under a gateway that goes on running. */
class StoreOutageIT extends ProofBase {
  private static final String BODY = "{\"amount\":500}";

  /** The contract's 2 s, and half a second for a slow machine. */
  private static final Duration REFUSED_WITHIN = Duration.ofMillis(2500);

  private SocketCutter cutter;
  private Node node;

  @BeforeAll
  void start() {
    TestPostgres.Database real = TestPostgres.shared().freshDatabase(StoreOutageIT.class);
    cutter = open(SocketCutter.before(real.host(), real.port()));
    node =
        open(
            Node.on(
                new TestPostgres.Database(
                    "127.0.0.1", cutter.port(), real.name(), real.user(), real.password()),
                directory));
  }

  @Test
  void c27_postgresFrozen_refusesWithoutForwarding_thenServesAgain() throws Exception {
    assertRefusesWhileAwayAndServesAfterwards("frozen", cutter::pause, cutter::resume);
  }

  @Test
  void c27_postgresUnreachable_refusesWithoutForwarding_thenServesAgain() throws Exception {
    assertRefusesWhileAwayAndServesAfterwards(
        "gone",
        () -> {
          cutter.refuse(true);
          cutter.cutAll();
        },
        () -> cutter.refuse(false));
  }

  private void assertRefusesWhileAwayAndServesAfterwards(
      String name, Runnable leave, Runnable comeBack) throws Exception {
    String stored = name + "-stored";
    HttpResponse<String> winner = node.post("/shop/charges", stored, BODY);
    assertExecuted(winner, 201);
    int before = upstream.ledger().size();

    leave.run();
    List<String> keys = new ArrayList<>(List.of(stored));
    List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      keys.add(name + i);
    }
    for (String key : keys) {
      sent.add(node.postAsync("/shop/charges", key, BODY));
    }
    for (CompletableFuture<HttpResponse<String>> each : sent) {
      HttpResponse<String> refused = each.get(REFUSED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
      assertProblem(refused, 503, "store-unavailable", "refused");
      assertThat(Answers.header(refused, "Retry-After")).isNotEmpty();
    }
    assertThat(upstream.ledger()).hasSize(before);
    HttpResponse<String> passed = node.get("/shop/things/1");
    assertThat(passed.statusCode()).isEqualTo(201);
    assertThat(Answers.status(passed)).isEqualTo("bypassed");

    comeBack.run();
    for (String key : keys.subList(1, keys.size())) {
      AtomicReference<HttpResponse<String>> served = new AtomicReference<>();
      await()
          .atMost(Duration.ofSeconds(20))
          .until(
              () -> {
                served.set(node.post("/shop/charges", key, BODY));
                return served.get().statusCode() == 201;
              });
      assertExecuted(served.get(), 201);
      assertThat(effects(key)).isEqualTo(1);
    }
    assertReplayOf(winner, node.post("/shop/charges", stored, BODY));
    assertThat(effects(stored)).isEqualTo(1);
  }
}
