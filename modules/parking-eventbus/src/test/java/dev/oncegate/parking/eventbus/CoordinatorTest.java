package dev.oncegate.parking.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.Waiting;
import dev.oncegate.parking.eventbus.BusMessage.Attach;
import dev.oncegate.parking.eventbus.BusMessage.Check;
import dev.oncegate.parking.eventbus.BusMessage.HintReply;
import dev.oncegate.parking.eventbus.BusMessage.Ping;
import dev.oncegate.parking.eventbus.BusMessage.Pong;
import dev.oncegate.parking.eventbus.BusMessage.Reply;
import dev.oncegate.parking.eventbus.BusMessage.Seats;
import dev.oncegate.parking.eventbus.BusMessage.SeatsReply;
import dev.oncegate.parking.eventbus.LocalOwners.Owner;
import dev.oncegate.testkit.Records;
import dev.oncegate.testkit.ScriptedWinners;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CoordinatorTest {
  private static final FencingToken TOKEN = new FencingToken(5);
  private static final Duration LONG = Duration.ofMinutes(5);

  private final Vertx vertx = Vertx.vertx();
  private final ScriptedWinners winners = new ScriptedWinners();
  private final Coordinator coordinator =
      new Coordinator(new Owner(vertx.getOrCreateContext(), winners));
  private final RecordId id = Records.anyId();

  @AfterEach
  void close() {
    vertx.close().await();
  }

  @Test
  void runningClaim_isAnsweredAtItsEnd_withItsIdAndToken() {
    winners.begin(id, TOKEN, 3);
    Future<Reply> hint = coordinator.asked(new Attach(waiting("w", LONG)));
    assertThat(get(coordinator.asked(new Seats(waiting("w", LONG), 5))))
        .isEqualTo(new SeatsReply(id, TOKEN, 3));
    LoopsUnderTest.until(() -> winners.attached(id, TOKEN) == 1);
    winners.end(id, TOKEN, new Hint.Settled());
    assertThat(get(hint)).isEqualTo(new HintReply(id, TOKEN, new Hint.Settled()));
  }

  @Test
  void pings_areAnswered_andChecksAreNotForOwners() {
    assertThat(get(coordinator.asked(new Ping()))).isEqualTo(new Pong());
    assertThat(coordinator.asked(new Check(List.of()))).isNull();
  }

  @Test
  void beyondTheBound_waitersLookAgain_untilOthersHaveLeft() {
    winners.begin(id, TOKEN, 3);
    for (int loop = 0; loop < Coordinator.MOST; loop++) {
      coordinator.asked(new Attach(waiting("w" + loop, LONG)));
    }
    assertThat(get(coordinator.asked(new Attach(waiting("one too many", LONG)))))
        .isEqualTo(new HintReply(id, TOKEN, new Hint.LookAgain()));

    Future<Reply> again = coordinator.asked(new Attach(waiting("w7", LONG)));
    get(coordinator.asked(new Seats(waiting("w", LONG), 0)));
    assertThat(again.isComplete()).as("has its place already").isFalse();

    winners.end(id, TOKEN, new Hint.Settled());
    assertThat(get(again)).isEqualTo(new HintReply(id, TOKEN, new Hint.Settled()));
    winners.begin(id, TOKEN, 3);
    Future<Reply> next = coordinator.asked(new Attach(waiting("one too many", LONG)));
    LoopsUnderTest.until(() -> winners.attached(id, TOKEN) == 1);
    assertThat(next.isComplete()).isFalse();
  }

  @Test
  void waitersWhoseTimeIsOver_giveTheirPlacesUp() {
    winners.begin(id, TOKEN, 3);
    for (int loop = 0; loop < Coordinator.MOST; loop++) {
      coordinator.asked(new Attach(waiting("w" + loop, Duration.ofMillis(1))));
    }
    LoopsUnderTest.until(
        () -> {
          Future<Reply> reply =
              coordinator.asked(new Attach(waiting("late", Duration.ofMillis(1))));
          get(coordinator.asked(new Seats(waiting("w", LONG), 0)));
          return !reply.isComplete();
        });
  }

  @Test
  void loopThatHasEnded_runsNoClaims() {
    Vertx other = Vertx.vertx();
    Coordinator late = new Coordinator(new Owner(other.getOrCreateContext(), winners));
    other.close().await();
    assertThat(get(late.asked(new Attach(waiting("w", LONG)))))
        .isEqualTo(new HintReply(id, TOKEN, new Hint.LookAgain()));
    assertThat(late.asked(new Seats(waiting("w", LONG), 1)).failed()).isTrue();
  }

  private Waiting waiting(String loop, Duration timeLeft) {
    return new Waiting(id, TOKEN, loop, timeLeft);
  }

  private static Reply get(Future<Reply> reply) {
    try {
      return Objects.requireNonNull(reply).await(10, TimeUnit.SECONDS);
    } catch (java.util.concurrent.TimeoutException e) {
      throw new AssertionError("no reply", e);
    }
  }
}
