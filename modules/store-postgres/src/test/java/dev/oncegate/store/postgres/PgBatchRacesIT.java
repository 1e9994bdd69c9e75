package dev.oncegate.store.postgres;

import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.ClaimOutcome.Won;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.engine.port.RecordStore.Renewal;
import dev.oncegate.testkit.Records;
import dev.oncegate.testkit.SocketCutter;
import dev.oncegate.testkit.SocketCutter.Direction;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Batches against each other, and batches whose connection is lost. */
class PgBatchRacesIT {
  private static final int KEYS = 60;

  @Test
  void oppositeOrders_neverDeadlock() {
    try (PgFixture fixture = new PgFixture(PgBatchRacesIT.class)) {
      List<Turn> turns = Stream.generate(() -> Turn.open(fixture, fixture::open)).limit(4).toList();
      Random random = new Random(25);
      for (int round = 0; round < 25; round++) {
        List<RecordId> ids = Stream.generate(Records::anyId).limit(KEYS).toList();
        Map<RecordId, FencingToken> tokens = claimEverywhere(turns, ids, random);
        renewEverywhere(turns, tokens, random);
        settleEverywhere(turns, tokens, random);
      }
      turns.forEach(turn -> get(turn.store.close()));
      // A session reports what it has counted when it ends.
      await()
          .untilAsserted(
              () ->
                  assertThat(
                          fixture.database.query(
                              "select count(*) from pg_stat_activity where application_name ="
                                  + " 'oncegate' and datname = current_database()"))
                      .isEqualTo("0"));
      assertThat(
              fixture.database.query(
                  "select deadlocks from pg_stat_database where datname = current_database()"))
          .isEqualTo("0");
    }
  }

  private static Map<RecordId, FencingToken> claimEverywhere(
      List<Turn> turns, List<RecordId> ids, Random random) {
    List<Future<ClaimOutcome>> asked = new ArrayList<>();
    List<RecordId> of = new ArrayList<>();
    for (Turn turn : turns) {
      List<RecordId> order = shuffled(ids, random);
      of.addAll(order);
      asked.addAll(turn.claim(order.stream().map(Records::claim).toList()));
    }
    Map<RecordId, FencingToken> tokens = new HashMap<>();
    for (int i = 0; i < asked.size(); i++) {
      ClaimOutcome outcome = get(asked.get(i));
      if (outcome instanceof Won won) {
        assertThat(tokens.put(of.get(i), won.token())).as("one winner").isNull();
      } else {
        assertThat(outcome).isInstanceOf(ClaimOutcome.InFlight.class);
      }
    }
    assertThat(tokens).hasSize(KEYS);
    return tokens;
  }

  private static void renewEverywhere(
      List<Turn> turns, Map<RecordId, FencingToken> tokens, Random random) {
    for (Turn turn : turns) {
      turn.store.renew(
          shuffled(List.copyOf(tokens.keySet()), random).stream()
              .map(id -> new Renewal(id, tokens.get(id), Records.LEASE))
              .toList());
    }
  }

  /** Half of the stores complete, the other half releases; of each record one is done. */
  private static void settleEverywhere(
      List<Turn> turns, Map<RecordId, FencingToken> tokens, Random random) {
    List<Future<SettleOutcome>> asked = new ArrayList<>();
    for (int i = 0; i < turns.size(); i++) {
      Turn turn = turns.get(i);
      boolean releasing = i % 2 == 1;
      String body = "by " + i;
      asked.addAll(
          turn.ask(
              shuffled(List.copyOf(tokens.keySet()), random),
              id ->
                  releasing
                      ? turn.store.release(id, tokens.get(id))
                      : turn.store.complete(id, tokens.get(id), Records.answer(body))));
    }
    assertThat(asked.stream().map(f -> get(f)).filter(SettleOutcome.Done.class::isInstance))
        .hasSize(KEYS);
  }

  /** A batch resolves row by row, whichever byte of it or of its answer is the last to pass. */
  @Test
  void batchCutAtBytes_everyRowIsResolvedRightly() {
    try (PgFixture fixture = new PgFixture(PgBatchRacesIT.class);
        SocketCutter cutter =
            SocketCutter.before(fixture.database.host(), fixture.database.port())) {
      PgStoreSettings one = PgFixture.PATIENT.with(1, 1, PgStoreSettings.BATCH_ROWS);
      Turn turn =
          Turn.open(
              fixture,
              () ->
                  fixture.open(fixture.options().setHost("127.0.0.1").setPort(cutter.port()), one));
      PgRecordStore direct = fixture.open();
      for (Direction direction : Direction.values()) {
        long before = cutter.passed(direction);
        Turn.won(turn.claim(Turn.claims(5)));
        long size = cutter.passed(direction) - before;
        int cuts = cutter.cuts();
        int rounds = 0;
        for (long k = 0; k < size; k += direction == Direction.TO_SERVER ? 41 : 17) {
          List<Claim> claims = Turn.claims(5);
          // One of them is met, not won.
          Claim taken = Records.claim(claims.get(2).id());
          get(direct.claim(taken));
          cutter.cutAfter(direction, k);
          List<Future<ClaimOutcome>> asked = turn.claim(claims);
          for (int i = 0; i < claims.size(); i++) {
            ClaimOutcome outcome = get(asked.get(i));
            FencingToken token = get(direct.read(claims.get(i).id())).orElseThrow().facts().token();
            if (i == 2) {
              assertThat(outcome).isInstanceOf(ClaimOutcome.InFlight.class);
            } else {
              assertThat(((Won) outcome).token()).as("byte %d %s", k, direction).isEqualTo(token);
            }
          }
          cutter.cutAfter(direction, -1);
          rounds++;
          // Warm again, so that what passes next is the batch.
          await()
              .ignoreExceptions()
              .until(() -> get(turn.store.claim(Records.claim(Records.anyId()))) instanceof Won);
        }
        assertThat(cutter.cuts() - cuts).isGreaterThanOrEqualTo(rounds - 2);
      }
    }
  }

  private static <T> List<T> shuffled(List<T> of, Random random) {
    List<T> order = new ArrayList<>(of);
    Collections.shuffle(order, random);
    return order;
  }
}
