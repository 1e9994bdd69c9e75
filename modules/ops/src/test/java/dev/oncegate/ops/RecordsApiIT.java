package dev.oncegate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.RecordId;
import dev.oncegate.engine.port.RecordStore.StoreUnavailable;
import dev.oncegate.testkit.Records;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Finding and showing records, and the books. */
class RecordsApiIT extends OpsApiBase {
  private static final String RECORDS = "/api/v1/tenants/acme/records";

  @Test
  void unknownRecord_isShownWithWhyAndUntilWhen_andItsTimeline() {
    RecordId id = unknown("k1");
    JsonObject shown = get(RECORDS + "/" + id.hex()).json();
    assertThat(shown.getString("state")).isEqualTo("unknown");
    assertThat(shown.getString("tenant")).isEqualTo("acme");
    assertThat(shown.getString("route")).isEqualTo("charges");
    assertThat(shown.getString("token")).isEqualTo("1");
    assertThat(shown.getString("claimedAt")).isEqualTo(START.toString());
    assertThat(shown.getString("unknownSince")).isEqualTo(START.toString());
    assertThat(shown.getString("unknownReason")).isEqualTo("the connection was reset");
    assertThat(shown.getString("quarantineUntil")).isEqualTo(START.plus(QUARANTINE).toString());
    assertThat(shown.getString("deadline")).isEqualTo(START.plus(Records.RETENTION).toString());
    assertThat(shown.getInteger("questions")).isZero();
    JsonArray timeline = shown.getJsonArray("timeline");
    assertThat(timeline.size()).isEqualTo(1);
    assertThat(timeline.getJsonObject(0).getString("kind")).isEqualTo("unknown");
    assertThat(timeline.getJsonObject(0).getString("by")).isEqualTo("owner");
  }

  @Test
  void everyState_isShown_withoutBodyAndKey() {
    RecordId id = id("k-secret");
    var token = claim(id);
    assertThat(show(id).getString("state")).isEqualTo("claimed");
    assertThat(show(id).getString("leaseUntil")).isEqualTo(START.plus(Records.LEASE).toString());
    store.complete(id, token, Records.answer("a-body")).await();
    JsonObject completed = show(id);
    assertThat(completed.getString("state")).isEqualTo("completed");
    assertThat(completed.getInteger("status")).isEqualTo(201);
    assertThat(completed.getBoolean("reconstructed")).isFalse();
    assertThat(completed.encode()).doesNotContain("a-body", "k-secret");
    pass(Records.RETENTION);
    assertThat(show(id).getString("state")).isEqualTo("expired");
    pass(Records.TOMBSTONE);
    assertThat(get(RECORDS + "/" + id.hex()).status()).isEqualTo(404);
  }

  private JsonObject show(RecordId id) {
    return get(RECORDS + "/" + id.hex()).json();
  }

  @Test
  void absentRecord_is404_withTheTimelineThatIsLeft() {
    Answer never = get(RECORDS + "/" + id("never").hex());
    assertThat(never.status()).isEqualTo(404);
    assertThat(never.slug()).isEqualTo("record-absent");
    assertThat(never.json().containsKey("timeline")).isFalse();
    RecordId id = id("k1");
    var token = claim(id);
    store.markUnknown(id, token, "reset").await();
    store.release(id, token).await();
    Answer released = get(RECORDS + "/" + id.hex());
    assertThat(released.status()).isEqualTo(404);
    assertThat(released.json().getJsonArray("timeline").size()).isEqualTo(1);
  }

