package dev.oncegate.store.postgres;

import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.ClaimOutcome.OutcomeUnknown;
import dev.oncegate.core.ClaimOutcome.Replay;
import dev.oncegate.core.ClaimOutcome.Won;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.ResolveOutcome.Stale;
import dev.oncegate.core.SettleOutcome.Done;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.StoredBody;
import dev.oncegate.core.TimelineEntry.Kind;
import dev.oncegate.core.Verdict;
import dev.oncegate.engine.port.RecordReader.Found;
import dev.oncegate.engine.port.RecordReader.Query;
import dev.oncegate.engine.port.RecordReader.State;
import dev.oncegate.engine.port.RecordUpkeep.Due;
import dev.oncegate.testkit.Records;
import dev.oncegate.testkit.SocketCutter;
import dev.oncegate.testkit.UpkeepUnderTest;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sweeps that come too early, too late, or in between. */
class PgSweepCasesIT {
  private static PgFixture fixture;
  private static SocketCutter cutter;
  private static PgRecordStore store;
  private static PgRecordStore x;
  private static PgUpkeep upkeep;

  @BeforeAll
  static void open() {
    fixture = new PgFixture(PgSweepCasesIT.class);
    cutter = SocketCutter.before(fixture.database.host(), fixture.database.port());
    store = fixture.open();
    upkeep = fixture.openUpkeep();
    PgStoreSettings patient =
        new PgStoreSettings(
            1,
            1,
            1,
            64,
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            Duration.ofSeconds(5),
            Duration.ofSeconds(1));
    x = fixture.open(fixture.options().setHost("127.0.0.1").setPort(cutter.port()), patient);
  }

  @AfterAll
  static void close() {
    fixture.close();
    cutter.close();
  }

  @Test
  void c10_claimWrittenWithoutALeaseEnd_isRefused() {
    RecordId id = Records.anyId();
    assertThatThrownBy(() -> fixture.database.execute(Seeds.claimed(id, null)))
        .hasMessageContaining("lease_until")
        .hasMessageContaining("not-null");
  }

  @Test
  void c10_claimWrittenWithItsLeaseAlreadyOver_isUnknownAfterOneSweepAndNeverExecuted() {
    RecordId id = Records.anyId();
    fixture.database.execute(Seeds.claimed(id, "0 seconds"));
    assertThat(found(id).record()).isInstanceOf(Unknown.class);

    assertThat(get(upkeep.lapse(100))).anyMatch(moved -> moved.id().equals(id));
    assertThat(get(store.claim(Records.claim(id)))).isInstanceOf(OutcomeUnknown.class);
    fixture.elapse(Duration.ofDays(1000));
    assertThat(get(upkeep.expire(1000)) + get(upkeep.forget(1000))).isNotNegative();
    assertThat(get(store.claim(Records.claim(id)))).isInstanceOf(OutcomeUnknown.class);
    assertThat(found(id).unknownReason()).isEqualTo("the lease lapsed");
    assertThat(get(upkeep.timeline("acme", id))).hasSize(1);
  }

