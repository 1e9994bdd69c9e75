package dev.oncegate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.WaiterBus;
import dev.oncegate.engine.port.Waiting;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** What every {@link WaiterBus} does while no message is lost. */
public interface WaiterBusContract extends BusUnderTest {
  FencingToken TOKEN = new FencingToken(41);

  @Test
  default void attach_completesWithTheEndOfTheClaim() {
    ScriptedWinners winners = new ScriptedWinners();
    String owner = owner(winners);
    RecordId id = Records.anyId();
    winners.begin(id, TOKEN, 1);

    Future<Completed<Hint>> hint = ask(bus -> bus.attach(owner, waiting(id, "w")));
    until(() -> winners.attached(id, TOKEN) == 1);
    assertThat(hint.isComplete()).isFalse();
    winners.end(id, TOKEN, new Hint.Settled());

    assertThat(get(hint).result()).isEqualTo(new Hint.Settled());
  }

  @Test
  default void release_tellsStatusAndRetryAfter() {
    ScriptedWinners winners = new ScriptedWinners();
    String owner = owner(winners);
    for (Hint.Released released :
        new Hint.Released[] {
          new Hint.Released(503, Optional.of(Duration.ofSeconds(7))),
          new Hint.Released(429, Optional.of(Duration.ZERO)),
          new Hint.Released(100, Optional.empty())
        }) {
      RecordId id = Records.anyId();
      winners.begin(id, TOKEN, 1);
      Future<Completed<Hint>> hint = ask(bus -> bus.attach(owner, waiting(id, "w")));
      until(() -> winners.attached(id, TOKEN) == 1);
      winners.end(id, TOKEN, released);
      assertThat(get(hint).result()).isEqualTo(released);
    }
  }

  @Test
  default void claimThatDoesNotRunThere_isLookAgain() {
    ScriptedWinners winners = new ScriptedWinners();
    String owner = owner(winners);
    RecordId id = Records.anyId();
    assertThat(get(ask(bus -> bus.attach(owner, waiting(id, "w")))).result())
        .isEqualTo(new Hint.LookAgain());

    winners.begin(id, new FencingToken(40), 1);
    assertThat(get(ask(bus -> bus.attach(owner, waiting(id, "w")))).result())
        .as("under another token")
        .isEqualTo(new Hint.LookAgain());
  }

  @Test
  default void seats_areGrantedUpToWhatIsFree() {
    ScriptedWinners winners = new ScriptedWinners();
    String owner = owner(winners);
    RecordId id = Records.anyId();
    winners.begin(id, TOKEN, 10);

    assertThat(seats(owner, id, "a", 7)).isEqualTo(7);
    assertThat(seats(owner, id, "b", 5)).isEqualTo(3);
    assertThat(seats(owner, id, "c", 1)).as("none is left").isZero();
    assertThat(seats(owner, id, "a", 0)).as("given back").isZero();
    assertThat(seats(owner, id, "c", 1)).isEqualTo(1);
  }

  @Test
  default void seatsWhereNobodyCounts_areAllGranted() {
    String owner = owner(new ScriptedWinners());
    assertThat(seats(owner, Records.anyId(), "a", 10_000)).isEqualTo(10_000);
  }

  @Test
  default void unknownOwner_fails() {
    String nobody = "oncegate.owner.nobody.0";
    RecordId id = Records.anyId();
    assertThatThrownBy(() -> get(ask(bus -> bus.attach(nobody, waiting(id, "w")))))
        .isInstanceOf(Exception.class);
    assertThatThrownBy(() -> seats(nobody, id, "w", 1)).isInstanceOf(Exception.class);
  }

  @Test
  default void ownerThatHasGone_fails() {
    ScriptedWinners winners = new ScriptedWinners();
    String owner = owner(winners);
    RecordId id = Records.anyId();
    winners.begin(id, TOKEN, 1);
    assertThat(seats(owner, id, "w", 1)).isEqualTo(1);

    remove(owner);
    until(
        () -> {
          try {
            seats(owner, id, "w", 1);
            return false;
          } catch (RuntimeException e) {
            return true;
          }
        });
    assertThatThrownBy(() -> get(ask(bus -> bus.attach(owner, waiting(id, "w")))))
        .isInstanceOf(Exception.class);
  }

  @Test
  default void attach_failsByItsTimeLeft() {
    ScriptedWinners winners = new ScriptedWinners();
    String owner = owner(winners);
    RecordId id = Records.anyId();
    winners.begin(id, TOKEN, 1);
    Waiting brief = new Waiting(id, TOKEN, "w", Duration.ofMillis(30));

    Future<Completed<Hint>> hint = ask(bus -> bus.attach(owner, brief));
    until(hint::isComplete);
    assertThat(hint.failed()).isTrue();
  }

  @Test
  default void answers_comeOnTheCallingContext() {
    ScriptedWinners winners = new ScriptedWinners();
    String owner = owner(winners);
    RecordId id = Records.anyId();
    winners.begin(id, TOKEN, 1);
    Completed<Integer> seats = get(ask(bus -> bus.seats(owner, waiting(id, "w"), 1)));
    assertThat(onCallingContext(seats)).isTrue();

    Future<Completed<Hint>> hint = ask(bus -> bus.attach(owner, waiting(id, "w")));
    until(() -> winners.attached(id, TOKEN) == 1);
    winners.end(id, TOKEN, new Hint.Settled());
    assertThat(onCallingContext(get(hint))).isTrue();
  }

  @Test
  default void owner_isAskedOnOneThread() {
    ScriptedWinners winners = new ScriptedWinners();
    String owner = owner(winners);
    for (int i = 0; i < 5; i++) {
      seats(owner, Records.anyId(), "w", 1);
    }
    assertThat(winners.askedOn()).hasSize(5).containsOnly(winners.askedOn().get(0));
  }

  @Test
  default void ownersOfThisProcess_areLocal() {
    String owner = owner(new ScriptedWinners());
    boolean local = get(ask(bus -> Future.succeededFuture(bus.isLocal(owner)))).result();
    assertThat(local).isEqualTo(inOneProcess());
  }

  private int seats(String owner, RecordId id, String loop, int wanted) {
    return get(ask(bus -> bus.seats(owner, waiting(id, loop), wanted))).result();
  }

  private static Waiting waiting(RecordId id, String loop) {
    return new Waiting(id, TOKEN, "oncegate.owner.waiting." + loop, Duration.ofSeconds(30));
  }

  private static <T> T get(Future<T> future) {
    try {
      return future.await(20, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("the bus never answered", e);
    }
  }
}
