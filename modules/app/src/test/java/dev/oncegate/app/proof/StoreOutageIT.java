package dev.oncegate.app.proof;

import static dev.oncegate.app.proof.Answers.assertExecuted;
import static dev.oncegate.app.proof.Answers.assertProblem;
import static dev.oncegate.app.proof.Answers.assertReplayOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.testkit.SocketCutter;
import dev.oncegate.testkit.TestPostgres;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Postgres goes away and comes back under a gateway that goes on running. */
class StoreOutageIT extends ProofBase {
  private static final String BODY = "{\"amount\":500}";

  /** The contract's 2 s. */
  private static final Duration REFUSED_WITHIN = Duration.ofSeconds(2);

  private static final int REQUESTS = 20;

  private TestPostgres server;
  private TestPostgres.Database real;
  private SocketCutter cutter;
  private Node node;

  @BeforeAll
  void start() {
    server = open(TestPostgres.embedded());
    real = server.freshDatabase(StoreOutageIT.class);
    cutter = open(SocketCutter.before(real.host(), real.port()));
    node =
        open(
            Node.onUnsure(
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

  @Test
  void c27_postgresStoppedAndStartedAgain_refusesWithoutForwarding_thenServesAgain()
      throws Exception {
    assertRefusesWhileAwayAndServesAfterwards("stopped", server::stop, server::start);
  }

  @Test
  void postgresSlow_refusesWithoutForwarding_thenServesAgain() throws Exception {
    assertRefusesWhileAwayAndServesAfterwards(
        "slow",
        () -> cutter.delay(SocketCutter.Direction.TO_CLIENT, Duration.ofSeconds(5)),
        () -> cutter.delay(SocketCutter.Direction.TO_CLIENT, Duration.ZERO));
  }

  @Test
  void postgresReadOnly_refusesWithoutForwarding_thenServesAgain() throws Exception {
    assertRefusesWhileAwayAndServesAfterwards(
        "readonly", () -> readOnly("on"), () -> readOnly("off"));
  }

  @Test
  void postgresOutOfConnections_refusesWithoutForwarding_thenServesAgain() throws Exception {
    List<Connection> taken = new ArrayList<>();
    assertRefusesWhileAwayAndServesAfterwards(
        "full",
        () -> {
          cutter.refuse(true);
          cutter.cutAll();
          takeAllConnections(taken);
          cutter.refuse(false);
        },
        () -> taken.forEach(StoreOutageIT::close));
  }

  /** For connections made from now on; those that are there are cut. */
  private void readOnly(String on) {
    try (Connection connection = real.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("set session characteristics as transaction read write");
      statement.execute(
          "alter database " + real.name() + " set default_transaction_read_only = " + on);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    cutter.cutAll();
  }

  private void takeAllConnections(List<Connection> taken) {
    try {
      while (true) {
        taken.add(real.connect());
      }
    } catch (SQLException full) {
      assertThat(full.getSQLState()).isEqualTo("53300");
    }
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void assertRefusesWhileAwayAndServesAfterwards(
      String name, Runnable leave, Runnable comeBack) throws Exception {
    String stored = name + "-stored";
    HttpResponse<String> winner = node.post("/shop/charges", stored, BODY);
    assertExecuted(winner, 201);
    // What as many requests cost on this machine now, with a Postgres that answers.
    long started = System.nanoTime();
    answers(keys(name + "-warm"));
    Duration slowness = Duration.ofNanos(System.nanoTime() - started).multipliedBy(3);
    int before = upstream.ledger().size();

    leave.run();
    List<String> keys = keys(name);
    keys.add(0, stored);
    long from = System.nanoTime();
    List<HttpResponse<String>> answers = answers(keys);
    assertThat(Duration.ofNanos(System.nanoTime() - from))
        .isLessThan(REFUSED_WITHIN.plusMillis(500).plus(slowness));
    for (HttpResponse<String> refused : answers) {
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

  private static List<String> keys(String name) {
    return IntStream.range(0, REQUESTS)
        .mapToObj(i -> name + i)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  /** All at once. */
  private List<HttpResponse<String>> answers(List<String> keys) throws Exception {
    List<CompletableFuture<HttpResponse<String>>> sent =
        keys.stream().map(key -> node.postAsync("/shop/charges", key, BODY)).toList();
    List<HttpResponse<String>> answers = new ArrayList<>();
    for (CompletableFuture<HttpResponse<String>> each : sent) {
      answers.add(each.get(60, TimeUnit.SECONDS));
    }
    return answers;
  }
}
