package dev.oncegate.store.postgres;

import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome.Won;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.RenewOutcome;
import dev.oncegate.engine.port.RecordStore.Renewal;
import dev.oncegate.engine.port.RecordStore.StoreUnavailable;
import dev.oncegate.testkit.Records;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnectOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Reads that wait together. */
class PgLookUpsIT {
  /** Rows of one statement under the settings here. */
  private static final int ROWS = 256;

  private static PgFixture fixture;
  private static Turn turn;

  @BeforeAll
  static void open() {
    fixture = new PgFixture(PgLookUpsIT.class);
    turn = Turn.open(fixture, fixture::open);
  }

  @AfterAll
  static void close() {
    fixture.close();
  }

  private record Owned(RecordId id, FencingToken token) {}

  @Test
  void claimsOfOneTurn_areLookedUpInOneStatement() {
    List<Owned> owned = owned(200);
    for (int i = 0; i < owned.size(); i += 3) {
      get(turn.store.release(owned.get(i).id(), owned.get(i).token()));
    }
    long before = turn.store.lookUps();
    List<Future<Boolean>> asked = standing(owned);
    for (int i = 0; i < asked.size(); i++) {
      assertThat(get(asked.get(i))).isEqualTo(i % 3 != 0);
    }
    assertThat(turn.store.lookUps() - before).isEqualTo(1);
  }

  @Test
  void oneClaimAskedForByMany_isOneRow() {
    Owned one = owned(1).get(0);
    long before = turn.store.lookUps();
    standing(Collections.nCopies(ROWS + 1, one)).forEach(f -> assertThat(get(f)).isTrue());
    assertThat(turn.store.lookUps() - before).isEqualTo(1);
  }

  @Test
  void moreThanAStatementHolds_areSeveral() {
    List<Owned> strangers = strangers(2 * ROWS + 1);
    long before = turn.store.lookUps();
    standing(strangers).forEach(f -> assertThat(get(f)).isFalse());
    assertThat(turn.store.lookUps() - before).isEqualTo(3);
  }

  @Test
  void whatComesWhileOneIsInFlight_leavesTogetherAfterIt() throws SQLException {
    Turn wide = Turn.open(fixture, () -> fixture.open(fixture.options(), withReads(2)));
    get(wide.store.ping());
    List<Owned> owned = owned(3);
    List<Future<Boolean>> asked = new ArrayList<>();
    long before = wide.store.lookUps();
    try (Connection rival = fixture.database.connect()) {
      lock(rival);
      for (Owned one : owned) {
        asked.addAll(wide.ask(List.of(one), o -> wide.store.standing(o.id(), o.token())));
        await().until(() -> wide.store.lookUps() > before);
      }
      // The other connection of the lane is free: it serves what is no look-up of claims.
      get(wide.store.ping());
      assertThat(wide.store.lookUps() - before).isEqualTo(2);
      assertThat(asked).noneMatch(Future::isComplete);
      rival.rollback();
    }
    asked.forEach(f -> assertThat(get(f)).isTrue());
    assertThat(wide.store.lookUps() - before).isEqualTo(3);
  }

  @Test
  void floodOfLookUps_keepsNoLeaseFromBeingRenewed() throws SQLException {
    Owned one = owned(1).get(0);
    List<Owned> flood = strangers(20 * ROWS);
    List<Future<?>> looked = new ArrayList<>();
    List<Future<List<RenewOutcome>>> renewed;
    Future<Long> stillWaiting;
    try (Connection rival = fixture.database.connect()) {
      lock(rival);
      looked.addAll(standing(flood));
      looked.addAll(turn.ask(flood.subList(0, 100), o -> turn.store.read(o.id())));
      renewed =
          turn.ask(
              List.of(one),
              o ->
                  turn.store.renew(List.of(new Renewal(o.id(), o.token(), Duration.ofMinutes(1)))));
      // Counted on the store's own loop: this thread may come late.
      stillWaiting =
          Future.all(renewed).map(done -> looked.stream().filter(f -> !f.isComplete()).count());
      rival.rollback();
    }
    assertThat(get(renewed.get(0))).singleElement().isInstanceOf(RenewOutcome.Renewed.class);
    assertThat(get(stillWaiting)).isGreaterThan(17L * ROWS);
    looked.forEach(f -> get(f));
  }

