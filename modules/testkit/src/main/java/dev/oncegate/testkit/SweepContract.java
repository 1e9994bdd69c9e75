package dev.oncegate.testkit;

import static dev.oncegate.testkit.Records.LEASE;
import static dev.oncegate.testkit.Records.RETENTION;
import static dev.oncegate.testkit.Records.TOMBSTONE;
import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.ClaimOutcome.DeadlinePassed;
import dev.oncegate.core.ClaimOutcome.OutcomeUnknown;
import dev.oncegate.core.ClaimOutcome.Won;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Expired;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.RenewOutcome.Renewed;
import dev.oncegate.core.SettleOutcome.Done;
import dev.oncegate.core.StoredBody;
import dev.oncegate.core.Verdict;
import dev.oncegate.engine.port.RecordStore.Renewal;
import dev.oncegate.engine.port.RecordUpkeep.Due;
import dev.oncegate.engine.port.RecordUpkeep.Moved;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Lapses, purges, and who asks next. */
public interface SweepContract extends UpkeepUnderTest {
  Duration HOLD = Duration.ofMinutes(1);

  @Test
  default void lapse_movesOnlyWhatHasLapsedAndKeepsTheToken() {
    RecordId lapsed = Records.anyId();
    FencingToken token = claimed(lapsed);
    elapse(LEASE);
    RecordId alive = Records.anyId();
    claimed(alive);

    assertThat(lapseAll())
        .contains(new Moved("acme", "charges", lapsed, token))
        .noneMatch(moved -> moved.id().equals(alive));
    Unknown record = (Unknown) read(lapsed).orElseThrow();
    assertThat(record.facts().token()).isEqualTo(token);
    assertThat(record.since()).isEqualTo(record.facts().claimedAt().plus(LEASE));
    assertThat(read(alive).orElseThrow()).isInstanceOf(Claimed.class);
    assertThat(told(lapsed)).containsExactly("unknown sweeper");
    assertThat(lapseAll()).noneMatch(moved -> moved.id().equals(lapsed));
  }

  @Test
  default void lapse_isBounded() {
    Stream.generate(Records::anyId).limit(5).forEach(this::claimed);
    elapse(LEASE);
    assertThat(get(upkeep().lapse(2))).hasSize(2);
    assertThat(get(upkeep().lapse(2))).hasSize(2);
  }

  @Test
  default void renewedLease_doesNotLapse() {
    RecordId id = Records.anyId();
    FencingToken token = claimed(id);
    elapse(LEASE.minusSeconds(5));
    assertThat(get(store().renew(List.of(new Renewal(id, token, LEASE)))).get(0))
        .isInstanceOf(Renewed.class);
    elapse(LEASE.minusSeconds(5));
    assertThat(lapseAll()).noneMatch(moved -> moved.id().equals(id));
    elapse(Duration.ofSeconds(5));
    assertThat(lapseAll()).anyMatch(moved -> moved.id().equals(id));
  }

  @Test
  default void lateOwner_completesAfterTheLapse() {
    RecordId id = Records.anyId();
    FencingToken token = claimed(id);
    elapse(LEASE);
    lapseAll();
    assertThat(get(store().complete(id, token, Records.answer("late")))).isInstanceOf(Done.class);
    assertThat(((Completed) read(id).orElseThrow()).reconstructed()).isFalse();
    assertThat(told(id)).containsExactly("unknown sweeper");
  }

  @Test
  default void claimThatMeetsALapse_writesItDownOnce() {
    RecordId id = Records.anyId();
    claimed(id);
    elapse(LEASE);
    assertThat(get(store().claim(Records.claim(id)))).isInstanceOf(OutcomeUnknown.class);
    assertThat(get(store().claim(Records.claim(id)))).isInstanceOf(OutcomeUnknown.class);
    assertThat(told(id)).containsExactly("unknown claim");
    assertThat(lapseAll()).noneMatch(moved -> moved.id().equals(id));
    assertThat(takeAll(HOLD)).anyMatch(due -> due.record().facts().id().equals(id));
  }

  @Test
  default void ownersUnknown_isToldOnceWithABoundedReason() {
    RecordId id = Records.anyId();
    FencingToken token = claimed(id);
    get(store().markUnknown(id, token, "x".repeat(5000)));
    get(store().markUnknown(id, token, "again"));
    assertThat(told(id)).containsExactly("unknown owner");
    assertThat(timeline(id).get(0).text()).startsWith("xxx").hasSizeLessThanOrEqualTo(500);
    assertThat(shown(id).unknownReason()).startsWith("xxx").hasSizeLessThanOrEqualTo(500);
  }

