package dev.oncegate.testkit;

import static dev.oncegate.testkit.Records.LEASE;
import static dev.oncegate.testkit.StoreUnderTest.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.ClaimOutcome.Won;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.RenewOutcome;
import dev.oncegate.core.SettleOutcome.Done;
import dev.oncegate.engine.port.RecordStore.Renewal;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What those are told who wait for the end of somebody else's claim. */
public interface StandingContract extends StoreUnderTest {
  @Test
  default void claimed_stands() {
    RecordId id = Records.anyId();
    assertThat(get(store().standing(id, token(id)))).isTrue();
  }

  @Test
  default void anotherTokenThanTheRecords_doesNotStand() {
    RecordId id = Records.anyId();
    FencingToken old = token(id);
    get(store().release(id, old));
    FencingToken current = token(id);
    assertThat(get(store().standing(id, old))).isFalse();
    assertThat(get(store().standing(id, current))).isTrue();
  }

  @Test
  default void absent_doesNotStand() {
    FencingToken elsewhere = token(Records.anyId());
    assertThat(get(store().standing(Records.anyId(), elsewhere))).isFalse();
  }

  @Test
  default void completed_doesNotStand() {
    RecordId id = Records.anyId();
    FencingToken token = token(id);
    assertThat(get(store().complete(id, token, Records.answer("a")))).isInstanceOf(Done.class);
    assertThat(get(store().standing(id, token))).isFalse();
  }

  @Test
  default void released_doesNotStand() {
    RecordId id = Records.anyId();
    FencingToken token = token(id);
    assertThat(get(store().release(id, token))).isEqualTo(new Done(null));
    assertThat(get(store().standing(id, token))).isFalse();
  }

  @Test
  default void unknown_doesNotStand() {
    RecordId id = Records.anyId();
    FencingToken token = token(id);
    assertThat(get(store().markUnknown(id, token, "reset"))).isEqualTo(new Done(null));
    assertThat(get(store().standing(id, token))).isFalse();
  }

  @Test
  default void lapsedThoughNobodyWroteItDown_doesNotStand() {
    RecordId id = Records.anyId();
    FencingToken token = token(id);
    elapse(LEASE.minusSeconds(5));
    assertThat(get(store().standing(id, token))).isTrue();
    elapse(Duration.ofSeconds(6));
    assertThat(get(store().standing(id, token))).isFalse();
  }

  @Test
  default void renewed_standsBeyondItsFirstLease() {
    RecordId id = Records.anyId();
    FencingToken token = token(id);
    elapse(LEASE.dividedBy(2));
    assertThat(get(store().renew(List.of(new Renewal(id, token, LEASE)))))
        .singleElement()
        .isInstanceOf(RenewOutcome.Renewed.class);
    elapse(LEASE.dividedBy(2).plusSeconds(1));
    assertThat(get(store().standing(id, token))).isTrue();
    elapse(LEASE);
    assertThat(get(store().standing(id, token))).isFalse();
  }

  @Test
  default void manyAskedAtOnce_areToldEachForItself() {
    List<Future<Boolean>> asked = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      RecordId id = Records.anyId();
      FencingToken token = token(id);
      if (i % 3 == 0) {
        get(store().complete(id, token, Records.answer("a")));
      }
      asked.add(store().standing(id, token));
      asked.add(store().standing(id, new FencingToken(token.value() + 1_000_000)));
    }
    for (int i = 0; i < asked.size(); i++) {
      assertThat(get(asked.get(i))).isEqualTo(i % 2 == 0 && i / 2 % 3 != 0);
    }
  }

  private FencingToken token(RecordId id) {
    return ((Won) get(store().claim(Records.claim(id)))).token();
  }
}
