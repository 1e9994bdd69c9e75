package dev.oncegate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.RecordId;
import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.RunningWinners;
import dev.oncegate.engine.port.WaiterBus;
import dev.oncegate.engine.port.Waiting;
import dev.oncegate.testkit.HostileWaiterBus.Act;
import dev.oncegate.testkit.HostileWaiterBus.Odds;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class InMemoryWaiterBusTest implements WaiterBusContract {
  private final ManualTime time = new ManualTime();
  private final InMemoryWaiterBus.Owners owners = new InMemoryWaiterBus.Owners();
  private final InMemoryWaiterBus bus =
      new InMemoryWaiterBus(time, owners, owner -> owner.startsWith("oncegate.owner.test."));
  private int served;

  @Test
  void deadBus_failsEveryQuestionByItsLimit() {
    ScriptedWinners winners = new ScriptedWinners();
    String owner = owner(winners);
    HostileWaiterBus dead = new HostileWaiterBus(bus, time, new Random(1), Odds.DEAD);
    Waiting waiting = new Waiting(Records.anyId(), TOKEN, "w", Duration.ofSeconds(3));

    Future<Hint> hint = dead.attach(owner, waiting);
    Future<Integer> seats = dead.seats(owner, waiting, 4);
    time.advance(Duration.ofMillis(500));
    assertThat(seats.failed()).isTrue();
    assertThat(hint.isComplete()).isFalse();
    time.advance(Duration.ofMillis(2500));
    assertThat(hint.failed()).isTrue();
    assertThat(winners.askedOn()).isEmpty();
    assertThat(dead.count(Act.QUESTION_LOST)).isEqualTo(2);
  }

  @Test
  void hostileBus_doesEachOfItsActs() {
    ScriptedWinners winners = new ScriptedWinners();
    String owner = owner(winners);
    HostileWaiterBus hostile =
        new HostileWaiterBus(
            bus, time, new Random(7), new Odds(0.3, 0.3, 0.3, 0.3, Duration.ofMillis(50)));
    int answered = 0;
    for (int i = 0; i < 200; i++) {
      RecordId id = Records.anyId();
      winners.begin(id, TOKEN, 3);
      Waiting waiting = new Waiting(id, TOKEN, "w", Duration.ofSeconds(1));
      Future<Hint> hint = hostile.attach(owner, waiting);
      Future<Integer> seats = hostile.seats(owner, waiting, 5);
      time.advance(Duration.ofMillis(100));
      winners.end(id, TOKEN, new Hint.Settled());
      time.advance(Duration.ofSeconds(1));
      assertThat(hint.isComplete()).isTrue();
      assertThat(seats.isComplete()).isTrue();
      answered += hint.succeeded() ? 1 : 0;
    }
    assertThat(answered).isBetween(50, 190);
    for (Act act : Act.values()) {
      assertThat(hostile.count(act)).as(act.name()).isGreaterThan(20);
    }
    assertThat(time.timers()).as("nothing is left behind").isZero();
  }

  @Override
  public String owner(RunningWinners winners) {
    String address = "oncegate.owner.test." + served++;
    owners.add(address, winners);
    return address;
  }

  @Override
  public void remove(String owner) {
    owners.remove(owner);
  }

  @Override
  public <T> Future<Completed<T>> ask(Function<WaiterBus, Future<T>> question) {
    return question.apply(bus).map(result -> new Completed<>(result, Thread.currentThread()));
  }

  @Override
  public boolean onCallingContext(Completed<?> completed) {
    return completed.thread() == Thread.currentThread();
  }

  @Override
  public boolean inOneProcess() {
    return true;
  }

  @Override
  public void until(Supplier<Boolean> condition) {
    for (int i = 0; i < 100 && !condition.get(); i++) {
      time.advance(Duration.ofMillis(5));
    }
    assertThat(condition.get()).isTrue();
  }
}