  private static Found found(RecordId id) {
    List<Found> found =
        get(
            upkeep.find(
                new Query(
                    "acme",
                    Optional.of(State.UNKNOWN),
                    Optional.empty(),
                    Optional.of(id),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    10)));
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  /**
   * The sweep has no moment between read and write: what an owner is just completing is held, and
   * passed over; what it has completed is not what the sweep is looking for.
   */
  @Test
  void c11_completionUnderWayWhileTheSweepLooks_isLeftAlone() throws SQLException {
    RecordId id = Records.anyId();
    FencingToken token = lapsed(id);
    try (Connection owner = fixture.database.connect();
        Statement statement = owner.createStatement()) {
      owner.setAutoCommit(false);
      statement.execute(
          "update record set state = 'completed', status = 201, head = '', body_kind = 'none',"
              + " digest = sha256('a'), sealed = false, completed_at = now(),"
              + " due_at = now() + interval '1 hour' where id = '\\x"
              + id.hex()
              + "' and token = "
              + token.value());
      assertThat(get(upkeep.lapse(100))).noneMatch(moved -> moved.id().equals(id));
      owner.commit();
    }
    assertThat(get(upkeep.lapse(100))).noneMatch(moved -> moved.id().equals(id));
    assertThat(get(store.read(id)).orElseThrow()).isInstanceOf(Completed.class);
    assertThat(get(upkeep.timeline("acme", id))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"applied", "notApplied", "undecided"})
  void c11_verdictDecidedBeforeTheOwnersAnswer_matchesNoRow(String kind) {
    RecordId id = Records.anyId();
    FencingToken token = lapsed(id);
    get(upkeep.lapse(100));
    Due due =
        get(upkeep.take(100, Duration.ofMinutes(1))).stream()
            .filter(taken -> taken.record().facts().id().equals(id))
            .findFirst()
            .orElseThrow();
    Verdict decided = verdict(kind, due);
    StoredAnswer own = Records.answer("the upstream's own");
    assertThat(get(store.complete(id, token, own))).isInstanceOf(Done.class);

    assertThat(get(upkeep.resolve(id, token, decided, UpkeepUnderTest.probed("told"))))
        .isEqualTo(new Stale());
    Completed replayed = ((Replay) get(store.claim(Records.claim(id)))).record();
    assertThat(replayed.answer()).isEqualTo(own);
    assertThat(replayed.reconstructed()).isFalse();
    assertThat(get(upkeep.timeline("acme", id)))
        .singleElement()
        .satisfies(entry -> assertThat(entry.kind()).isEqualTo(Kind.UNKNOWN));
  }

  private static Verdict verdict(String kind, Due due) {
    return switch (kind) {
      case "applied" -> new Verdict.Applied(Records.answer("the probe's"));
      case "notApplied" -> new Verdict.NotApplied(due.takenAt(), Duration.ZERO);
      default -> new Verdict.Undecided(Optional.of(Duration.ofMinutes(1)));
    };
  }

  private static FencingToken lapsed(RecordId id) {
    FencingToken token = ((Won) get(store.claim(Records.claim(id)))).token();
    fixture.elapse(Records.LEASE);
    return token;
  }

  /**
   * X has met the stranger's row and is about to claim it anew; a sweep that was quicker takes it,
   * and Y claims and completes the key before X hears of that.
   */
  @ParameterizedTest
  @CsvSource({"A, 3600", "B, 3600", "A, 0", "B, 0"})
  void c14_rowForgottenUnderAConflict_isReadAgain(String payload, long tombstoneSeconds)
      throws SQLException {
    RecordId id = Records.anyId();
    stranger(id, tombstoneSeconds, Records.answer("old"));
    meets(id, payload, "select 1 from record where id = '\\x" + id.hex() + "' for update");
  }

  /** The same between the conflict and the read of a body that did not come along. */
  @ParameterizedTest
  @CsvSource({"A, 3600", "B, 3600", "A, 0", "B, 0"})
  void c14_rowForgottenBetweenConflictAndRead_isReadAgain(String payload, long tombstoneSeconds)
      throws SQLException {
    RecordId id = Records.anyId();
    stranger(
        id,
        tombstoneSeconds,
        Records.answer(200, new StoredBody.ByReference(Records.noise(20_000))));
    meets(id, payload, "lock table body in access exclusive mode");
  }

  private static void stranger(RecordId id, long tombstoneSeconds, StoredAnswer answer) {
    Duration tombstone = Duration.ofSeconds(tombstoneSeconds);
    FencingToken old =
        ((Won)
                get(
                    store.claim(
                        Records.claim(id, "A", Records.LEASE, Records.RETENTION, tombstone))))
            .token();
    get(store.complete(id, old, answer));
    fixture.elapse(Records.RETENTION.plus(tombstone));
  }

  /** X asks with payload A, Y with that one. */
  private static void meets(RecordId id, String payload, String hook) throws SQLException {
    StoredAnswer news = Records.answer("new");
    Future<ClaimOutcome> asked;
    try (Connection sweep = fixture.database.connect();
        Statement statement = sweep.createStatement()) {
      sweep.setAutoCommit(false);
      statement.execute(hook);
      asked = x.claim(Records.claim(id));
      Rivals.awaitBlockedBy(fixture, sweep);
      // X waits in Postgres for the sweep; what it is told then reaches it later.
      cutter.pause();
      statement.execute(UpkeepSql.EXPIRE.replace("$1", "100"));
      sweep.commit();
    }
    FencingToken token = ((Won) get(store.claim(Records.claim(id, payload)))).token();
    get(store.complete(id, token, news));
    cutter.resume();

    ClaimOutcome outcome = get(asked);
    if (payload.equals("A")) {
      assertThat(((Replay) outcome).record().answer()).isEqualTo(news);
    } else {
      assertThat(outcome).isInstanceOf(ClaimOutcome.Mismatch.class);
    }
    assertThat(get(store.read(id)).orElseThrow().facts().token()).isEqualTo(token);
    assertThat(fixture.database.query("select count(*) from body")).isEqualTo("0");
  }

  /** Only what was asked before: a verdict is no longer one of the record that was claimed anew. */
  @Test
  void c11_verdictOnAnEarlierClaim_doesNotTouchTheNext() {
    RecordId id = Records.anyId();
    FencingToken first = lapsed(id);
    get(upkeep.lapse(100));
    get(upkeep.resolve(id, first, new Verdict.NotApplied(Instant.now(), Duration.ZERO), List.of()));
    FencingToken second = lapsed(id);
    get(upkeep.lapse(100));
    assertThat(
            get(upkeep.resolve(id, first, new Verdict.Applied(Records.answer("late")), List.of())))
        .isEqualTo(new Stale());
    assertThat(get(store.read(id)).orElseThrow().facts().token()).isEqualTo(second);
  }
}