  @Test
  default void expire_leavesTheTombstoneAndForgetTakesItAtItsEnd() {
    RecordId id = Records.anyId();
    FencingToken token = claimed(id);
    get(
        store()
            .complete(
                id, token, Records.answer(201, new StoredBody.ByReference(Records.noise(9000)))));
    elapse(RETENTION.minusMinutes(1));
    purgeAll();
    assertThat(read(id).orElseThrow()).isInstanceOf(Completed.class);
    elapse(Duration.ofMinutes(1));
    assertThat(purgeAll()).isPositive();
    assertThat(((Expired) read(id).orElseThrow()).facts().token()).isEqualTo(token);
    assertThat(get(store().claim(Records.claim(id)))).isInstanceOf(DeadlinePassed.class);
    elapse(TOMBSTONE.minusMinutes(1));
    purgeAll();
    assertThat(read(id).orElseThrow()).isInstanceOf(Expired.class);
    elapse(Duration.ofMinutes(1));
    assertThat(purgeAll()).isPositive();
    assertThat(((Won) get(store().claim(Records.claim(id, "B")))).token()).isGreaterThan(token);
  }

  @Test
  default void withoutATombstone_theRecordGoesAtItsDeadline() {
    String tenant = UpkeepUnderTest.anyTenant();
    RecordId id = Records.anyId();
    FencingToken token =
        claimed(Records.of(tenant, "r", Records.claim(id, "A", LEASE, RETENTION, Duration.ZERO)));
    get(store().complete(id, token, Records.answer("a")));
    elapse(RETENTION);
    UpkeepUnderTest.drained(() -> upkeep().expire(50));
    assertThat(book(tenant).live()).isZero();
    assertThat(book(tenant).expired()).isZero();
    assertThat(get(store().complete(id, token, Records.answer("a"))).getClass().getSimpleName())
        .isEqualTo("Gone");
  }

  @Test
  default void claimedAndUnknown_areNeverRemovedByAge() {
    RecordId claimed = Records.anyId();
    FencingToken token = claimed(claimed);
    RecordId unknown = Records.anyId();
    unknown(unknown);
    elapse(RETENTION.plus(TOMBSTONE).multipliedBy(100));
    purgeAll();
    lapseAll();
    purgeAll();
    assertThat(read(claimed).orElseThrow()).isInstanceOf(Unknown.class);
    assertThat(read(unknown).orElseThrow()).isInstanceOf(Unknown.class);
    assertThat(get(store().complete(claimed, token, Records.answer("very late"))))
        .isInstanceOf(Done.class);
  }

  @Test
  default void take_oldestDueFirstAndHiddenForTheHold() {
    takeAll(Duration.ofDays(1000));
    elapse(Duration.ofDays(2));
    takeAll(Duration.ofDays(1000));
    List<RecordId> ids = Stream.generate(Records::anyId).limit(3).toList();
    for (RecordId id : ids) {
      unknown(id);
      elapse(Duration.ofSeconds(1));
    }
    List<Due> first = get(upkeep().take(2, HOLD));
    assertThat(first)
        .extracting(due -> due.record().facts().id())
        .containsExactly(ids.get(0), ids.get(1));
    assertThat(first.get(0).record()).isEqualTo(read(ids.get(0)).orElseThrow());
    assertThat(first.get(0).takenAt()).isAfterOrEqualTo(first.get(0).record().since());
    assertThat(get(upkeep().take(5, HOLD)))
        .extracting(due -> due.record().facts().id())
        .containsExactly(ids.get(2));
    assertThat(get(upkeep().take(5, HOLD))).isEmpty();
    elapse(HOLD);
    assertThat(get(upkeep().take(5, Duration.ofDays(1000))))
        .extracting(due -> due.record().facts().id())
        .containsExactlyInAnyOrderElementsOf(ids);
  }

  @Test
  default void takenRecord_isStillItsOwners() {
    RecordId id = Records.anyId();
    FencingToken token = unknown(id);
    takeAll(HOLD);
    assertThat(get(store().complete(id, token, Records.answer("late")))).isInstanceOf(Done.class);
    elapse(HOLD);
    assertThat(takeAll(HOLD)).noneMatch(due -> due.record().facts().id().equals(id));
  }

  @Test
  default void personsRecord_isNeverTaken() {
    RecordId id = Records.anyId();
    FencingToken token = unknown(id);
    get(upkeep().resolve(id, token, new Verdict.Undecided(Optional.empty()), List.of()));
    elapse(Duration.ofDays(365));
    assertThat(takeAll(HOLD)).noneMatch(due -> due.record().facts().id().equals(id));
    assertThat(shown(id).waitsForPerson()).isTrue();
  }

  @Test
  default void timelines_outliveTheirRecordAndGoByAge() {
    RecordId gone = Records.anyId();
    get(store().release(gone, unknown(gone)));
    RecordId there = Records.anyId();
    unknown(there);
    elapse(Duration.ofDays(2));
    UpkeepUnderTest.drained(() -> upkeep().trimTimelines(Duration.ofDays(3), 50));
    assertThat(told(gone)).containsExactly("unknown owner");
    elapse(Duration.ofDays(1));
    assertThat(get(upkeep().trimTimelines(Duration.ofDays(3), 50))).isPositive();
    UpkeepUnderTest.drained(() -> upkeep().trimTimelines(Duration.ofDays(3), 50));
    assertThat(told(gone)).isEmpty();
    assertThat(told(there)).containsExactly("unknown owner");
  }
}
