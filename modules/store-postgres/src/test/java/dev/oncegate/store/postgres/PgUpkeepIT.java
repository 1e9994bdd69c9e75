package dev.oncegate.store.postgres;

import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.ClaimOutcome.Won;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.StoredBody;
import dev.oncegate.core.TimelineEntry.Kind;
import dev.oncegate.core.TimelineEntry.Note;
import dev.oncegate.core.Verdict;
import dev.oncegate.engine.port.RecordReader;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.engine.port.RecordStore.StoreUnavailable;
import dev.oncegate.engine.port.RecordUpkeep;
import dev.oncegate.testkit.ReaderContract;
import dev.oncegate.testkit.Records;
import dev.oncegate.testkit.StoreUnderTest;
import dev.oncegate.testkit.UpkeepContract;
import dev.oncegate.testkit.UpkeepUnderTest;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PgUpkeepIT implements UpkeepContract, ReaderContract {
  private static PgFixture fixture;
  private static PgRecordStore store;
  private static PgUpkeep upkeep;

  @BeforeAll
  static void open() {
    fixture = new PgFixture(PgUpkeepIT.class);
    store = fixture.open();
    upkeep = fixture.openUpkeep();
  }

  @AfterAll
  static void close() {
    fixture.close();
  }

  @Override
  public RecordStore store() {
    return store;
  }

  @Override
  public RecordUpkeep upkeep() {
    return upkeep;
  }

  @Override
  public RecordReader reader() {
    return upkeep;
  }

  @Override
  public void elapse(Duration duration) {
    fixture.elapse(duration);
  }

  /** What an older node, or a hand, has written without a due time. */
  @Test
  void rowsWithoutAHint_getTheRightOneAndAreLeftAlone() {
    String tenant = UpkeepUnderTest.anyTenant();
    RecordId claimed = Records.anyId();
    claimed(Records.of(tenant, "r", Records.claim(claimed)));
    RecordId completed = Records.anyId();
    FencingToken token = claimed(Records.of(tenant, "r", Records.claim(completed)));
    get(store.complete(completed, token, Records.answer("a")));
    String own = "update record set due_at = '-infinity' where tenant = '" + tenant + "'";
    fixture.database.execute(own);

    assertThat(lapseAll()).noneMatch(moved -> moved.tenant().equals(tenant));
    purgeAll();
    assertThat(hints(tenant)).isEqualTo("2");
    elapse(Records.RETENTION);
    fixture.database.execute(own);
    purgeAll();
    fixture.database.execute(own);
    purgeAll();
    lapseAll();
    assertThat(book(tenant).expired()).isEqualTo(1);
    assertThat(
            fixture.database.query(
                "select string_agg(state, ',' order by state) from record where tenant = '"
                    + tenant
                    + "'"))
        .isEqualTo("expired,unknown");
  }

  @Test
  void lapsedClaimBehindManyRowsWithoutAHint_isFoundInOneLook() {
    lapseAll();
    String tenant = UpkeepUnderTest.anyTenant();
    List<Future<ClaimOutcome>> asked = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      asked.add(store.claim(Records.of(tenant, "r", Records.claim(Records.anyId()))));
    }
    asked.forEach(StoreUnderTest::get);
    fixture.database.execute(
        "update record set due_at = '-infinity', lease_until = clock_timestamp() + interval '1"
            + " hour' where tenant = '"
            + tenant
            + "'");
    RecordId lapsed = Records.anyId();
    claimed(Records.of(tenant, "r", Records.claim(lapsed)));
    fixture.database.execute(
        "update record set claimed_at = claimed_at - interval '1 hour',"
            + " lease_until = clock_timestamp() - interval '1 ms',"
            + " due_at = clock_timestamp() - interval '1 ms' where id = '\\x"
            + lapsed.hex()
            + "'");

    assertThat(get(upkeep.lapse(10))).anyMatch(moved -> moved.id().equals(lapsed));
  }

  private static String hints(String tenant) {
    return fixture.database.query(
        "select count(*) from record where tenant = '"
            + tenant
            + "' and due_at = case state when 'claimed' then lease_until"
            + " else completed_at + retention_ms * interval '1 millisecond' end");
  }

  @Test
  void purge_leavesNoBodyBehind() {
    purgeAll();
    RecordId id = Records.anyId();
    get(
        store.complete(
            id,
            claimed(Records.claim(id, "A", Records.LEASE, Records.RETENTION, Duration.ZERO)),
            Records.answer(200, new StoredBody.ByReference(Records.noise(10_000)))));
    elapse(Records.RETENTION);
    purgeAll();
    assertThat(
            fixture.database.query(
                "select count(*) from body where id not in (select id from record)"))
        .isEqualTo("0");
  }

  /** Nobody waits for a record that is held: the rest is swept, and it is swept next time. */
  @Test
  void heldRecord_isPassedOver() throws SQLException {
    RecordId held = Records.anyId();
    claimed(held);
    RecordId free = Records.anyId();
    claimed(free);
    elapse(Records.LEASE);
    try (Connection rival = fixture.database.connect();
        Statement statement = rival.createStatement()) {
      rival.setAutoCommit(false);
      statement.execute("select 1 from record where id = '\\x" + held.hex() + "' for update");
      assertThat(lapseAll())
          .anyMatch(moved -> moved.id().equals(free))
          .noneMatch(moved -> moved.id().equals(held));
      rival.rollback();
    }
    assertThat(lapseAll()).anyMatch(moved -> moved.id().equals(held));
  }

  @Test
  void verdictThatMeetsAHeldRecord_isUnavailableInTime() throws SQLException {
    RecordId id = Records.anyId();
    FencingToken token = unknown(id);
    Verdict verdict = new Verdict.NotApplied(Instant.now(), Duration.ZERO);
    try (Connection rival = fixture.database.connect();
        Statement statement = rival.createStatement()) {
      rival.setAutoCommit(false);
      statement.execute("select 1 from record where id = '\\x" + id.hex() + "' for update");
      assertThat(failure(upkeep.resolve(id, token, verdict, List.of())))
          .isInstanceOf(StoreUnavailable.class);
      rival.rollback();
    }
    get(upkeep.resolve(id, token, verdict, List.of()));
    assertThat(read(id)).isEmpty();
  }

  @Test
  void manyRowsPastTheirTime_areDrainedInBoundedBatches() {
    purgeAll();
    int rows = 20_000;
    seed("drained", rows);
    int batches = 0;
    int gone = 0;
    int some;
    do {
      some = get(upkeep.expire(1000));
      gone += some;
      batches++;
      assertThat(some).isLessThanOrEqualTo(1000);
    } while (some > 0);
    assertThat(gone).isEqualTo(rows);
    assertThat(batches).isEqualTo(rows / 1000 + 1);
    assertThat(fixture.database.query("select count(*) from record where tenant = 'drained'"))
        .isEqualTo("0");
  }

  /** However much there is to purge: a lapse is found at once. */
  @Test
  void purgeBacklog_delaysNoLapseAndNoQuestion() {
    seed("backlog", 20_000);
    RecordId lapsed = Records.anyId();
    claimed(lapsed);
    RecordId asked = Records.anyId();
    lapseAll();
    takeAll(Duration.ofDays(1000));
    unknown(asked);
    elapse(Records.LEASE);
    assertThat(get(upkeep.lapse(1000))).anyMatch(moved -> moved.id().equals(lapsed));
    assertThat(get(upkeep.take(1000, Duration.ofDays(1))))
        .extracting(due -> due.record().facts().id())
        .contains(asked, lapsed);
    purgeAll();
  }

  private static void seed(String tenant, int rows) {
    fixture.database.execute(Seeds.completed(tenant, rows, "1 day", 3_600_000, 3_600_000));
  }

  @Test
  void notesBeyondTheBound_areLostAndNothingElse() {
    RecordId id = Records.anyId();
    FencingToken token = unknown(id);
    Turn turn = Turn.open(fixture, fixture::open);
    List<Integer> many = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      many.add(i);
    }
    turn.ask(
        many,
        i -> {
          turn.store.note(id, "acme", token, new Note(Kind.FENCED, "owner", "note " + i));
          return Future.succeededFuture();
        });
    assertThat(get(turn.store.complete(id, token, Records.answer("a")))).isNotNull();
    Awaitility.await().until(() -> timeline(id).size() == 65);
    store.note(id, "acme", token, new Note(Kind.FENCED, "owner", "the last"));
    Awaitility.await().until(() -> timeline(id).size() > 65);
    assertThat(timeline(id)).hasSize(66).last().extracting("text").isEqualTo("the last");
  }

  @Test
  void nothingListens_isUnavailable() {
    PgUpkeep nowhere = PgUpkeep.open(fixture.vertx, fixture.options().setPort(1), System::nanoTime);
    assertThat(failure(nowhere.show("acme", Records.anyId()))).isInstanceOf(StoreUnavailable.class);
    get(nowhere.close());
  }

  @Test
  void damagedRow_hidesNoOther() {
    String tenant = UpkeepUnderTest.anyTenant();
    RecordId bad = Records.anyId();
    claimed(Records.of(tenant, "r", Records.claim(bad)));
    RecordId good = Records.anyId();
    assertThat(get(store.claim(Records.of(tenant, "r", Records.claim(good)))))
        .isInstanceOf(Won.class);
    elapse(Records.LEASE);
    lapseAll();
    fixture.database.execute(
        "alter table record drop constraint record_fingerprint_whole;"
            + " update record set fingerprint_version = 0 where id = '\\x"
            + bad.hex()
            + "'");
    assertThat(takeAll(Duration.ofDays(1)))
        .anyMatch(due -> due.record().facts().id().equals(good))
        .noneMatch(due -> due.record().facts().id().equals(bad));
    assertThat(book(tenant).unknown()).isEqualTo(2);
  }

  private static Throwable failure(Future<?> asked) {
    return get(asked.transform(Future::succeededFuture)).cause();
  }
}
