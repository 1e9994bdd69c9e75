package dev.oncegate.store.postgres;

import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.ClaimOutcome.Won;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.core.StoredBody;
import dev.oncegate.engine.port.RecordStore.RecordDamaged;
import dev.oncegate.testkit.Records;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that must never be, and what becomes of those that are. */
class PgDamageIT {
  private static PgFixture fixture;
  private static PgRecordStore store;

  @BeforeAll
  static void open() {
    fixture = new PgFixture(PgDamageIT.class);
    store = fixture.open();
  }

  @AfterAll
  static void close() {
    fixture.close();
  }

  @Test
  void c10_leaseEndingWhenItBegan_isLapsedAndUnknown() {
    RecordId id = Records.anyId();
    win(id);
    fixture.database.execute("update record set lease_until = claimed_at where " + is(id));
    assertThat(get(store.claim(Records.claim(id)))).isInstanceOf(ClaimOutcome.OutcomeUnknown.class);
    assertThat(fixture.database.query("select state from record where " + is(id)))
        .isEqualTo("unknown");
  }

  @Test
  void c10_noLeaseEnd_cannotBeWritten() {
    RecordId id = Records.anyId();
    win(id);
    assertThatThrownBy(
            () -> fixture.database.execute("update record set lease_until = null where " + is(id)))
        .hasMessageContaining("lease_until");
  }

  @Test
  void c18_stateOfNoOurs_isDamagedAndTheRowIsLeftAlone() {
    RecordId id = Records.anyId();
    FencingToken token = completed(id, new StoredBody.NotKept());
    fixture.database.execute("alter table record drop constraint record_state_known");
    try {
      fixture.database.execute("update record set state = 'WEIRD' where " + is(id));
      assertDamaged(id);
      assertThatThrownBy(() -> get(store.complete(id, token, Records.answer("a"))))
          .isInstanceOf(RecordDamaged.class);
      assertThat(fixture.database.query("select state from record where " + is(id)))
          .isEqualTo("WEIRD");
      fixture.database.execute("delete from record where " + is(id));
    } finally {
      fixture.database.execute(
          "alter table record add constraint record_state_known check (state in ('claimed',"
              + " 'completed', 'unknown', 'expired'))");
    }
  }

  @Test
  void c18_cutDigest_isDamaged() {
    RecordId id = Records.anyId();
    completed(id, new StoredBody.NotKept());
    String rule =
        fixture.database.query(
            "select pg_get_constraintdef(oid) from pg_constraint where conname ="
                + " 'record_completed_is_whole' and conrelid = 'record'::regclass");
    fixture.database.execute("alter table record drop constraint record_completed_is_whole");
    try {
      fixture.database.execute("update record set digest = substr(digest, 1, 31) where " + is(id));
      assertDamaged(id);
      fixture.database.execute("delete from record where " + is(id));
    } finally {
      fixture.database.execute(
          "alter table record add constraint record_completed_is_whole " + rule);
    }
  }

  @Test
  void c63_bodyRowMissing_isDamagedAndNeverExecuted() {
    RecordId id = Records.anyId();
    completed(id, new StoredBody.ByReference(Records.noise(10_000)));
    fixture.database.execute("delete from body where " + is(id));
    assertDamaged(id);
    // Its state and payload are judged all the same once the promise has ended.
    fixture.elapse(Records.RETENTION.plus(Records.TOMBSTONE).plusSeconds(1));
    assertDamaged(id);
  }

  @Test
  void bodies_goWithTheirRecords() {
    RecordId expired = Records.anyId();
    RecordId again = Records.anyId();
    completed(expired, new StoredBody.ByReference(Records.noise(10_000)));
    completed(again, new StoredBody.ByReference(Records.noise(10_000)));
    fixture.elapse(Records.RETENTION.plusSeconds(1));
    get(store.claim(Records.claim(expired)));
    fixture.elapse(Records.TOMBSTONE);
    win(again);
    assertThat(
            fixture.database.query(
                "select count(*) from body where " + is(expired) + " or " + is(again)))
        .isEqualTo("0");
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 502, 503, 504, 599, 100, 199})
  void c25_storedStatusThatIsNotTerminal_isRefusedByTheDatabase(int status) {
    RecordId id = Records.anyId();
    completed(id, new StoredBody.NotKept());
    assertThatThrownBy(
            () ->
                fixture.database.execute(
                    "update record set status = " + status + " where " + is(id)))
        .hasMessageContaining("record_status_terminal");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "state = 'claimed'",
        "state = 'unknown', unknown_since = now(), unknown_reason = 'x'",
        "state = 'expired'",
        "state = 'released'",
        "status = null",
        "head = null",
        "digest = null",
        "digest = ''",
        "sealed = null",
        "completed_at = null",
        "body_kind = 'reference'",
        "body_kind = null",
        "body = null",
        "token = 0",
        "token = null",
        "fingerprint = 'short'",
        "id = 'short'",
        "retention_ms = -1"
      })
  void completedRowMadeImpossible_isRefusedByTheDatabase(String change) {
    RecordId id = Records.anyId();
    completed(id, new StoredBody.Inline(Records.noise(10)));
    assertThatThrownBy(
            () -> fixture.database.execute("update record set " + change + " where " + is(id)))
        .hasMessageContaining("violates");
  }

  @Test
  void unknownWithoutTimeOrReason_isRefusedByTheDatabase() {
    RecordId id = Records.anyId();
    win(id);
    assertThatThrownBy(
            () -> fixture.database.execute("update record set state = 'unknown' where " + is(id)))
        .hasMessageContaining("record_unknown_has_reason");
  }

  private void assertDamaged(RecordId id) {
    assertThatThrownBy(() -> get(store.claim(Records.claim(id)))).isInstanceOf(RecordDamaged.class);
    assertThatThrownBy(() -> get(store.claim(Records.claim(id, "B"))))
        .isInstanceOf(RecordDamaged.class);
    assertThatThrownBy(() -> get(store.read(id))).isInstanceOf(RecordDamaged.class);
  }

  private static FencingToken win(RecordId id) {
    return ((Won) get(store.claim(Records.claim(id)))).token();
  }

  private static FencingToken completed(RecordId id, StoredBody body) {
    FencingToken token = win(id);
    assertThat(get(store.complete(id, token, Records.answer(201, body))))
        .isInstanceOf(SettleOutcome.Done.class);
    return token;
  }

  private static String is(RecordId id) {
    return "id = '\\x" + id.hex() + "'";
  }
}
