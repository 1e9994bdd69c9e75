package dev.oncegate.store.postgres;

import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.Bytes;
import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.ClaimOutcome.InFlight;
import dev.oncegate.core.ClaimOutcome.Mismatch;
import dev.oncegate.core.ClaimOutcome.Replay;
import dev.oncegate.core.ClaimOutcome.Won;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.SettleOutcome.Done;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.StoredBody;
import dev.oncegate.engine.port.RecordStore.StoreUnavailable;
import dev.oncegate.testkit.Records;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnectOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Claims that leave together. */
class PgBatchClaimsIT {
  private static PgFixture fixture;
  private static Turn turn;

  @BeforeAll
  static void open() {
    fixture = new PgFixture(PgBatchClaimsIT.class);
    turn = Turn.open(fixture, fixture::open);
  }

  @AfterAll
  static void close() {
    fixture.close();
  }

  @Test
  void claimsOfOneTurn_leaveAsOneStatement() {
    long before = turn.store.statements();
    List<Claim> claims = Turn.claims(PgStoreSettings.BATCH_ROWS);
    List<Won> won = Turn.won(turn.claim(claims));
    assertThat(turn.store.statements() - before).isEqualTo(1);
    for (int i = 0; i < claims.size(); i++) {
      assertThat(get(turn.store.read(claims.get(i).id())).orElseThrow().facts().claimId())
          .isEqualTo(claims.get(i).claimId());
      assertThat(get(turn.store.read(claims.get(i).id())).orElseThrow().facts().token())
          .isEqualTo(won.get(i).token());
    }
  }

  @Test
  void manyRows_leaveInFullBatches() {
    long before = turn.store.statements();
    Turn.won(turn.claim(Turn.claims(10 * PgStoreSettings.BATCH_ROWS)));
    assertThat(turn.store.statements() - before).isEqualTo(10);
  }

