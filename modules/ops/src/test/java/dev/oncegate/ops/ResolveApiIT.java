package dev.oncegate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.oncegate.core.RecordId;
import dev.oncegate.testkit.Records;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** A person's verdict, on one record and on many. */
class ResolveApiIT extends OpsApiBase {
  private static final String RECORDS = "/api/v1/tenants/acme/records";
  private static final String NOT_APPLIED =
      "{\"verdict\":\"notApplied\",\"reason\":\"not in their books\",\"by\":\"Ada\"}";
  private static final String APPLIED =
      "{\"verdict\":\"applied\",\"reason\":\"seen in their books\"}";

  private final Logger log = (Logger) LoggerFactory.getLogger(WriteLog.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @BeforeEach
  void watchTheLog() {
    log.setLevel(Level.INFO);
    lines.start();
    log.addAppender(lines);
  }

  @AfterEach
  void leaveTheLog() {
    log.detachAppender(lines);
  }

  @Test
  void applied_completesAsReconstructed_withReasonAndNameInTheTimeline() {
    RecordId id = unknown("k1");
    Answer answer = resolve(id, APPLIED);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().getBoolean("resolved")).isTrue();
    JsonObject shown = get(RECORDS + "/" + id.hex()).json();
    assertThat(shown.getString("state")).isEqualTo("completed");
    assertThat(shown.getBoolean("reconstructed")).isTrue();
    JsonArray timeline = shown.getJsonArray("timeline");
    assertThat(timeline.getJsonObject(timeline.size() - 1).getString("kind")).isEqualTo("resolved");
    assertThat(timeline.encode()).contains("seen in their books", "operator");
  }

  @Test
  void notApplied_waitsForTheQuarantine_andThenReleases() {
    RecordId id = unknown("k1");
    Answer early = resolve(id, NOT_APPLIED);
    assertThat(early.status()).isEqualTo(409);
    assertThat(early.slug()).isEqualTo("quarantined");
    assertThat(early.json().getString("quarantine_until"))
        .isEqualTo(START.plus(QUARANTINE).toString());
    assertThat(early.detail()).contains("force", "happens twice");
    pass(QUARANTINE);
    assertThat(resolve(id, NOT_APPLIED).status()).isEqualTo(200);
    Answer gone = get(RECORDS + "/" + id.hex());
    assertThat(gone.status()).isEqualTo(404);
    assertThat(gone.json().getJsonArray("timeline").encode()).contains("not in their books", "Ada");
  }

  @Test
  void force_doesNotWait() {
    RecordId id = unknown("k1");
    Answer answer = resolve(id, new JsonObject(NOT_APPLIED).put("force", true).encode());
    assertThat(answer.status()).isEqualTo(200);
  }

