package dev.oncegate.testkit;

import static dev.oncegate.testkit.Records.LEASE;
import static dev.oncegate.testkit.Records.RETENTION;
import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.ClaimOutcome.Won;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.core.SettleOutcome.Done;
import dev.oncegate.core.SettleOutcome.Fenced;
import dev.oncegate.core.SettleOutcome.Gone;
import org.junit.jupiter.api.Test;

/** Writes that end a claim, each under its token. */
public interface SettleContract extends StoreUnderTest {
  @Test
  default void complete_isDoneWithTheEnforcedDeadline() {
    RecordId id = Records.anyId();
    Done done = (Done) get(store().complete(id, token(id), Records.answer("a")));
    Completed record = (Completed) read(id).orElseThrow();
    assertThat(done.deadline()).isEqualTo(record.completedAt().plus(RETENTION));
    assertThat(record.reconstructed()).isFalse();
  }

  @Test
  default void completeRepeated_isDoneWithTheSameDeadline() {
    RecordId id = Records.anyId();
    FencingToken token = token(id);
    SettleOutcome first = get(store().complete(id, token, Records.answer("a")));
    assertThat(get(store().complete(id, token, Records.answer("a")))).isEqualTo(first);
  }

  @Test
  default void completeWithAnotherAnswer_isFencedAndChangesNothing() {
    RecordId id = Records.anyId();
    FencingToken token = token(id);
    get(store().complete(id, token, Records.answer("a")));
    assertThat(get(store().complete(id, token, Records.answer("b")))).isEqualTo(new Fenced());
    assertThat(((Completed) read(id).orElseThrow()).answer()).isEqualTo(Records.answer("a"));
  }

  @Test
  default void completeAfterTheLapse_isDone() {
    RecordId id = Records.anyId();
    FencingToken token = token(id);
    elapse(LEASE.plusSeconds(1));
    assertThat(get(store().complete(id, token, Records.answer("late")))).isInstanceOf(Done.class);
    assertThat(read(id).orElseThrow()).isInstanceOf(Completed.class);
  }

  @Test
  default void completeFromUnknownWithItsToken_isDone() {
    RecordId id = Records.anyId();
    FencingToken token = token(id);
    get(store().markUnknown(id, token, "reset"));
    assertThat(get(store().complete(id, token, Records.answer("late")))).isInstanceOf(Done.class);
    assertThat(read(id).orElseThrow()).isInstanceOf(Completed.class);
  }

  @Test
  default void release_isDoneAndLeavesNothing() {
    RecordId id = Records.anyId();
    FencingToken token = token(id);
    assertThat(get(store().release(id, token))).isEqualTo(new Done(null));
    assertThat(read(id)).isEmpty();
    assertThat(get(store().release(id, token))).isEqualTo(new Gone());
  }

  @Test
  default void releaseFromUnknownOrLapsed_isDone() {
    RecordId id = Records.anyId();
    FencingToken token = token(id);
    get(store().markUnknown(id, token, "reset"));
    assertThat(get(store().release(id, token))).isEqualTo(new Done(null));
    FencingToken second = token(id);
    elapse(LEASE.plusSeconds(1));
    assertThat(get(store().release(id, second))).isEqualTo(new Done(null));
    assertThat(read(id)).isEmpty();
  }

  @Test
  default void releaseOfACompletedRecord_isFenced() {
    RecordId id = Records.anyId();
    FencingToken token = token(id);
    get(store().complete(id, token, Records.answer("a")));
    assertThat(get(store().release(id, token))).isEqualTo(new Fenced());
    assertThat(read(id).orElseThrow()).isInstanceOf(Completed.class);
  }

  @Test
  default void markUnknown_isDoneAndKeepsItsTime() {
    RecordId id = Records.anyId();
    FencingToken token = token(id);
    assertThat(get(store().markUnknown(id, token, "reset"))).isEqualTo(new Done(null));
    Unknown record = (Unknown) read(id).orElseThrow();
    assertThat(record.since())
        .isBetween(record.facts().claimedAt(), record.facts().claimedAt().plus(LEASE));
    assertThat(get(store().markUnknown(id, token, "again"))).isEqualTo(new Done(null));
    assertThat(read(id)).contains(record);
  }

  @Test
  default void markUnknownOfACompletedRecord_isFenced() {
    RecordId id = Records.anyId();
    FencingToken token = token(id);
    get(store().complete(id, token, Records.answer("a")));
    assertThat(get(store().markUnknown(id, token, "reset"))).isEqualTo(new Fenced());
  }

  @Test
  default void anotherToken_isFencedAndChangesNothing() {
    RecordId id = Records.anyId();
    FencingToken old = token(id);
    get(store().release(id, old));
    FencingToken current = token(id);

    assertThat(get(store().complete(id, old, Records.answer("late")))).isEqualTo(new Fenced());
    assertThat(get(store().release(id, old))).isEqualTo(new Fenced());
    assertThat(get(store().markUnknown(id, old, "late"))).isEqualTo(new Fenced());
    assertThat(get(store().complete(id, current, Records.answer("a")))).isInstanceOf(Done.class);
  }

  @Test
  default void absentRecord_isGone() {
    RecordId id = Records.anyId();
    FencingToken token = new FencingToken(1);
    assertThat(get(store().complete(id, token, Records.answer("a")))).isEqualTo(new Gone());
    assertThat(get(store().release(id, token))).isEqualTo(new Gone());
    assertThat(get(store().markUnknown(id, token, "reset"))).isEqualTo(new Gone());
  }

  private FencingToken token(RecordId id) {
    return ((Won) get(store().claim(Records.claim(id)))).token();
  }
}
