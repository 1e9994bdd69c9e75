package dev.oncegate.store.postgres;

import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.ClaimOutcome.InFlight;
import dev.oncegate.core.ClaimOutcome.Won;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.core.SettleOutcome.Done;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.StoredBody;
import dev.oncegate.engine.port.RecordStore.StoreUnavailable;
import dev.oncegate.testkit.Records;
import dev.oncegate.testkit.SocketCutter;
import dev.oncegate.testkit.SocketCutter.Direction;
import io.vertx.core.Future;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PgLostAnswerIT {
  private static PgFixture fixture;
  private static SocketCutter cutter;
  private static PgRecordStore store;
  private static PgRecordStore direct;

  @BeforeAll
  static void open() {
    fixture = new PgFixture(PgLostAnswerIT.class);
    cutter = SocketCutter.before(fixture.database.host(), fixture.database.port());
    PgStoreSettings one =
        new PgStoreSettings(
            1,
            1,
            1,
            1024,
            PgFixture.PATIENT.patience(),
            PgFixture.PATIENT.lockTimeout(),
            PgFixture.PATIENT.connectTimeout(),
            PgFixture.PATIENT.longestBackoff());
    store = fixture.open(fixture.options().setHost("127.0.0.1").setPort(cutter.port()), one);
    direct = fixture.open();
  }

  @AfterAll
  static void close() {
    fixture.close();
    cutter.close();
  }

  @Test
  void c05_acknowledgementLost_secondAskIsWonWithTheSameClaim() {
    warmUp();
    Claim claim = Records.claim(Records.anyId());
    int before = cutter.cuts();
    cutter.cutAfter(Direction.TO_CLIENT, 0);
    Won won = (Won) get(store.claim(claim));

    assertThat(cutter.cuts()).isEqualTo(before + 1);
    assertThat(get(direct.read(claim.id())).orElseThrow().facts().claimId())
        .isEqualTo(claim.claimId());
    assertThat(get(direct.read(claim.id())).orElseThrow().facts().token()).isEqualTo(won.token());
    assertThat(get(store.claim(Records.claim(claim.id())))).isInstanceOf(InFlight.class);
  }

  /** Every prefix of the request, and of the answer, is all that passes once. */
  @Test
  void claimCutAtEveryByte_neverTwoWinnersAndNeverTwoRows() {
    for (Direction direction : Direction.values()) {
      warmUp();
      long before = cutter.passed(direction);
      get(store.claim(Records.claim(Records.anyId())));
      long size = cutter.passed(direction) - before;
      assertThat(size).isGreaterThan(100);
      int cuts = cutter.cuts();
      for (long k = 0; k <= size - (direction == Direction.TO_CLIENT ? 1 : 0); k++) {
        // The claim before this one was won on a fresh connection, which is warm therefore.
        Claim claim = Records.claim(Records.anyId());
        cutter.cutAfter(direction, k);
        Won won = (Won) get(store.claim(claim));
        assertThat(get(direct.read(claim.id())).orElseThrow().facts().token())
            .as("cut after byte %d %s", k, direction)
            .isEqualTo(won.token());
        assertThat(get(direct.claim(Records.claim(claim.id())))).isInstanceOf(InFlight.class);
        assertThat(get(direct.claim(claim))).isEqualTo(won);
      }
      // The last byte of a request is followed by its cut, so each position has had its own.
      assertThat(cutter.cuts() - cuts)
          .isEqualTo((int) size + (direction == Direction.TO_CLIENT ? 0 : 1));
    }
  }

  @Test
  void settleCutAtEveryByte_isDoneOnce() {
    StoredAnswer answer = Records.answer(201, new StoredBody.ByReference(Records.noise(40)));
    long size = 0;
    for (Direction direction : Direction.values()) {
      for (long k = 0; k == 0 || k <= size; k++) {
        Claim claim = Records.claim(Records.anyId());
        FencingToken token = ((Won) get(direct.claim(claim))).token();
        if (k == 0) {
          size = settleSize(direction, answer);
        }
        get(store.complete(Records.anyId(), token, answer));
        cutter.cutAfter(direction, k);
        SettleOutcome outcome = get(store.complete(claim.id(), token, answer));
        Completed record = (Completed) get(direct.read(claim.id())).orElseThrow();
        assertThat(outcome).isEqualTo(new Done(record.publishedDeadline()));
        assertThat(record.answer()).isEqualTo(answer);
        cutter.cutAfter(direction, -1);
      }
    }
  }

  @Test
  void answersSwallowed_isUnavailableInTimeAndTheClaimIsWithdrawn() {
    PgRecordStore hasty =
        fixture.open(
            fixture.options().setHost("127.0.0.1").setPort(cutter.port()), PgFixture.HASTY);
    warmUp(hasty);
    Claim claim = Records.claim(Records.anyId());
    cutter.swallow(Direction.TO_CLIENT, true);
    Future<ClaimOutcome> asked = hasty.claim(claim);
    await().until(asked::isComplete);
    assertThat(asked.cause()).isInstanceOf(StoreUnavailable.class);
    // It is there; nobody may have seen it as won.
    assertThat(get(direct.read(claim.id()))).isPresent();

    cutter.swallow(Direction.TO_CLIENT, false);
    await().untilAsserted(() -> assertThat(get(direct.read(claim.id()))).isEmpty());
    await()
        .ignoreExceptions()
        .until(() -> get(hasty.claim(Records.claim(claim.id()))) instanceof Won);
    get(hasty.close());
  }

  @Test
  void slowStatements_areAwaited() {
    warmUp();
    cutter.delay(Direction.TO_CLIENT, Duration.ofMillis(300));
    try {
      assertThat(get(store.claim(Records.claim(Records.anyId())))).isInstanceOf(Won.class);
    } finally {
      cutter.delay(Direction.TO_CLIENT, Duration.ZERO);
    }
  }

  private static long settleSize(Direction direction, StoredAnswer answer) {
    FencingToken token = ((Won) get(direct.claim(Records.claim(Records.anyId())))).token();
    get(store.complete(Records.anyId(), token, answer));
    Claim claim = Records.claim(Records.anyId());
    FencingToken mine = ((Won) get(direct.claim(claim))).token();
    long before = cutter.passed(direction);
    get(store.complete(claim.id(), mine, answer));
    return cutter.passed(direction) - before;
  }

  /**
   * Connected, and the claim's statement prepared: what passes next is one exchange and no more.
   */
  private static void warmUp() {
    warmUp(store);
  }

  private static void warmUp(PgRecordStore store) {
    await()
        .ignoreExceptions()
        .until(() -> get(store.claim(Records.claim(Records.anyId()))) instanceof Won);
  }
}
