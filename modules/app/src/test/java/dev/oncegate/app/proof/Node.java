package dev.oncegate.app.proof;

import dev.oncegate.app.OncegateProcess;
import dev.oncegate.testkit.TestPostgres;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** A gateway process that serves, and what a client says to it. */
final class Node implements AutoCloseable {
  private static final String ADMIN_TOKEN = "proof-token-".repeat(4);

  static final String KEY_OF_U1 = "key-of-u1";
  static final String KEY_OF_U2 = "key-of-u2";

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final OncegateProcess process;
  private final URI traffic;
  private final URI ops;

  private Node(OncegateProcess process, String host) {
    this.process = process;
    List<URI> addresses = process.ready();
    this.traffic = at(host, addresses.get(0));
    this.ops = at(host, addresses.get(1));
  }

  private static URI at(String host, URI address) {
    return URI.create(address.getScheme() + "://" + host + ":" + address.getPort());
  }

  /** On the Postgres of its own data directory. */
  static Node embedded(Path directory) {
    return start(directory, List.of(), Map.of());
  }

  /**
   * On a Postgres that others use as well; patient, since on a busy machine a claim may take longer
   * than the built-in patience.
   */
  static Node on(TestPostgres.Database database, Path directory) {
    Path settings = directory.resolve("patient.yaml");
    try {
      Files.writeString(settings, "store: { pool: { patience: 30s, connectTimeout: 30s } }\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return start(
        directory,
        List.of("--postgres", database.uri()),
        Map.of("ONCEGATE_CONFIG", settings.toString()));
  }

  /** The same with the built-in patience, for a Postgres that goes away. */
  static Node onUnsure(TestPostgres.Database database, Path directory) {
    return start(directory, List.of("--postgres", database.uri()), Map.of());
  }

  /** One of several nodes, each with its own settings. */
  static Node one(NodeSettings its, TestPostgres.Database database, Path directory) {
    return one(its, database, directory, Map.of());
  }

  /** The same with more of an environment. */
  static Node one(
      NodeSettings its,
      TestPostgres.Database database,
      Path directory,
      Map<String, String> environment) {
    Map<String, String> all = new HashMap<>(its.environment(directory));
    all.putAll(environment);
    return start(directory, List.of("--postgres", database.uri()), all);
  }

  /** The same in a namespace of its own, from where it reaches the database by a relay. */
  static Node in(Namespace its, NodeSettings settings, String database, Path directory) {
    OncegateProcess process =
        OncegateProcess.start(
            its.enter(),
            directory,
            environment(settings.environment(directory)),
            arguments("0.0.0.0", List.of("--postgres", database)));
    return new Node(process, its.address());
  }

  private static Node start(Path directory, List<String> store, Map<String, String> settings) {
    return new Node(
        OncegateProcess.start(directory, environment(settings), arguments("127.0.0.1", store)),
        "127.0.0.1");
  }

  private static Map<String, String> environment(Map<String, String> settings) {
    Map<String, String> environment = new HashMap<>();
    environment.put("ONCEGATE_INSTANCES", "2");
    environment.put("ONCEGATE_SECRET", "ab".repeat(32));
    environment.put("ONCEGATE_ADMIN_TOKEN", ADMIN_TOKEN);
    environment.put("ONCEGATE_DRAIN_TIMEOUT", "5s");
    environment.put("TEAM_U1_SHA256", sha256(KEY_OF_U1));
    environment.put("TEAM_U2_SHA256", sha256(KEY_OF_U2));
    environment.putAll(settings);
    return environment;
  }

  private static String[] arguments(String host, List<String> store) {
    List<String> arguments =
        new ArrayList<>(
            List.of("serve", "--host", host, "--port", "0", "--ops-host", host, "--ops-port", "0"));
    arguments.addAll(store);
    return arguments.toArray(String[]::new);
  }

  /** SIGSTOP, until {@link #goOn}. */
  void freeze() {
    process.freeze();
  }

  void goOn() {
    process.goOn();
  }

  /** The ops API, with its token. */
  HttpRequest.Builder api(String path) {
    return HttpRequest.newBuilder(URI.create(ops + "/api/v1" + path))
        .timeout(Duration.ofSeconds(60))
        .header("Authorization", "Bearer " + ADMIN_TOKEN);
  }

  /** Where clients come in. */
  URI traffic() {
    return traffic;
  }

  long pid() {
    return process.pid();
  }

  int port() {
    return traffic.getPort();
  }

  /** A request with a body that is JSON unless the caller says otherwise. */
  HttpRequest.Builder request(String path, String key, String body) {
    return request(traffic, path, key, body);
  }

  /** The same at another address: that of a relay before the gateway. */
  static HttpRequest.Builder request(URI at, String path, String key, String body) {
    return HttpRequest.newBuilder(URI.create(at + path))
        .timeout(Duration.ofSeconds(60))
        .header("Idempotency-Key", key)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body));
  }

  HttpResponse<String> post(String path, String key, String body) throws Exception {
    return send(request(path, key, body));
  }

  CompletableFuture<HttpResponse<String>> postAsync(String path, String key, String body) {
    return CLIENT.sendAsync(request(path, key, body).build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> get(String path) throws Exception {
    return send(HttpRequest.newBuilder(URI.create(traffic + path)).timeout(Duration.ofSeconds(60)));
  }

  static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** The counter {@code idempotency_requests_total}; 0 where there is none. */
  int counted(String tenant, String route, String outcome) throws Exception {
    return metrics()
        .lines()
        .filter(line -> line.startsWith("idempotency_requests_total{"))
        .filter(line -> line.contains("tenant=\"" + tenant + "\""))
        .filter(line -> line.contains("route=\"" + route + "\""))
        .filter(line -> line.contains("outcome=\"" + outcome + "\""))
        .mapToInt(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** The sum of the series of a metric with all these labels; 0 where there is none. */
  long measured(String metric, String... labels) throws Exception {
    return metrics()
        .lines()
        .filter(line -> line.startsWith(metric + "{"))
        .filter(line -> Stream.of(labels).allMatch(line::contains))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** How many requests of a tenant wait on this node. */
  long parked(String tenant) throws Exception {
    return measured("idempotency_parked_requests", "tenant=\"" + tenant + "\"");
  }

  /** How many waits of a tenant have ended so on this node: local, bus, poll or timeout. */
  long woken(String tenant, String by) throws Exception {
    return measured(
        "idempotency_park_wait_seconds_count",
        "tenant=\"" + tenant + "\"",
        "woken_by=\"" + by + "\"");
  }

  /** What {@code /health/ready} says, whatever its status. */
  JsonObject health() throws Exception {
    return new JsonObject(send(HttpRequest.newBuilder(URI.create(ops + "/health/ready"))).body());
  }

  /** Whether this node and the others find each other on the bus. */
  boolean onBus() throws Exception {
    JsonObject health = health();
    return health.containsKey("bus") && !health.containsKey("degraded");
  }

  String metrics() throws Exception {
    return send(HttpRequest.newBuilder(URI.create(ops + "/metrics"))).body();
  }

  /** The status of {@code /health/ready}. */
  int ready() throws Exception {
    return send(HttpRequest.newBuilder(URI.create(ops + "/health/ready"))).statusCode();
  }

  String err() {
    return process.err();
  }

  /** SIGKILL. */
  void kill() {
    process.kill();
  }

  /** SIGTERM; does not wait for the end. */
  void terminate() {
    process.terminate();
  }

  /** Waits for the end. */
  int exitCode() {
    return process.exitCode();
  }

  @Override
  public void close() {
    process.close();
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
