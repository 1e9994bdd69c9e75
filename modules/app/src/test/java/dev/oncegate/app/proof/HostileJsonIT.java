package dev.oncegate.app.proof;

import static dev.oncegate.app.proof.Answers.assertExecuted;
import static dev.oncegate.app.proof.Answers.assertReplayOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.testkit.TestPostgres;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Bodies made to stall a parser, beside a tenant that wants none of it. */
class HostileJsonIT extends ProofBase {
  private static final List<String> HOSTILE =
      List.of(
          "{\"amount\":9.2e1010671858}",
          "{\"amount\":" + "9".repeat(1_000_000) + "}",
          "[".repeat(100_000),
          "[".repeat(100_000) + "]".repeat(100_000));

  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final Queue<CompletableFuture<HttpResponse<String>>> steady =
      new ConcurrentLinkedQueue<>();
  private final AtomicInteger sent = new AtomicInteger();
  private Node node;

  @BeforeAll
  void start() {
    node = open(Node.on(TestPostgres.shared().freshDatabase(HostileJsonIT.class), directory));
    open(clock::shutdownNow);
  }

  @Test
  void c33_hostileJson_isTakenRawAndForwarded_andAnotherTenantNeverNotices() throws Exception {
    clock.scheduleAtFixedRate(this::sendSteady, 0, 20, TimeUnit.MILLISECONDS);
    await().until(() -> steady.size() > 50);
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < HOSTILE.size(); i++) {
        String key = "c33-" + round + "-" + i;
        HttpResponse<String> winner = node.post("/shop/charges", key, HOSTILE.get(i));
        assertExecuted(winner, 201);
        assertReplayOf(winner, node.post("/shop/charges", key, HOSTILE.get(i)));
        assertThat(effects(key)).isEqualTo(1);
      }
    }
    assertThat(upstream.ledger().stream().map(received -> received.body().toString()))
        .containsAll(HOSTILE);
    clock.shutdown();
    for (CompletableFuture<HttpResponse<String>> each : steady) {
      assertExecuted(each.get(60, TimeUnit.SECONDS), 201);
    }
    assertThat(node.metrics().lines())
        .anyMatch(
            line ->
                line.startsWith("idempotency_fingerprint_fallback_total{")
                    && line.contains("tenant=\"shop\"")
                    && line.contains("reason=\"limits\""));
    // A busy machine holds any loop up. One that is held up by our own work is told with its stack;
    // HostileBodiesIT measures that work to the millisecond.
    assertThat(node.err()).doesNotContain("dev.oncegate.core", "OutOfMemory", "StackOverflow");
  }

  private void sendSteady() {
    steady.add(
        node.postAsync("/billing/charges", "steady-" + sent.incrementAndGet(), "{\"amount\":1}"));
  }
}
