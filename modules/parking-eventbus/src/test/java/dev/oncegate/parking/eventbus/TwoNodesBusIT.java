package dev.oncegate.parking.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.engine.port.RunningWinners;
import dev.oncegate.engine.port.WaiterBus;
import dev.oncegate.testkit.ScriptedWinners;
import dev.oncegate.testkit.WaiterBusContract;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The contract between two members of a real cluster. */
class TwoNodesBusIT implements WaiterBusContract {
  private static final LoopsUnderTest LOOPS = new LoopsUnderTest();
  private static final Members MEMBERS = new Members(2);
  private static Buses waiting;
  private static Buses owning;

  private final WaiterBus bus = waiting.bus(LOOPS.waiting());
  private final Map<String, Runnable> served = new HashMap<>();

  @BeforeAll
  static void form() {
    waiting = MEMBERS.start(0);
    owning = MEMBERS.start(1);
    Members.untilHealthy(waiting, owning);
  }

  @AfterAll
  static void close() {
    MEMBERS.close();
    LOOPS.close();
  }

  @Test
  void formedCluster_isHealthy() {
    assertThat(bus.healthy()).isTrue();
  }

  @Test
  void ownersOfTheAskingNode_areAskedInMemory() {
    ScriptedWinners winners = new ScriptedWinners();
    String address = "oncegate.owner." + UUID.randomUUID() + ".0";
    Runnable end = waiting.serve(address, LOOPS.owning(), winners);
    try {
      assertThat(bus.isLocal(address)).isTrue();
    } finally {
      end.run();
    }
    assertThat(bus.isLocal(address)).isFalse();
  }

  @Override
  public String owner(RunningWinners winners) {
    String address = "oncegate.owner." + UUID.randomUUID() + ".0";
    served.put(address, owning.serve(address, LOOPS.owning(), winners));
    // Its registration spreads in the background, as at the start of a node.
    until(() -> reached(address));
    return address;
  }

  private boolean reached(String address) {
    return Members.pinged(waiting, address);
  }

  @Override
  public void remove(String owner) {
    served.get(owner).run();
  }

  @Override
  public <T> Future<Completed<T>> ask(Function<WaiterBus, Future<T>> question) {
    return LOOPS.ask(bus, question);
  }

  @Override
  public boolean onCallingContext(Completed<?> completed) {
    return LOOPS.onWaiting(completed);
  }

  @Override
  public boolean inOneProcess() {
    return false;
  }

  @Override
  public void until(Supplier<Boolean> condition) {
    LoopsUnderTest.until(condition);
  }
}
