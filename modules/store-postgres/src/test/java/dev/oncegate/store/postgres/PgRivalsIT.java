package dev.oncegate.store.postgres;

import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.ClaimOutcome.InFlight;
import dev.oncegate.core.ClaimOutcome.Won;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.testkit.Records;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PgRivalsIT {
  private static PgFixture fixture;
  private static List<PgRecordStore> stores;

  @BeforeAll
  static void open() {
    fixture = new PgFixture(PgRivalsIT.class);
    stores = List.of(fixture.open(), fixture.open(), fixture.open(), fixture.open());
  }

  @AfterAll
  static void close() {
    fixture.close();
  }

  @Test
  void c01_manyStoresClaimAtOnce_oneWins() {
    for (int round = 0; round < 20; round++) {
      RecordId id = Records.anyId();
      List<Future<ClaimOutcome>> asked = new ArrayList<>();
      for (int i = 0; i < 32; i++) {
        asked.add(stores.get(i % stores.size()).claim(Records.claim(id)));
      }
      List<ClaimOutcome> outcomes = asked.stream().map(f -> get(f)).toList();
      assertThat(outcomes).filteredOn(Won.class::isInstance).hasSize(1);
      assertThat(outcomes).filteredOn(InFlight.class::isInstance).hasSize(31);
    }
  }

  /** All collide behind one uncommitted insert, so that none can have met a record before. */
  @Test
  void c02_thirtyClaimsCollide_oneWinsAndNoneFails() throws SQLException {
    RecordId id = Records.anyId();
    try (Connection rival = fixture.database.connect()) {
      Rivals.insertUncommitted(rival, id);
      List<Future<ClaimOutcome>> asked = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        asked.add(stores.get(i % stores.size()).claim(Records.claim(id)));
      }
      Rivals.awaitBlockedBy(fixture, rival);
      rival.rollback();
      List<ClaimOutcome> outcomes = asked.stream().map(f -> get(f)).toList();
      assertThat(outcomes).filteredOn(Won.class::isInstance).hasSize(1);
      assertThat(outcomes).filteredOn(InFlight.class::isInstance).hasSize(29);
    }
  }

  @Test
  void c03_rivalCommitsAfterOurSnapshot_isMet() throws SQLException {
    RecordId id = Records.anyId();
    try (Connection rival = fixture.database.connect()) {
      Rivals.insertUncommitted(rival, id);
      Future<ClaimOutcome> asked = stores.get(0).claim(Records.claim(id));
      Rivals.awaitBlockedBy(fixture, rival);
      assertThat(asked.isComplete()).isFalse();
      rival.commit();
      assertThat(get(asked)).isInstanceOf(InFlight.class);
    }
  }

  @Test
  void c03_rivalRollsBack_weWin() throws SQLException {
    RecordId id = Records.anyId();
    try (Connection rival = fixture.database.connect()) {
      Rivals.insertUncommitted(rival, id);
      Future<ClaimOutcome> asked = stores.get(0).claim(Records.claim(id));
      Rivals.awaitBlockedBy(fixture, rival);
      rival.rollback();
      assertThat(get(asked)).isInstanceOf(Won.class);
    }
  }

  @Test
  void rivalNeverCommits_isUnavailableAndLeavesNothing() throws SQLException {
    RecordId id = Records.anyId();
    try (Connection rival = fixture.database.connect()) {
      Rivals.insertUncommitted(rival, id);
      PgRecordStore hasty = fixture.open(fixture.options(), PgFixture.HASTY);
      Future<ClaimOutcome> asked = hasty.claim(Records.claim(id));
      await().until(asked::isComplete);
      assertThat(asked.cause())
          .isInstanceOf(dev.oncegate.engine.port.RecordStore.StoreUnavailable.class);
      rival.rollback();
    }
    await().untilAsserted(() -> assertThat(fixture.database.query(countOf(id))).isEqualTo("0"));
  }

  /** Claims and releases race; a token that came later must never be smaller. */
  @Test
  void claimedAndReleasedByMany_tokensOnlyGrow() {
    RecordId id = Records.anyId();
    long last = 0;
    for (int round = 0; round < 60; round++) {
      List<Future<ClaimOutcome>> asked = new ArrayList<>();
      for (PgRecordStore store : stores) {
        asked.add(store.claim(Records.claim(id)));
      }
      for (Future<ClaimOutcome> one : asked) {
        if (get(one) instanceof Won won) {
          assertThat(won.token().value()).isGreaterThan(last);
          last = won.token().value();
          assertThat(get(stores.get(round % stores.size()).release(id, won.token())))
              .isEqualTo(new SettleOutcome.Done(null));
        }
      }
    }
  }

  @Test
  void rivalClaimedAndReleasedWhileWeWait_ourTokenIsGreater() throws SQLException {
    RecordId id = Records.anyId();
    try (Connection rival = fixture.database.connect();
        Statement statement = rival.createStatement()) {
      rival.setAutoCommit(false);
      statement.execute(
          "select pg_advisory_xact_lock(('x' || '%s')::bit(64)::bigint)"
              .formatted(id.hex().substring(0, 16)));
      Future<ClaimOutcome> asked = stores.get(0).claim(Records.claim(id));
      Rivals.awaitBlockedBy(fixture, rival);
      long theirs;
      try (ResultSet drawn = statement.executeQuery("select next_token()")) {
        drawn.next();
        theirs = drawn.getLong(1);
      }
      rival.commit();
      assertThat(((Won) get(asked)).token().value()).isGreaterThan(theirs);
    }
  }

  /** The loser's snapshot may still show the claim; what it is told must be the row's truth. */
  @Test
  void settlesRace_oneIsDoneAndTheOtherIsToldSo() {
    for (int round = 0; round < 150; round++) {
      Claim claim = Records.claim(Records.anyId());
      FencingToken token = ((Won) get(stores.get(0).claim(claim))).token();
      List<Future<SettleOutcome>> asked =
          List.of(
              stores.get(round % 2).complete(claim.id(), token, Records.answer("a")),
              stores.get(2).release(claim.id(), token),
              stores.get(3).complete(claim.id(), token, Records.answer("b")));
      List<SettleOutcome> outcomes = asked.stream().map(f -> get(f)).toList();
      assertThat(outcomes).filteredOn(SettleOutcome.Done.class::isInstance).hasSize(1);
    }
  }

  @Test
  void tokens_carryTheTimelineAboveTheSequence() {
    Claim claim = Records.claim(Records.anyId());
    FencingToken token = ((Won) get(stores.get(0).claim(claim))).token();
    String timeline = fixture.database.query("select timeline_id from pg_control_checkpoint()");
    assertThat(token.value() >>> 40).isEqualTo(Long.parseLong(timeline));
    assertThat(token.value() & ((1L << 40) - 1)).isBetween(1L, 1_000_000L);
  }

  private static String countOf(RecordId id) {
    return "select count(*) from record where id = '\\x" + id.hex() + "'";
  }
}