  @Test
  void recordThatIsNotUnknown_is409WithItsState() {
    RecordId id = id("k1");
    claim(id);
    Answer answer = resolve(id, APPLIED);
    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.slug()).isEqualTo("not-unknown");
    assertThat(answer.json().getString("state")).isEqualTo("claimed");
  }

  @Test
  void lapsedClaim_canBeResolved() {
    RecordId id = id("k1");
    claim(id);
    pass(Records.LEASE.plus(QUARANTINE));
    assertThat(resolve(id, NOT_APPLIED).status()).isEqualTo(200);
  }

  @Test
  void absentRecord_is404_andSoIsOneOfAnotherTenant() {
    assertThat(resolve(id("never"), APPLIED).slug()).isEqualTo("record-absent");
    RecordId id = unknown("k1");
    assertThat(post("/api/v1/tenants/keys/records/" + id.hex() + "/resolve", APPLIED).status())
        .isEqualTo(404);
    assertThat(post("/api/v1/tenants/nobody/records/" + id.hex() + "/resolve", APPLIED).slug())
        .isEqualTo("tenant-unknown");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "[]                                            | The body is no JSON object",
        "{                                             | The body is no JSON object",
        "{'reason':'r'}                                | 'verdict' is missing",
        "{'verdict':'maybe','reason':'r'}              | 'verdict' is none of applied, notApplied",
        "{'verdict':1,'reason':'r'}                    | 'verdict' is not a text",
        "{'verdict':'applied'}                         | 'reason' is missing",
        "{'verdict':'applied','reason':'  '}           | 'reason' is missing",
        "{'verdict':'applied','reason':'a\\u0007b'}    | 'reason' is not one line",
        "{'verdict':'applied','reason':'r','by':'sweeper'} | 'by' is no person's name",
        "{'verdict':'applied','reason':'r','by':'a\\nb'} | 'by' is not one line",
        "{'verdict':'applied','reason':'r','why':'x'}  | Unknown member 'why'; there are: by,"
            + " force",
        "{'verdict':'applied','reason':'r','force':true} | 'force' only goes with notApplied",
        "{'verdict':'notApplied','reason':'r','force':'yes'} | 'force' is not true or false",
        "{'verdict':'notApplied','reason':'r','response':{'status':200}} | 'response' only goes",
        "{'verdict':'applied','reason':'r','response':[]} | 'response' is not an object",
        "{'verdict':'applied','reason':'r','response':{}} | 'response.status' is missing",
        "{'verdict':'applied','reason':'r','response':{'status':500}} | 'response.status' is not a",
        "{'verdict':'applied','reason':'r','response':{'status':201,'head':1}} | Unknown member"
            + " 'response.head'"
      })
  void orderThatCannotBeMeant_is400_andChangesNothing(String body, String detail) {
    RecordId id = unknown("k1");
    Answer answer = resolve(id, body.replace('\'', '"'));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.detail()).contains(detail);
    assertThat(get(RECORDS + "/" + id.hex()).json().getString("state")).isEqualTo("unknown");
    assertThat(lines.list).isEmpty();
  }

  @Test
  void bodyOverTheLimit_is413_andOtherContent415() {
    RecordId id = unknown("k1");
    String path = RECORDS + "/" + id.hex() + "/resolve";
    assertThat(post(path, "x".repeat(2 * 1024 * 1024 + 1)).status()).isEqualTo(413);
    Answer form = ask("POST", path, "Bearer " + TOKEN, APPLIED, "text/plain");
    assertThat(form.status()).isEqualTo(415);
    assertThat(ask("POST", path, "Bearer " + TOKEN, APPLIED, "").status()).isEqualTo(415);
    assertThat(
            ask("POST", path, "Bearer " + TOKEN, APPLIED, "application/json; charset=utf-8")
                .status())
        .isEqualTo(200);
  }

  @Test
  void everyWrite_leavesOneLine_withoutBodyOrToken() {
    RecordId id = unknown("k-secret");
    resolve(id, NOT_APPLIED);
    resolve(
        id,
        new JsonObject(APPLIED)
            .put("reason", "x\" by=\"root")
            .put("response", new JsonObject().put("status", 201).put("body", "a-body"))
            .encode());
    assertThat(lines.list).hasSize(2);
    String refused = lines.list.get(0).getFormattedMessage() + lines.list.get(0).getKeyValuePairs();
    assertThat(refused)
        .contains("refused", "acme", id.prefix(), "notApplied", "Ada", "not in their books");
    String written = lines.list.get(1).getFormattedMessage() + lines.list.get(1).getKeyValuePairs();
    assertThat(written)
        .contains("written", "x\\\" by=\\\"root", "force=\"false\"")
        .doesNotContain("a-body", "k-secret", TOKEN, id.hex());
  }

  @Test
  void threeHundredRecords_areResolvedByRouteAndTime_inOneGoOfCalls() {
    for (int i = 0; i < 300; i++) {
      unknown("k" + i);
    }
    pass(QUARANTINE);
    RecordId later = unknown("later");
    String body =
        new JsonObject(NOT_APPLIED)
            .put("route", "charges")
            .put("claimedUntil", START.plusSeconds(1).toString())
            .put("state", "unknown")
            .put("limit", 200)
            .encode();
    JsonObject first = post(RECORDS + "/resolve", body).json();
    assertThat(first.getInteger("resolved")).isEqualTo(200);
    assertThat(first.getBoolean("more")).isTrue();
    JsonObject next = new JsonObject(body).put("after", first.getString("next"));
    JsonObject second = post(RECORDS + "/resolve", next.encode()).json();
    assertThat(second.getInteger("resolved")).isEqualTo(100);
    assertThat(second.getBoolean("more")).isFalse();
    assertThat(get(RECORDS + "/" + later.hex()).json().getString("state")).isEqualTo("unknown");
    assertThat(lines.list).hasSize(2);
  }

  @Test
  void manyInQuarantine_areCounted_andStayUnknown() {
    unknown("k1");
    unknown("k2");
    pass(Duration.ofSeconds(1));
    String body = new JsonObject(NOT_APPLIED).put("route", "charges").encode();
    JsonObject answer = post(RECORDS + "/resolve", body).json();
    assertThat(answer.getInteger("quarantined")).isEqualTo(2);
    assertThat(answer.getInteger("resolved")).isZero();
    assertThat(answer.getInteger("changed")).isZero();
    assertThat(answer.getInteger("failed")).isZero();
    assertThat(store.size()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",'route':'charges','response':{'status':200}",
        ",'route':'charges','state':'claimed'",
        ",'route':'charges','limit':0",
        ",'route':'charges','limit':1001",
        ",'route':'charges','after':'x'",
        ",'claimedFrom':'now'",
        ",'claimedFrom':7"
      })
  void selectionThatCannotBeMeant_is400(String members) {
    unknown("k1");
    String body = "{'verdict':'applied','reason':'r'" + members + "}";
    assertThat(post(RECORDS + "/resolve", body.replace('\'', '"')).status()).isEqualTo(400);
    assertThat(get(RECORDS).json().getJsonArray("records").getJsonObject(0).getString("state"))
        .isEqualTo("unknown");
  }

  private Answer resolve(RecordId id, String body) {
    return post(RECORDS + "/" + id.hex() + "/resolve", body);
  }
}
