package dev.oncegate.app.proof;

import static dev.oncegate.app.proof.Answers.assertExecuted;
import static dev.oncegate.app.proof.Answers.assertProblem;
import static dev.oncegate.app.proof.Answers.assertReplayOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.testkit.TestPostgres;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Postgres keeps of an answer, what happens when it is damaged, and when it is over. */
class StoredAnswersIT extends ProofBase {
  private static final int CAP = 1 << 20;

  private TestPostgres.Database database;
  private Node node;

  @BeforeAll
  void start() {
    database = TestPostgres.shared().freshDatabase(StoredAnswersIT.class);
    // Sessions live in another zone than the gateway; neither may move a deadline.
    database.execute("alter database " + database.name() + " set timezone = 'America/New_York'");
    node = open(Node.on(database, directory));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8192, 8193, CAP})
  void c62_bodyUpToTheCap_isReplayedFromPostgres(int size) throws Exception {
    HttpResponse<String> winner = executed("c62-" + size, size);
    assertThat(winner.body()).hasSize(size);
    assertReplayOf(winner, charge("c62-" + size));
    assertThat(effects("c62-" + size)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {CAP + 1, 30_000_000})
  void c62_bodyOverTheCap_isStreamed_andOnlyTheFactIsKept(int size) throws Exception {
    HttpResponse<String> winner = executed("c62-" + size, size);
    assertThat(winner.body().length()).isEqualTo(size);
    HttpResponse<String> again = charge("c62-" + size);
    assertProblem(again, 409, "response-not-kept", "replayed");
    JsonObject problem = new JsonObject(again.body());
    assertThat(problem.getInteger("original_status")).isEqualTo(201);
    assertThat(problem.getString("location")).isEqualTo("/charges/1");
    assertThat(effects("c62-" + size)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "delete from body where id in (%s)",
        "update body set bytes = substr(bytes, 1, 100) where id in (%s)",
        "update body set bytes = overlay(bytes placing '\\x00' from 5000) where id in (%s)"
      })
  void c63_bodyMissingOrCut_isDamaged_andNeverExecutedAgain(String damage) throws Exception {
    String key = "c63-" + Integer.toHexString(damage.hashCode());
    executed(key, 20_000);
    String latest = "select id from record order by claimed_at desc limit 1";
    assertThat(database.execute(damage.formatted(latest))).isEqualTo(1);
    for (int i = 0; i < 2; i++) {
      assertProblem(charge(key), 500, "record-damaged", "unknown");
    }
    assertThat(effects(key)).isEqualTo(1);
    assertThat(node.err()).contains("stored record damaged");
  }

  @Test
  void c15_timesAreTheDatabasesAlone_andADeadlineThatPassedIs410() throws Exception {
    HttpResponse<String> winner = executed("c15", 10);
    ZonedDateTime deadline =
        ZonedDateTime.parse(
            Answers.header(winner, "Idempotency-Expires"), DateTimeFormatter.RFC_1123_DATE_TIME);
    assertThat(Answers.header(winner, "Idempotency-Expires")).endsWith(" GMT");
    String stored =
        database.query(
            "select floor(extract(epoch from completed_at + retention_ms * interval '1"
                + " ms'))::bigint from record order by claimed_at desc limit 1");
    assertThat(deadline.toEpochSecond()).isEqualTo(Long.parseLong(String.valueOf(stored)));
    assertReplayOf(winner, charge("c15"));

    Duration retention =
        Duration.ofMillis(
            Long.parseLong(
                String.valueOf(
                    database.query(
                        "select retention_ms from record order by claimed_at desc limit 1"))));
    database.execute(
        "update record set claimed_at = claimed_at - %1$s, lease_until = lease_until - %1$s,"
                .formatted("interval '" + (retention.toSeconds() + 1) + " s'")
            + " completed_at = completed_at - interval '"
            + (retention.toSeconds() + 1)
            + " s' where id = (select id from record order by claimed_at desc limit 1)");
    assertProblem(charge("c15"), 410, "retry-deadline-passed", "expired");
    assertThat(effects("c15")).isEqualTo(1);
  }

  private HttpResponse<String> executed(String key, int size) throws Exception {
    upstream.script(
        (request, received) -> {
          request.response().setStatusCode(201).putHeader("Location", "/charges/1");
          Streams.sendChunked(request.response(), size);
        });
    HttpResponse<String> winner = charge(key);
    assertExecuted(winner, 201);
    return winner;
  }

  private HttpResponse<String> charge(String key) throws Exception {
    return node.post("/shop/charges", key, "{\"amount\":500}");
  }
}
