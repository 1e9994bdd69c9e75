package dev.oncegate.app.proof;

import dev.oncegate.app.TenantsYaml;
import dev.oncegate.testkit.ScriptedUpstream;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Gateways as processes before one upstream in this JVM; keys are the tests' own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ProofBase {
  static final String LEASE = "45s";
  static final long LEASE_SECONDS = 45;

  Path directory;
  final Vertx vertx = Vertx.vertx();
  ScriptedUpstream upstream;
  private final BlockingQueue<HttpServerRequest> held = new LinkedBlockingQueue<>();
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  @BeforeAll
  void openUpstream(@TempDir Path fresh) throws Exception {
    // What is awaited comes, or the test hangs; how soon is no question here.
    Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
    directory = fresh;
    upstream = open(ScriptedUpstream.start(vertx));
    writeTenants(upstream.port(), LEASE, "15s");
  }

  @BeforeEach
  void healthyUpstream() {
    upstream.script((request, received) -> answer(request));
  }

  @AfterAll
  void closeAll() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
    vertx.close().await();
  }

  final <T extends AutoCloseable> T open(T resource) {
    opened.push(resource);
    return resource;
  }

  final void writeTenants(int port, String ttl, String renewEvery) throws IOException {
    Files.writeString(
        directory.resolve("tenants.yaml"), TenantsYaml.forProofs(port, ttl, renewEvery));
  }

  /** From now on the upstream has the effect and keeps its answer to itself. */
  final void holdAnswers() {
    held.clear();
    upstream.script((request, received) -> held.add(request));
  }

  /** The next request whose answer is held. */
  final HttpServerRequest heldRequest() throws InterruptedException {
    HttpServerRequest request = held.poll(60, TimeUnit.SECONDS);
    if (request == null) {
      throw new AssertionError("nothing reached the upstream");
    }
    return request;
  }

  /** 201 with a body that no second execution would repeat. */
  static void answer(HttpServerRequest request) {
    request
        .response()
        .setStatusCode(201)
        .putHeader("Content-Type", "application/json")
        .end("{\"id\":\"" + java.util.UUID.randomUUID() + "\"}");
  }

  /** How many requests with this key the upstream has received. */
  final long effects(String key) {
    return upstream.ledger().stream()
        .filter(received -> received.header("Idempotency-Key").contains(key))
        .count();
  }
}