  @Test
  void fullQueue_refusesLookUpsAndNothingElse() {
    PgRecordStore down =
        fixture.open(
            new PgConnectOptions().setHost("127.0.0.1").setPort(1).setDatabase("x").setUser("x"),
            new PgStoreSettings(
                1,
                1,
                1,
                16,
                Duration.ofMinutes(1),
                Duration.ofMillis(500),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1)));
    List<Future<?>> waiting = new ArrayList<>();
    for (Owned one : strangers(16 * 8)) {
      waiting.add(down.standing(one.id(), one.token()));
    }
    Owned late = strangers(1).get(0);
    assertFull(down.standing(late.id(), late.token()));
    for (int i = 0; i < 16; i++) {
      waiting.add(down.read(late.id()));
    }
    assertFull(down.read(late.id()));
    waiting.add(down.renew(List.of(new Renewal(late.id(), late.token(), Duration.ofMinutes(1)))));
    assertThat(waiting).noneMatch(Future::isComplete);
    get(down.close());
    await().until(() -> waiting.stream().allMatch(Future::failed));
    assertThat(waiting).extracting(Future::cause).allMatch(StoreUnavailable.class::isInstance);
  }

  @Test
  void statementThatFails_failsAllWhoAsked() {
    List<Owned> owned = owned(5);
    fixture.database.execute("alter table record rename to moved");
    try {
      for (Future<Boolean> one : standing(owned)) {
        assertThatThrownBy(() -> get(one)).isInstanceOf(StoreUnavailable.class);
      }
    } finally {
      fixture.database.execute("alter table moved rename to record");
    }
    standing(owned).forEach(f -> assertThat(get(f)).isTrue());
  }

  @Test
  void noConnectionInTime_failsEachByItsOwnPatience() {
    PgRecordStore down =
        fixture.open(
            new PgConnectOptions().setHost("127.0.0.1").setPort(1).setDatabase("x").setUser("x"),
            PgFixture.HASTY);
    Owned one = strangers(1).get(0);
    for (Future<?> asked :
        List.of(
            down.standing(one.id(), one.token()),
            down.standing(one.id(), one.token()),
            down.read(one.id()),
            down.read(one.id()))) {
      assertThatThrownBy(() -> get(asked))
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining("had no connection in time");
    }
  }

  @Test
  void readsOfOneRecordInOneTurn_areOneStatement() {
    Owned one = owned(1).get(0);
    Owned other = owned(1).get(0);
    long before = turn.store.lookUps();
    List<Future<Optional<IdempotencyRecord>>> asked =
        turn.ask(
            Stream.concat(Collections.nCopies(50, one).stream(), Stream.of(other)).toList(),
            o -> turn.store.read(o.id()));
    for (Future<Optional<IdempotencyRecord>> read : asked.subList(0, 50)) {
      assertThat(get(read).orElseThrow().facts().token()).isEqualTo(one.token());
    }
    assertThat(get(asked.get(50)).orElseThrow().facts().token()).isEqualTo(other.token());
    assertThat(turn.store.lookUps() - before).isEqualTo(2);
  }

  /** It may have looked before what the later one wants to see. */
  @Test
  void readThatWasSent_isSharedWithNobodyWhoComesLater() throws SQLException {
    Owned one = owned(1).get(0);
    long before = turn.store.lookUps();
    Future<Optional<IdempotencyRecord>> early;
    Future<Optional<IdempotencyRecord>> late;
    try (Connection rival = fixture.database.connect()) {
      // Holds up look-ups by an exclusive lock on the bodies, which claims and settles do not need.
      lock(rival, "body");
      early = turn.ask(List.of(one), o -> turn.store.read(o.id())).get(0);
      await().until(() -> turn.store.lookUps() > before);
      late = turn.ask(List.of(one), o -> turn.store.read(o.id())).get(0);
      rival.rollback();
    }
    assertThat(get(early)).get().isInstanceOf(Claimed.class);
    assertThat(get(late)).get().isInstanceOf(Claimed.class);
    assertThat(turn.store.lookUps() - before).isEqualTo(2);
    get(turn.store.complete(one.id(), one.token(), Records.answer("a")));
    assertThat(get(turn.store.read(one.id()))).get().isInstanceOf(Completed.class);
  }

  private static void assertFull(Future<?> refused) {
    assertThatThrownBy(() -> get(refused))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("full");
  }

  private static void lock(Connection rival) throws SQLException {
    lock(rival, "record");
  }

  private static void lock(Connection rival, String table) throws SQLException {
    rival.setAutoCommit(false);
    try (Statement statement = rival.createStatement()) {
      statement.execute("lock table " + table + " in access exclusive mode");
    }
  }

  private static List<Future<Boolean>> standing(List<Owned> owned) {
    return turn.ask(owned, one -> turn.store.standing(one.id(), one.token()));
  }

  private static List<Owned> owned(int count) {
    List<Claim> claims = Turn.claims(count);
    List<Won> won = Turn.won(turn.claim(claims));
    List<Owned> owned = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      owned.add(new Owned(claims.get(i).id(), won.get(i).token()));
    }
    return owned;
  }

  private static List<Owned> strangers(int count) {
    return Stream.generate(() -> new Owned(Records.anyId(), new FencingToken(1)))
        .limit(count)
        .toList();
  }

  private static PgStoreSettings withReads(int connections) {
    PgStoreSettings patient = PgFixture.PATIENT;
    return new PgStoreSettings(
        patient.claimConnections(),
        patient.settleConnections(),
        connections,
        patient.queue(),
        patient.patience(),
        patient.lockTimeout(),
        patient.connectTimeout(),
        patient.longestBackoff());
  }
}
