package dev.oncegate.parking.eventbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oncegate.engine.port.RunningWinners;
import dev.oncegate.engine.port.WaiterBus;
import dev.oncegate.engine.port.Waiting;
import dev.oncegate.testkit.Records;
import dev.oncegate.testkit.ScriptedWinners;
import dev.oncegate.testkit.WaiterBusContract;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OneProcessBusTest implements WaiterBusContract {
  private final LoopsUnderTest loops = new LoopsUnderTest();
  private final Buses buses = Buses.ofOneProcess();
  private final WaiterBus bus = buses.bus(loops.waiting());
  private final Map<String, Runnable> served = new HashMap<>();

  @AfterEach
  void close() {
    loops.close();
  }

  @Test
  void withoutCluster_nothingIsInTrouble() {
    assertThat(buses.trouble()).isEmpty();
    assertThat(bus.healthy()).isTrue();
    assertThat(buses.close().succeeded()).isTrue();
  }

  @Test
  void ownerWhoseLoopWasShutDown_fails() {
    Vertx gone = Vertx.vertx();
    ScriptedWinners winners = new ScriptedWinners();
    buses.serve("oncegate.owner.test.gone", gone.getOrCreateContext(), winners);
    gone.close().await();

    assertThatThrownBy(() -> ask(b -> b.seats("oncegate.owner.test.gone", anyWaiting(), 1)).await())
        .isInstanceOf(Exception.class);
    assertThat(winners.askedOn()).isEmpty();
  }

  @Test
  void winnersThatThrow_failTheFuture() {
    ScriptedWinners fine = new ScriptedWinners();
    RunningWinners broken =
        new RunningWinners() {
          @Override
          public Future<dev.oncegate.engine.port.Hint> attach(Waiting waiting) {
            throw new IllegalStateException("broken");
          }

          @Override
          public Future<Integer> seats(Waiting waiting, int wanted) {
            return fine.seats(waiting, wanted);
          }
        };
    String owner = owner(broken);
    assertThatThrownBy(() -> ask(b -> b.attach(owner, anyWaiting())).await())
        .hasMessageContaining("broken");
  }

  @Test
  void addressThatWasTakenAgain_staysWithItsNewOwner() {
    ScriptedWinners first = new ScriptedWinners();
    ScriptedWinners second = new ScriptedWinners();
    Runnable end = buses.serve("oncegate.owner.test.again", loops.owning(), first);
    buses.serve("oncegate.owner.test.again", loops.owning(), second);
    end.run();

    ask(b -> b.seats("oncegate.owner.test.again", anyWaiting(), 1)).await();
    assertThat(second.askedOn()).hasSize(1);
    assertThat(first.askedOn()).isEmpty();
  }

  private static Waiting anyWaiting() {
    return new Waiting(Records.anyId(), TOKEN, "oncegate.owner.test.w", Duration.ofSeconds(5));
  }

  @Override
  public String owner(RunningWinners winners) {
    String address = "oncegate.owner.test." + served.size();
    served.put(address, buses.serve(address, loops.owning(), winners));
    return address;
  }

  @Override
  public void remove(String owner) {
    served.get(owner).run();
  }

  @Override
  public <T> Future<Completed<T>> ask(Function<WaiterBus, Future<T>> question) {
    return loops.ask(bus, question);
  }

  @Override
  public boolean onCallingContext(Completed<?> completed) {
    return loops.onWaiting(completed);
  }

  @Override
  public boolean inOneProcess() {
    return true;
  }

  @Override
  public void until(Supplier<Boolean> condition) {
    LoopsUnderTest.until(condition);
  }
}
