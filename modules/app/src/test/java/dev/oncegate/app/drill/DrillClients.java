package dev.oncegate.app.drill;

import dev.oncegate.core.IdempotencyKey;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.Scope;
import dev.oncegate.testkit.history.Answer;
import dev.oncegate.testkit.history.Attempt;
import dev.oncegate.testkit.history.Said;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Clients that take a key for each operation and go on until they are told a definite answer, on
 * whatever node is there; some send the same request twice at once, some reuse a key for another
 * payload. They write down everything.
 */
final class DrillClients {
  /** An attempt, and the life of a node at which it was made. */
  record Heard(Attempt attempt, String node) {}

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long HELD_FOR = 4_000_000;
  private static final long ANY_FOR = 120_000_000;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Supplier<List<DrillNode>> nodes;
  private final List<Heard> heard = Collections.synchronizedList(new ArrayList<>());
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<?>> running = new ArrayList<>();
  private final AtomicLong names = new AtomicLong();
  private volatile boolean stopping;

  DrillClients(Supplier<List<DrillNode>> nodes) {
    this.nodes = nodes;
  }

  void start(int clients, long seed) {
    for (int i = 0; i < clients; i++) {
      Random random = new Random(seed + i);
      running.add(
          threads.submit(
              () -> {
                while (!stopping) {
                  operation(random);
                }
                return null;
              }));
    }
  }

  /** Begins nothing new, and waits until every client was told. */
  void finish() throws Exception {
    stopping = true;
    for (Future<?> each : running) {
      each.get(180, TimeUnit.SECONDS);
    }
    threads.shutdown();
  }

  List<Heard> heard() {
    synchronized (heard) {
      return List.copyOf(heard);
    }
  }

  private void operation(Random random) throws Exception {
    int dice = random.nextInt(20);
    String tenant = dice < 13 ? "probed" : dice < 18 ? "keyed" : "held";
    String key = "k" + names.incrementAndGet();
    if (random.nextInt(8) == 0) {
      Future<?> twin = threads.submit(() -> until(tenant, key, "A", random.nextLong()));
      until(tenant, key, "A", random.nextLong());
      twin.get();
    } else {
      until(tenant, key, "A", random.nextLong());
    }
    if (random.nextInt(8) == 0) {
      until(tenant, key, "B", random.nextLong());
    }
    if (random.nextInt(4) == 0) {
      until(tenant, key, "A", random.nextLong());
    }
  }

  /** The same request until there is nothing more to wait for. */
  private Void until(String tenant, String key, String payload, long seed) throws Exception {
    Random random = new Random(seed);
    long since = RunClock.now();
    while (true) {
      List<DrillNode> there = nodes.get();
      if (there.isEmpty()) {
        TimeUnit.MILLISECONDS.sleep(20);
        continue;
      }
      Said said = send(there.get(random.nextInt(there.size())), tenant, key, payload);
      long waited = RunClock.now() - since;
      boolean forAPerson = tenant.equals("held") && said == Said.UNKNOWN && waited > HELD_FOR;
      if (said.isDefinite() || forAPerson || waited > ANY_FOR) {
        return null;
      }
      boolean patient = said == Said.UNKNOWN || said == Said.STILL_RUNNING;
      TimeUnit.MILLISECONDS.sleep((patient ? 200 : 30) + random.nextInt(100));
    }
  }

  /** One attempt. */
  Said send(DrillNode node, String tenant, String key, String payload) throws Exception {
    String id = "a" + names.incrementAndGet();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(node.traffic() + "/" + tenant + "/pay"))
            .timeout(PATIENCE)
            .header("Idempotency-Key", key)
            .header("X-Attempt", id)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"payload\":\"" + payload + "\"}"))
            .build();
    long invoked = RunClock.now();
    Attempt.Reply reply;
    try {
      reply = read(http.send(request, HttpResponse.BodyHandlers.ofByteArray()));
    } catch (IOException gone) {
      reply = Attempt.Reply.NONE;
    }
    Attempt attempt =
        new Attempt(id, tenant, recordOf(tenant, key), payload, invoked, RunClock.now(), reply);
    heard.add(new Heard(attempt, node.name()));
    return reply.said();
  }

  static Attempt.Reply read(HttpResponse<byte[]> response) {
    String type = response.headers().firstValue("Content-Type").orElse("");
    Optional<JsonObject> json =
        type.contains("json")
            ? Optional.of(new JsonObject(Buffer.buffer(response.body())))
            : Optional.empty();
    String slug =
        json.map(j -> j.getString("type", ""))
            .filter(t -> t.startsWith("urn:oncegate:problem:"))
            .map(t -> t.substring("urn:oncegate:problem:".length()))
            .orElse("");
    String outcome = response.headers().firstValue("Idempotency-Status").orElse("none");
    boolean kept = slug.equals("response-not-kept");
    return new Attempt.Reply(
        Said.of(slug, outcome),
        kept
            ? new Answer(json.get().getInteger("original_status"), "")
            : new Answer(response.statusCode(), digest(response.body())),
        response.headers().firstValue("Idempotency-Reconstructed").isPresent(),
        json.map(j -> j.getString("tenant")),
        response.headers().firstValue("Idempotency-Expires").stream()
            .mapToLong(DrillClients::micros)
            .findFirst());
  }

  private static long micros(String date) {
    Instant at = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    return at.getEpochSecond() * 1_000_000;
  }

  /** The record's id, as the store has it. */
  static String recordOf(String tenant, String key) {
    return RecordId.of(new Scope(tenant, "pay", Scope.SHARED), new IdempotencyKey(key)).hex();
  }

  static String digest(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
