package dev.oncegate.testkit;

import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome.Replay;
import dev.oncegate.core.ClaimOutcome.Won;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.StoredBody;
import org.junit.jupiter.api.Test;

/** Stored answers come back byte by byte. */
public interface ReplayContract extends StoreUnderTest {
  @Test
  default void inlineBody_comesBack() {
    comesBack(Records.answer(201, new StoredBody.Inline(Records.noise(8192))));
  }

  @Test
  default void emptyBody_comesBack() {
    comesBack(Records.answer(204, new StoredBody.Inline(Bytes.EMPTY)));
  }

  @Test
  default void bodyByReference_comesBack() {
    comesBack(Records.answer(200, new StoredBody.ByReference(Records.noise(1 << 20))));
  }

  @Test
  default void bodyNotKept_comesBackAsSuch() {
    comesBack(Records.answer(299, new StoredBody.NotKept()));
  }

  @Test
  default void plainAnswerWithoutHead_comesBack() {
    StoredAnswer sealed = Records.answer("{}");
    comesBack(new StoredAnswer(422, Bytes.EMPTY, sealed.body(), sealed.digest(), false));
  }

  private void comesBack(StoredAnswer answer) {
    RecordId id = Records.anyId();
    Claim claim = Records.claim(id);
    FencingToken token = ((Won) get(store().claim(claim))).token();
    get(store().complete(id, token, answer));

    Completed replayed = ((Replay) get(store().claim(Records.claim(id)))).record();
    assertThat(replayed.answer()).isEqualTo(answer);
    assertThat(replayed.facts().claimId()).isEqualTo(claim.claimId());
    assertThat(read(id)).contains(replayed);
  }
}
