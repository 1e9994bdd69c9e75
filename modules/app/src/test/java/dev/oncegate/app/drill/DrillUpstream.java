package dev.oncegate.app.drill;

import dev.oncegate.testkit.history.Answer;
import dev.oncegate.testkit.history.LedgerLine;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The upstream of the drills. It appends one line for each request to a ledger file, forces it to
 * disk, and answers afterwards, in one of several ways. Under {@code /keyed} it recognises a key
 * that had its effect; under the other prefixes whatever is sent twice happens twice.
 */
final class DrillUpstream implements AutoCloseable {
  /** How a request goes. */
  enum Way {
    /** Effect, 201. */
    PLAIN(true, true, 201, 0),
    /** Effect, and its answer comes after {@code total} and before {@code abandon}. */
    LATE(true, true, 201, 1000),
    /** Effect, and its answer comes when nobody waits any more. */
    SILENT(true, true, 201, 2500),
    /** No effect, and as silent. */
    LOST(false, false, 503, 2500),
    /** No effect, 503. */
    BUSY(false, false, 503, 0),
    /** No effect, 404. */
    ABSENT(false, true, 404, 0),
    /** Effect, and some gateway in between says 502. */
    GATEWAY(true, false, 502, 0);

    final boolean effect;
    final boolean terminal;
    final int status;
    final int stallMillis;

    Way(boolean effect, boolean terminal, int status, int stallMillis) {
      this.effect = effect;
      this.terminal = terminal;
      this.status = status;
      this.stallMillis = stallMillis;
    }
  }

  /** A line, and when it was written. */
  record Handled(LedgerLine line, String body, long at) {}

  /** A question about a key. */
  record Asked(String tenant, String key, long at) {}

  private final Vertx vertx;
  private final HttpServer server;
  private final WorkerExecutor writer;
  private final FileChannel file;
  private final List<Handled> lines = Collections.synchronizedList(new ArrayList<>());
  private final List<Asked> questions = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, Handled> effects = new ConcurrentHashMap<>();
  private volatile Supplier<Way> ways = () -> Way.PLAIN;
  private volatile int stallOfQuestions;

  private DrillUpstream(Vertx vertx, Path ledger) throws IOException {
    this.vertx = vertx;
    file = FileChannel.open(ledger, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    writer = vertx.createSharedWorkerExecutor("ledger", 1);
    server = vertx.createHttpServer().requestHandler(this::receive);
  }

  static DrillUpstream start(Vertx vertx, Path ledger) throws Exception {
    DrillUpstream upstream = new DrillUpstream(vertx, ledger);
    upstream.server.listen(0, "127.0.0.1").await(30, TimeUnit.SECONDS);
    return upstream;
  }

  int port() {
    return server.actualPort();
  }

  /** How requests go from now on; asked once for each. */
  void ways(Supplier<Way> next) {
    ways = next;
  }

  /** Mostly plain, and now and then each of the others. */
  static Way anyWay() {
    int dice = ThreadLocalRandom.current().nextInt(100);
    return dice < 80
        ? Way.PLAIN
        : dice < 84
            ? Way.LATE
            : dice < 87
                ? Way.SILENT
                : dice < 90
                    ? Way.LOST
                    : dice < 94 ? Way.BUSY : dice < 97 ? Way.ABSENT : Way.GATEWAY;
  }

  /** How long questions are left without an answer from now on. */
  void stallQuestions(int millis) {
    stallOfQuestions = millis;
  }

  List<Handled> lines() {
    synchronized (lines) {
      return List.copyOf(lines);
    }
  }

  List<Asked> questions() {
    synchronized (questions) {
      return List.copyOf(questions);
    }
  }

  private void receive(HttpServerRequest request) {
    String tenant = request.path().split("/", 3)[1];
    if (request.path().endsWith("/effects")) {
      answer(tenant, request);
      return;
    }
    request
        .body()
        .onSuccess(
            body ->
                vertx.setTimer(
                    1 + ThreadLocalRandom.current().nextInt(15), go -> handle(tenant, request)));
  }

  private void handle(String tenant, HttpServerRequest request) {
    String key = request.getHeader("Idempotency-Key");
    String attempt = request.getHeader("X-Attempt");
    long token = Long.parseLong(request.getHeader("X-Fencing-Token"));
    // A tenant whose unknown outcomes wait for a person gets few of them.
    Way chosen = ways.get();
    Way way =
        tenant.equals("held") && (chosen.stallMillis > 1000 || chosen == Way.GATEWAY)
            ? Way.PLAIN
            : chosen;
    writer
        .executeBlocking(() -> write(tenant, key, attempt, token, way))
        .onSuccess(
            handled -> {
              int stall = 1 + way.stallMillis + ThreadLocalRandom.current().nextInt(15);
              vertx.setTimer(stall, late -> reply(request, handled));
            });
  }

  private static void reply(HttpServerRequest request, Handled handled) {
    request
        .response()
        .setStatusCode(handled.line().answer().status())
        .putHeader("Content-Type", "application/json")
        .end(handled.body());
  }

  /** On the one thread that writes: what is known of a key does not change meanwhile. */
  private Handled write(String tenant, String key, String attempt, long token, Way way)
      throws IOException {
    String record = DrillClients.recordOf(tenant, key);
    Handled first = tenant.equals("keyed") ? effects.get(record) : null;
    long sequence = lines.size();
    boolean repeated = first != null;
    boolean effect = !repeated && way.effect;
    String body =
        repeated
            ? first.body()
            : new JsonObject()
                .put("tenant", tenant)
                .put("attempt", attempt)
                .put("n", sequence)
                .encode();
    int status = repeated ? 201 : way.status;
    Answer answer = new Answer(status, DrillClients.digest(Buffer.buffer(body).getBytes()));
    LedgerLine line =
        new LedgerLine(
            attempt,
            record,
            OptionalLong.of(token),
            effect,
            repeated,
            repeated || way.terminal,
            answer,
            effect
                ? Optional.of(new Answer(201, DrillClients.digest(probed(body).getBytes())))
                : Optional.empty(),
            sequence);
    file.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
    file.force(false);
    Handled handled = new Handled(line, body, RunClock.now());
    lines.add(handled);
    if (effect) {
      effects.put(record, handled);
    }
    return handled;
  }

  /** The same document, and told apart by its bytes. */
  private static Buffer probed(String body) {
    return new JsonObject(body).put("by", "probe").toBuffer();
  }

  private void answer(String tenant, HttpServerRequest request) {
    String key = request.getParam("key");
    Handled effect = effects.get(DrillClients.recordOf(tenant, key));
    questions.add(new Asked(tenant, DrillClients.recordOf(tenant, key), RunClock.now()));
    JsonArray data = new JsonArray();
    if (effect != null) {
      data.add(probed(effect.body()).toJsonObject());
    }
    Buffer body = new JsonObject().put("data", data).toBuffer();
    vertx.setTimer(
        1 + stallOfQuestions,
        late -> request.response().putHeader("Content-Type", "application/json").end(body));
  }

  @Override
  public void close() throws Exception {
    server.close().await(30, TimeUnit.SECONDS);
    writer.close().await(30, TimeUnit.SECONDS);
    file.close();
  }
}
