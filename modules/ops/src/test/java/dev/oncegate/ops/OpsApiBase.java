package dev.oncegate.ops;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyKey;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.Scope;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.KeyRing;
import dev.oncegate.engine.PolicyVersions;
import dev.oncegate.engine.Resolution;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.RecordUpkeep.Book;
import dev.oncegate.testkit.InMemoryPolicyArchive;
import dev.oncegate.testkit.InMemoryRecordStore;
import dev.oncegate.testkit.InMemoryUpkeep;
import dev.oncegate.testkit.ManualTime;
import dev.oncegate.testkit.Records;
import dev.oncegate.testkit.SamplePolicies;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The ops port over the reference store, asked over HTTP. */
abstract class OpsApiBase {
  static final String TOKEN = "a-token-for-this-test";
  static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  static final Duration QUARANTINE = Duration.ofSeconds(105);

  final AtomicReference<Instant> now = new AtomicReference<>(START);
  final AtomicReference<Future<List<Book>>> books = new AtomicReference<>();
  final AtomicReference<List<TenantPolicy>> tenants = new AtomicReference<>();
  final InMemoryRecordStore store = new InMemoryRecordStore(now::get);
  final InMemoryUpkeep upkeep = store.upkeep();
  private final HttpClient client = HttpClient.newHttpClient();
  private Vertx vertx;
  private int port;

  @BeforeEach
  void listen() {
    RoutePolicy charges =
        SamplePolicies.keyed(
            "charges", "POST", "/charges", SamplePolicies.protocol(Records.POLICY));
    tenants.set(List.of(SamplePolicies.tenant("acme", 9, charges), byApiKey("keys", charges)));
    OpsMetrics metrics = new OpsMetrics();
    vertx = metrics.install(Vertx.builder(), new VertxOptions()).build();
    OpsApi api = api();
    HealthChecks health = new HealthChecks(Future::succeededFuture, tenants::get, () -> false);
    port =
        vertx
            .createHttpServer()
            .requestHandler(new OpsRouter(health, metrics, api).on(vertx))
            .listen(0, "127.0.0.1")
            .await()
            .actualPort();
  }

  OpsApi api() {
    return new OpsApi(
        new OpsApi.Parts(
            AdminToken.given(TOKEN.getBytes(StandardCharsets.US_ASCII)),
            tenants::get,
            upkeep,
            () -> books.get() == null ? upkeep.books() : books.get(),
            resolution(),
            System::nanoTime));
  }

  private Resolution resolution() {
    PolicyVersions policies =
        new PolicyVersions(
            new InMemoryPolicyArchive(),
            (version, document) -> {
              throw new IllegalStateException("nothing is archived here");
            });
    policies.serve(tenants.get() == null ? List.of() : tenants.get());
    KeyRing.Secret secret = new KeyRing.Secret(Records.SECRET, Bytes.wrap(new byte[32]));
    return new Resolution(
        upkeep,
        upkeep,
        policies,
        new KeyRing(secret, List.of()),
        new ManualTime(),
        new EngineEvents() {});
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private static TenantPolicy byApiKey(String id, RoutePolicy route) {
    TenantPolicy t = SamplePolicies.tenant(id, 9, route);
    return new TenantPolicy(
        id, t.matches(), TenantPolicy.Principal.API_KEY, t.upstream(), t.unmatched(), t.routes());
  }

  /** A claim of the reference store's tenant {@code acme} and route {@code charges}. */
  static RecordId id(String key) {
    return RecordId.of(new Scope("acme", "charges", Scope.SHARED), new IdempotencyKey(key));
  }

  FencingToken claim(RecordId id) {
    return claim(Records.claim(id));
  }

  FencingToken claim(Claim claim) {
    return ((ClaimOutcome.Won) store.claim(claim).await()).token();
  }

  /** A claim of another route. */
  static Claim onRoute(String route, RecordId id) {
    Claim c = Records.claim(id);
    return new Claim(
        id,
        c.tenant(),
        route,
        c.principalTag(),
        c.fingerprint(),
        c.matcher(),
        c.policy(),
        c.secretId(),
        UUID.randomUUID(),
        c.owner(),
        c.leaseTtl(),
        c.retention(),
        c.tombstone(),
        c.inputs());
  }

  RecordId unknown(String key) {
    RecordId id = id(key);
    store.markUnknown(id, claim(id), "the connection was reset").await();
    return id;
  }

  void pass(Duration time) {
    now.updateAndGet(t -> t.plus(time));
  }

  record Answer(int status, HttpResponse<String> http) {
    JsonObject json() {
      return new JsonObject(http.body());
    }

    String slug() {
      return json().getString("type").replace("urn:oncegate:problem:", "");
    }

    String detail() {
      return json().getString("detail");
    }
  }

  Answer get(String path) {
    return ask("GET", path, "Bearer " + TOKEN, "", "application/json");
  }

  Answer post(String path, String body) {
    return ask("POST", path, "Bearer " + TOKEN, body, "application/json");
  }

  Answer ask(String method, String path, String authorization, String body, String type) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    Optional.of(authorization)
        .filter(value -> !value.isEmpty())
        .ifPresent(value -> request.header("Authorization", value));
    if (!type.isEmpty()) {
      request.header("Content-Type", type);
    }
    try {
      HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
      return new Answer(response.statusCode(), response);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Asks all at once. */
  List<Answer> together(int count, String path, String authorization) {
    var asked =
        java.util.stream.IntStream.range(0, count)
            .mapToObj(
                i ->
                    client.sendAsync(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .header("Authorization", authorization)
                            .build(),
                        BodyHandlers.ofString()))
            .toList();
    return asked.stream()
        .map(answer -> answer.join())
        .map(answer -> new Answer(answer.statusCode(), answer))
        .toList();
  }
}
