package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.testkit.ScriptedUpstream;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Bodies made to be expensive, beside steady traffic on the same event loop. */
class HostileBodiesIT extends GatewayTestBase {
  private static final int MEBI = 1024 * 1024;

  /** A loop that works for longer at one thing holds the steady traffic up. */
  private static final Duration HELD_UP = Duration.ofMillis(200);

  /** The most work between two ticks of the loop, in nanoseconds of its thread's CPU time. */
  private final AtomicLong longest = new AtomicLong();

  private Vertx watched;
  private Gateway gateway;

  @Test
  void hostileBodies_areAnsweredAndHoldNobodyUp() throws Exception {
    start();
    Map<String, byte[]> bodies = bodies();
    // Once before anything is measured: a JVM that has just started is slow by itself.
    assertAnswered(bodies, "warm");
    List<Long> alone = steadyWhile(() -> pause(bodies.size()));
    longest.set(0);
    List<Long> beside =
        steadyWhile(
            () -> {
              for (int round = 0; round < 3; round++) {
                assertAnswered(bodies, "round" + round);
              }
            });
    assertThat(Duration.ofNanos(longest.get())).isPositive().isLessThan(HELD_UP);
    assertThat(gateway.broken).isEmpty();
    LoggerFactory.getLogger(HostileBodiesIT.class)
        .warn("most work of the loop at one time: {} ms", longest.get() / 1_000_000.0);
    report("p99 of steady traffic alone", alone);
    report("p99 of steady traffic beside hostile bodies", beside);
  }

  private void start() throws Exception {
    // One loop for all: whoever holds it up holds up the steady traffic.
    watched = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    open(() -> Gateway.await(watched.close()));
    watch();
    ScriptedUpstream upstream = open(ScriptedUpstream.start(vertx)).answer(201, "ok");
    gateway = open(Gateway.before(watched, upstream.port()));
  }

  /**
   * Comes back between any two rounds of the loop. Counts what the loop's thread has worked and not
   * how long that took: on a busy machine it waits for others within its work.
   */
  private void watch() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    AtomicLong last = new AtomicLong(-1);
    watched.setPeriodic(
        5,
        tick -> {
          long worked = threads.getCurrentThreadCpuTime();
          long before = last.getAndSet(worked);
          if (before >= 0) {
            longest.accumulateAndGet(worked - before, Math::max);
          }
        });
  }

  private static Map<String, byte[]> bodies() throws Exception {
    Map<String, byte[]> bodies = new LinkedHashMap<>();
    bodies.put("a million digits", "1".repeat(MEBI - 8).getBytes());
    bodies.put("200,000 digits", "1".repeat(200_000).getBytes());
    bodies.put("100,000 brackets", "[".repeat(100_000).getBytes());
    bodies.put("a million brackets", "[".repeat(MEBI - 8).getBytes());
    bodies.put("exponent bomb", "1e999999999".getBytes());
    bodies.put("exponent bombs", array("1e-9999", 25_000));
    bodies.put("many numbers", array("1.000000000000000000001", 40_000));
    bodies.put("many escapes", ('"' + "\\u00e9".repeat(40_000) + '"').getBytes());
    bodies.put("colliding members", colliding(4_096).getBytes());
    bodies.put("large text", ('"' + "x".repeat(MEBI - 8) + '"').getBytes());
    return bodies;
  }

  private static byte[] array(String element, int count) {
    return ('[' + (element + ',').repeat(count - 1) + element + ']').getBytes();
  }

  /** Names with one hash code: Aa and BB in every combination. */
  private static String colliding(int count) {
    List<String> members = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      StringBuilder name = new StringBuilder();
      for (int bit = 0; bit < 12; bit++) {
        name.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      members.add("\"" + name + "\":1");
    }
    return '{' + String.join(",", members) + '}';
  }

  private void assertAnswered(Map<String, byte[]> bodies, String round) throws Exception {
    for (Map.Entry<String, byte[]> body : bodies.entrySet()) {
      String key = round + "/" + body.getKey().replace(' ', '-').replace(',', '.');
      for (String status : List.of("executed", "replayed")) {
        HttpResponse<String> answer = gateway.send(request(key, body.getValue(), null));
        assertAnswer(answer, 201, status);
      }
    }
    HttpResponse<String> bomb = gateway.send(request(round + "-bomb", bomb(), "gzip"));
    assertProblem(bomb, 413, "body-too-large", "refused");
  }

  /** 60 MB of zeros in 60 KB. */
  private static byte[] bomb() throws Exception {
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(coded)) {
      byte[] zeros = new byte[MEBI];
      for (int i = 0; i < 60; i++) {
        out.write(zeros);
      }
    }
    return coded.toByteArray();
  }

  private HttpRequest request(String key, byte[] body, String coding) {
    HttpRequest.Builder request =
        gateway
            .request("/charges")
            .header("Idempotency-Key", key)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    if (coding != null) {
      request.header("Content-Encoding", coding);
    }
    return request.build();
  }

  /** Four clients that send one small request after the other; what each took, in nanoseconds. */
  private List<Long> steadyWhile(Work work) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger number = new AtomicInteger();
    ConcurrentLinkedQueue<Long> took = new ConcurrentLinkedQueue<>();
    List<CompletableFuture<Void>> clients = new ArrayList<>();
    for (int c = 0; c < 4; c++) {
      clients.add(
          CompletableFuture.runAsync(
              () -> {
                while (!over.get()) {
                  long from = System.nanoTime();
                  String key = System.identityHashCode(took) + "-" + number.incrementAndGet();
                  assertExecuted(sent(key), 201);
                  took.add(System.nanoTime() - from);
                }
              }));
    }
    try {
      work.run();
    } finally {
      over.set(true);
    }
    for (CompletableFuture<Void> client : clients) {
      client.get(60, TimeUnit.SECONDS);
    }
    return List.copyOf(took);
  }

  private HttpResponse<String> sent(String key) {
    try {
      return gateway.charge(key, "{\"amount\":100}");
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ordinary requests for about as long as the hostile ones take. */
  private void pause(int rounds) {
    for (int i = 0; i < rounds * 60; i++) {
      sent("pause-" + i);
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  private static void report(String what, List<Long> took) {
    List<Long> sorted = took.stream().sorted().toList();
    long p99 = sorted.get(sorted.size() * 99 / 100);
    LoggerFactory.getLogger(HostileBodiesIT.class)
        .warn("{}: {} ms of {} requests", what, p99 / 1_000_000.0, sorted.size());
  }
}