  @Test
  void recordOfAnotherTenant_isAbsent() {
    RecordId id = unknown("k1");
    Answer answer = get("/api/v1/tenants/keys/records/" + id.hex());
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.slug()).isEqualTo("record-absent");
  }

  @Test
  void key_isFoundInItsScope_bareAndAsTheHeaderHadIt() {
    RecordId id = unknown("k1");
    unknown("k2");
    for (String key : List.of("k1", "%22k1%22")) {
      JsonObject found = get(RECORDS + "?route=charges&key=" + key).json();
      assertThat(ids(found)).containsExactly(id.hex());
      assertThat(found.getString("id")).isEqualTo(id.hex());
    }
    assertThat(ids(get(RECORDS + "?route=charges&key=k3").json())).isEmpty();
  }

  @Test
  void filters_bound() {
    RecordId first = unknown("k1");
    pass(Duration.ofMinutes(1));
    RecordId second = id("k2");
    claim(onRoute("refunds", second));
    assertThat(ids(get(RECORDS).json())).containsExactly(second.hex(), first.hex());
    assertThat(ids(get(RECORDS + "?state=unknown").json())).containsExactly(first.hex());
    assertThat(ids(get(RECORDS + "?route=refunds").json())).containsExactly(second.hex());
    String after = "2026-03-01T10:00:30Z";
    assertThat(ids(get(RECORDS + "?claimedFrom=" + after).json())).containsExactly(second.hex());
    assertThat(ids(get(RECORDS + "?claimedUntil=" + after).json())).containsExactly(first.hex());
    String elsewhere = "2026-03-01T12:00:30%2B02:00";
    assertThat(ids(get(RECORDS + "?claimedFrom=" + elsewhere).json()))
        .containsExactly(second.hex());
  }

  @Test
  void pages_leadThroughEverythingOnce() {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      all.add(0, unknown("k" + i).hex());
      // Two share a time, so that the id has to break the tie.
      pass(Duration.ofMillis(i % 2));
    }
    List<String> seen = new ArrayList<>();
    String query = "?limit=3";
    int pages = 0;
    for (String next = ""; next != null; pages++) {
      JsonObject page = get(RECORDS + query + (next.isEmpty() ? "" : "&after=" + next)).json();
      seen.addAll(ids(page));
      next = page.getString("next");
    }
    assertThat(seen).containsExactlyInAnyOrderElementsOf(all).doesNotHaveDuplicates();
    assertThat(pages).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "stat=unknown          | Unknown parameter 'stat'; there are: after, claimedFrom",
        "state=pending         | 'state' is none of claimed, completed, unknown, expired",
        "state=unknown&state=claimed | 'state' stands more than once",
        "limit=0               | 'limit' is no number from 1 to 1000",
        "limit=1001            | 'limit' is no number from 1 to 1000",
        "limit=x               | 'limit' is no number",
        "after=%21             | 'after' is not a cursor",
        "after=AAAA            | 'after' is not a cursor",
        "route=                | 'route' is empty",
        "claimedFrom=yesterday | 'claimedFrom' is no RFC 3339 time",
        "claimedFrom=2026-03-01T10:00:00+02:00 | a plus in a query is written %2B",
        "claimedUntil=%2B12026-03-01T10:00:00Z | 'claimedUntil' is no RFC 3339 time",
        "key=k1                | 'route' is missing",
        "key=&route=charges    | 'key' is not a key",
        "key=%22k1&route=charges | 'key' begins with a quote",
        "principal=p           | 'principal' needs 'key' and 'route'",
        "key=k1&route=charges&principal=p | 'principal' does not count"
      })
  void queryThatCannotBeMeant_is400_andSaysWhatIsWrong(String query, String detail) {
    Answer answer = get(RECORDS + "?" + query);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.slug()).isEqualTo("request-malformed");
    assertThat(answer.detail()).contains(detail);
  }

  @Test
  void keyOfATenantWithApiKeys_needsItsPrincipal() {
    String path = "/api/v1/tenants/keys/records?route=charges&key=k1";
    assertThat(get(path).detail()).contains("'principal' is missing");
    assertThat(get(path + "&principal=").status()).isEqualTo(400);
    assertThat(get(path + "&principal=mobile").status()).isEqualTo(200);
  }

  @Test
  void badRecordId_is400() {
    assertThat(get(RECORDS + "/xyz").status()).isEqualTo(400);
    assertThat(get(RECORDS + "/" + "g".repeat(64)).status()).isEqualTo(400);
  }

  @Test
  void removedTenant_isServedAsLongAsItHasRecords() {
    RecordId id = unknown("k1");
    tenants.set(List.of());
    assertThat(ids(get(RECORDS).json())).containsExactly(id.hex());
    assertThat(get(RECORDS + "?key=k1&route=charges").detail()).contains("not configured any more");
    assertThat(ids(get(RECORDS + "?key=k1&route=charges&principal=").json()))
        .containsExactly(id.hex());
    assertThat(show(id).containsKey("quarantineUntil")).isFalse();
    JsonArray listed = get("/api/v1/tenants").json().getJsonArray("tenants");
    assertThat(listed.getJsonObject(0).getBoolean("configured")).isFalse();
  }

  @Test
  void unknownTenant_is404() {
    for (String path : List.of("/stats", "/records", "/records/" + "00".repeat(32))) {
      Answer answer = get("/api/v1/tenants/nobody" + path);
      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.slug()).isEqualTo("tenant-unknown");
    }
  }

  @Test
  void stats_areTheBooks() {
    unknown("k1");
    claim(id("k2"));
    pass(Duration.ofSeconds(7));
    JsonObject stats = get("/api/v1/tenants/acme/stats").json();
    assertThat(stats.getLong("claims")).isEqualTo(2);
    assertThat(stats.getLong("unknown")).isEqualTo(1);
    assertThat(stats.getLong("running")).isEqualTo(1);
    assertThat(stats.getLong("imbalance")).isZero();
    assertThat(stats.getLong("oldestUnknownSeconds")).isEqualTo(7);
    JsonObject none = get("/api/v1/tenants/keys/stats").json();
    assertThat(none.getLong("claims")).isZero();
    assertThat(none.getValue("oldestUnknownSeconds")).isNull();
  }

  @Test
  void tenants_areListedWithTheirKeyedRoutes() {
    JsonArray listed = get("/api/v1/tenants").json().getJsonArray("tenants");
    assertThat(listed.getJsonObject(0).getString("id")).isEqualTo("acme");
    assertThat(listed.getJsonObject(0).getJsonArray("routes").getList())
        .isEqualTo(List.of("charges"));
    assertThat(listed.getJsonObject(1).getString("id")).isEqualTo("keys");
  }

  @Test
  void storeThatCannotBeUsed_is503() {
    books.set(Future.failedFuture(new StoreUnavailable("refused")));
    Answer answer = get("/api/v1/tenants/acme/stats");
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.slug()).isEqualTo("store-unavailable");
    assertThat(answer.http().headers().firstValue("Retry-After")).hasValue("2");
  }

  @Test
  void failureThatNobodyExpects_is500WithoutItsText() {
    books.set(Future.failedFuture(new IllegalStateException("inner secret")));
    Answer answer = get("/api/v1/tenants/acme/stats");
    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.http().body()).contains("internal-error").doesNotContain("inner secret");
  }

  @Test
  void unknownPathAndMethod_areProblemsToo() {
    Answer path = get("/api/v1/nothing");
    assertThat(path.status()).isEqualTo(404);
    assertThat(path.slug()).isEqualTo("path-unknown");
    Answer method = ask("DELETE", RECORDS, "Bearer " + TOKEN, "", "");
    assertThat(method.status()).isEqualTo(405);
    assertThat(method.slug()).isEqualTo("method-not-allowed");
  }

  private static List<String> ids(JsonObject page) {
    return page.getJsonArray("records").stream()
        .map(record -> ((JsonObject) record).getString("id"))
        .toList();
  }
}