  @Test
  void largeRows_leaveInSmallerBatches() {
    long before = turn.store.statements();
    // Five of them are a megabyte, and one by itself is more than that.
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      claims.add(withInputs(200_000));
    }
    claims.add(withInputs(1_500_000));
    Turn.won(turn.claim(claims));
    assertThat(turn.store.statements() - before).isEqualTo(3);
  }

  @Test
  void oneRowABatch_isAStatementEach() {
    Turn single =
        Turn.open(fixture, () -> fixture.open(fixture.options(), PgFixture.PATIENT.with(4, 4, 1)));
    long before = single.store.statements();
    Turn.won(single.claim(Turn.claims(20)));
    assertThat(single.store.statements() - before).isEqualTo(20);
  }

  @Test
  void sameIdInOneTurn_oneWinsAndTheOthersMeetIt() {
    Claim first = Records.claim(Records.anyId());
    long before = turn.store.statements();
    List<ClaimOutcome> outcomes =
        turn
            .claim(
                List.of(
                    first,
                    Records.claim(first.id()),
                    first,
                    Records.claim(first.id(), "B"),
                    Records.claim(Records.anyId())))
            .stream()
            .map(f -> get(f))
            .toList();
    assertThat(outcomes.get(0)).isInstanceOf(Won.class);
    assertThat(outcomes.get(1)).isInstanceOf(InFlight.class);
    assertThat(outcomes.get(2)).isEqualTo(outcomes.get(0));
    assertThat(outcomes.get(3)).isInstanceOf(Mismatch.class);
    assertThat(outcomes.get(4)).isInstanceOf(Won.class);
    assertThat(turn.store.statements() - before).isEqualTo(1);
    assertThat(((InFlight) outcomes.get(1)).record())
        .isEqualTo(get(turn.store.read(first.id())).orElseThrow());
  }

  @Test
  void thousandClaimsOfOneKey_costFewStatements() {
    RecordId id = Records.anyId();
    long before = turn.store.statements();
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      claims.add(Records.claim(id));
    }
    List<ClaimOutcome> outcomes = turn.claim(claims).stream().map(f -> get(f)).toList();
    assertThat(outcomes).filteredOn(Won.class::isInstance).hasSize(1);
    assertThat(outcomes).filteredOn(InFlight.class::isInstance).hasSize(999);
    assertThat(turn.store.statements() - before).isLessThanOrEqualTo(2);
  }

  /**
   * A rival that holds its key's lock, as every claim of ours does, costs its neighbours nothing.
   */
  @Test
  void rivalOfOurKindStalls_onlyItsRowWaits() throws SQLException {
    List<Claim> claims = Turn.claims(20);
    RecordId stalled = claims.get(7).id();
    try (Connection rival = fixture.database.connect();
        Statement statement = rival.createStatement()) {
      rival.setAutoCommit(false);
      lock(statement, stalled);
      List<Future<ClaimOutcome>> asked = turn.claim(claims);
      for (int i = 0; i < asked.size(); i++) {
        if (i != 7) {
          assertThat(get(asked.get(i))).isInstanceOf(Won.class);
        }
      }
      assertThat(asked.get(7).isComplete()).isFalse();
      // Nor do those that come while it waits.
      Turn.won(turn.claim(Turn.claims(20)));
      assertThat(asked.get(7).isComplete()).isFalse();
      rival.rollback();
      assertThat(get(asked.get(7))).isInstanceOf(Won.class);
    }
  }

  @Test
  void rivalThatInsertsWithoutALock_delaysItsNeighboursByOneTimeout() throws SQLException {
    Turn hasty = Turn.open(fixture, () -> fixture.open(fixture.options(), PgFixture.HASTY));
    List<Claim> claims = Turn.claims(20);
    try (Connection rival = fixture.database.connect()) {
      Rivals.insertUncommitted(rival, claims.get(3).id());
      List<Future<ClaimOutcome>> asked = hasty.claim(claims);
      for (int i = 0; i < asked.size(); i++) {
        if (i != 3) {
          assertThat(get(asked.get(i))).isInstanceOf(Won.class);
        }
      }
      assertThatThrownBy(() -> get(asked.get(3))).isInstanceOf(StoreUnavailable.class);
      rival.rollback();
    }
    await().untilAsserted(() -> assertThat(get(turn.store.read(claims.get(3).id()))).isEmpty());
  }

  @Test
  void poisonedRow_costsOnlyItself() {
    fixture.database.execute(
        """
        create function refuse() returns trigger language plpgsql as $$
        begin
          raise check_violation using message = 'poisoned';
        end $$;
        create trigger refuses before insert on record
          for each row when (octet_length(new.inputs) = 666) execute function refuse();
        """);
    try {
      List<Claim> claims = new ArrayList<>(Turn.claims(30));
      claims.set(11, withInputs(666));
      claims.set(12, withInputs(666));
      List<Future<ClaimOutcome>> asked = turn.claim(claims);
      for (int i = 0; i < asked.size(); i++) {
        Future<ClaimOutcome> one = asked.get(i);
        if (i == 11 || i == 12) {
          assertThatThrownBy(() -> get(one)).isInstanceOf(BrokenInvariant.class);
          assertThat(get(turn.store.read(claims.get(i).id()))).isEmpty();
        } else {
          assertThat(get(one)).isInstanceOf(Won.class);
        }
      }
    } finally {
      fixture.database.execute("drop trigger refuses on record; drop function refuse()");
    }
  }

  /** One statement met a record and had to wait in another row while the first was released. */
  @Test
  void releasedWhileTheStatementRuns_isMetAndNotWonAsWell() throws SQLException {
    // Patient, so that the statement surely waits until the release, however slow this machine is.
    Turn turn = Turn.open(fixture, () -> fixture.open());
    PgRecordStore other = fixture.open();
    Claim held = Records.claim(Records.anyId());
    Won owner = (Won) get(other.claim(held));
    Claim waiting = Records.claim(Records.anyId());
    Claim late = Records.claim(held.id());
    try (Connection rival = fixture.database.connect()) {
      Rivals.insertUncommitted(rival, waiting.id());
      List<Future<ClaimOutcome>> asked = turn.claim(List.of(late, waiting));
      Rivals.awaitBlockedBy(fixture, rival);
      assertThat(get(other.release(held.id(), owner.token()))).isInstanceOf(Done.class);
      rival.rollback();
      assertThat(get(asked.get(0))).isInstanceOf(InFlight.class);
      assertThat(((InFlight) get(asked.get(0))).record().facts().token()).isEqualTo(owner.token());
      assertThat(get(asked.get(1))).isInstanceOf(Won.class);
    }
    assertThat(get(turn.store.read(held.id()))).isEmpty();
  }

  @Test
  void metBodiesByReference_comeWhole() {
    List<Claim> claims = Turn.claims(40);
    List<Won> won = Turn.won(turn.claim(claims));
    for (int i = 0; i < claims.size(); i++) {
      get(turn.store.complete(claims.get(i).id(), won.get(i).token(), answer(i)));
    }
    List<Future<ClaimOutcome>> asked =
        turn.claim(claims.stream().map(claim -> Records.claim(claim.id())).toList());
    for (int i = 0; i < asked.size(); i++) {
      assertThat(((Replay) get(asked.get(i))).record().answer()).isEqualTo(answer(i));
    }
  }

  @Test
  void warning_makesNoRowOfItsBatchDurable() {
    fixture.database.execute(
        """
        create function warn() returns trigger language plpgsql as $$
        begin
          raise warning 'committed locally, but might not have been replicated';
          return null;
        end $$;
        create constraint trigger warns after insert on record deferrable initially deferred
          for each row when (octet_length(new.inputs) = 777) execute function warn();
        """);
    try {
      List<Claim> claims = new ArrayList<>(Turn.claims(5));
      claims.add(withInputs(777));
      for (Future<ClaimOutcome> one : turn.claim(claims)) {
        assertThatThrownBy(() -> get(one)).hasMessageContaining("warning");
      }
      for (Claim claim : claims) {
        await().untilAsserted(() -> assertThat(get(turn.store.read(claim.id()))).isEmpty());
      }
    } finally {
      fixture.database.execute("drop trigger warns on record; drop function warn()");
    }
  }

  @Test
  void fullQueue_refusesRowsAndThoseThatJoinedAlike() {
    PgRecordStore down =
        fixture.open(
            new PgConnectOptions().setHost("127.0.0.1").setPort(1).setDatabase("x").setUser("x"),
            new PgStoreSettings(
                1,
                1,
                1,
                100,
                Duration.ofMinutes(1),
                Duration.ofMillis(500),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1)));
    RecordId hot = Records.anyId();
    List<Future<ClaimOutcome>> waiting = new ArrayList<>();
    for (int i = 0; i < 101; i++) {
      waiting.add(down.claim(Records.claim(hot)));
    }
    for (int i = 0; i < 99; i++) {
      waiting.add(down.claim(Records.claim(Records.anyId())));
    }
    for (RecordId id : List.of(hot, Records.anyId())) {
      assertThatThrownBy(() -> get(down.claim(Records.claim(id))))
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining("full");
    }
    assertThat(waiting).noneMatch(Future::isComplete);
    get(down.close());
    await().until(() -> waiting.stream().allMatch(Future::failed));
  }

  private static void lock(Statement statement, RecordId id) throws SQLException {
    statement.execute(
        "select pg_advisory_xact_lock(('x' || '%s')::bit(64)::bigint)"
            .formatted(id.hex().substring(0, 16)));
  }

  private static StoredAnswer answer(int i) {
    return Records.answer(201, new StoredBody.ByReference(Records.noise(300_000 + i)));
  }

  private static Claim withInputs(int size) {
    Claim claim = Records.claim(Records.anyId());
    Bytes inputs = Records.noise(size);
    return new Claim(
        claim.id(),
        claim.tenant(),
        claim.route(),
        claim.principalTag(),
        claim.fingerprint(),
        claim.matcher(),
        claim.policy(),
        claim.secretId(),
        claim.claimId(),
        claim.owner(),
        claim.leaseTtl(),
        claim.retention(),
        claim.tombstone(),
        inputs);
  }
}
