package dev.oncegate.testkit;

import dev.oncegate.engine.port.RunningWinners;
import dev.oncegate.engine.port.WaiterBus;
import io.vertx.core.Future;
import java.util.function.Function;
import java.util.function.Supplier;

/** What an implementation of the bus lends to {@link WaiterBusContract}. */
public interface BusUnderTest {
  /** An owner's event loop that answers by these winners; gives its address. */
  String owner(RunningWinners winners);

  /** Takes the owner away, as when its process dies. */
  void remove(String owner);

  /** Asks on the waiting loop's own context; the result names the thread it completed on. */
  <T> Future<Completed<T>> ask(Function<WaiterBus, Future<T>> question);

  /** Whether a future of the bus completed where it was asked for. */
  boolean onCallingContext(Completed<?> completed);

  /** Whether owners are of the same process as the waiting loop. */
  boolean inOneProcess();

  /** Repeats until it holds, letting time pass; fails after some seconds. */
  void until(Supplier<Boolean> condition);

  /** A result and the thread that it came on. */
  record Completed<T>(T result, Thread thread) {}
}
