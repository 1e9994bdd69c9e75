package dev.oncegate.testkit;

import static dev.oncegate.testkit.Records.LEASE;
import static dev.oncegate.testkit.Records.RETENTION;
import static dev.oncegate.testkit.Records.TOMBSTONE;
import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.ClaimOutcome.DeadlinePassed;
import dev.oncegate.core.ClaimOutcome.InFlight;
import dev.oncegate.core.ClaimOutcome.Replay;
import dev.oncegate.core.ClaimOutcome.Won;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Expired;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.StoredBody;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Deadlines and tombstones. */
public interface ExpiryContract extends StoreUnderTest {
  @Test
  default void beforeTheDeadline_isReplay() {
    RecordId id = Records.anyId();
    completed(Records.claim(id));
    elapse(RETENTION.minusMinutes(1));
    assertThat(get(store().claim(Records.claim(id)))).isInstanceOf(Replay.class);
  }

  @Test
  default void pastTheDeadline_isDeadlinePassedAndReadsAsExpired() {
    RecordId id = Records.anyId();
    FencingToken token = completed(Records.claim(id));
    elapse(RETENTION.plusSeconds(1));

    Expired read = (Expired) read(id).orElseThrow();
    assertThat(read.facts().token()).isEqualTo(token);
    DeadlinePassed outcome = (DeadlinePassed) get(store().claim(Records.claim(id)));
    assertThat(outcome.record()).isEqualTo(read);
    assertThat(get(store().claim(Records.claim(id)))).isEqualTo(outcome);
  }

  @Test
  default void pastTheTombstone_isWonWithAGreaterToken() {
    RecordId id = Records.anyId();
    FencingToken old = completed(Records.claim(id));
    elapse(RETENTION.plus(TOMBSTONE).plusSeconds(1));

    assertThat(read(id)).isEmpty();
    Claim again = Records.claim(id, "another payload is fine for a stranger");
    Won won = (Won) get(store().claim(again));
    assertThat(won.token()).isGreaterThan(old);
    Claimed record = (Claimed) read(id).orElseThrow();
    assertThat(record.facts().fingerprint()).isEqualTo(again.fingerprint());
    assertThat(get(store().complete(id, old, Records.answer("late"))))
        .isEqualTo(new SettleOutcome.Fenced());
  }

  @Test
  default void tombstoneSeenBefore_isWonAfterItsEnd() {
    RecordId id = Records.anyId();
    FencingToken old = completed(Records.claim(id));
    elapse(RETENTION.plusSeconds(1));
    assertThat(get(store().claim(Records.claim(id)))).isInstanceOf(DeadlinePassed.class);
    elapse(TOMBSTONE);
    Won won = (Won) get(store().claim(Records.claim(id)));
    assertThat(won.token()).isGreaterThan(old);
  }

  @Test
  default void pastTheTombstoneManyAtOnce_haveOneWinner() {
    RecordId id = Records.anyId();
    FencingToken old = completed(Records.claim(id));
    elapse(RETENTION.plus(TOMBSTONE).plusSeconds(1));

    List<Future<ClaimOutcome>> asked = new ArrayList<>();
    IntStream.range(0, 20).forEach(i -> asked.add(store().claim(Records.claim(id))));
    List<ClaimOutcome> outcomes = asked.stream().map(StoreUnderTest::get).toList();
    assertThat(outcomes)
        .filteredOn(Won.class::isInstance)
        .singleElement()
        .satisfies(won -> assertThat(((Won) won).token()).isGreaterThan(old));
    assertThat(outcomes).filteredOn(InFlight.class::isInstance).hasSize(19);
  }

  @Test
  default void forget_isStrangerAtTheDeadline() {
    RecordId id = Records.anyId();
    completed(Records.claim(id, "A", LEASE, RETENTION, Duration.ZERO));
    elapse(RETENTION.minusMinutes(1));
    assertThat(get(store().claim(Records.claim(id)))).isInstanceOf(Replay.class);
    elapse(Duration.ofMinutes(2));
    assertThat(read(id)).isEmpty();
    assertThat(get(store().claim(Records.claim(id)))).isInstanceOf(Won.class);
  }

  @Test
  default void strangerClaimedAgain_completesWithItsOwnAnswer() {
    RecordId id = Records.anyId();
    StoredAnswer first = Records.answer(201, new StoredBody.ByReference(Records.noise(20_000)));
    FencingToken old = ((Won) get(store().claim(Records.claim(id)))).token();
    get(store().complete(id, old, first));
    elapse(RETENTION.plus(TOMBSTONE).plusSeconds(1));

    StoredAnswer second = Records.answer(200, new StoredBody.ByReference(Records.noise(30_000)));
    FencingToken token = ((Won) get(store().claim(Records.claim(id)))).token();
    get(store().complete(id, token, second));
    Replay replay = (Replay) get(store().claim(Records.claim(id)));
    assertThat(replay.record().answer()).isEqualTo(second);
  }

  @Test
  default void unknown_neverExpires() {
    RecordId id = Records.anyId();
    FencingToken token = ((Won) get(store().claim(Records.claim(id)))).token();
    get(store().markUnknown(id, token, "reset"));
    elapse(RETENTION.plus(TOMBSTONE).multipliedBy(10));
    assertThat(read(id).orElseThrow()).isInstanceOf(Unknown.class);
    assertThat(get(store().claim(Records.claim(id))))
        .isInstanceOf(ClaimOutcome.OutcomeUnknown.class);
  }

  private FencingToken completed(Claim claim) {
    FencingToken token = ((Won) get(store().claim(claim))).token();
    assertThat(get(store().complete(claim.id(), token, Records.answer("a"))))
        .isInstanceOf(SettleOutcome.Done.class);
    return token;
  }
}
