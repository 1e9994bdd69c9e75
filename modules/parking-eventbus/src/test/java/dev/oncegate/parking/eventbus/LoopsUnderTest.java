package dev.oncegate.parking.eventbus;

import static org.awaitility.Awaitility.await;

import dev.oncegate.engine.port.WaiterBus;
import dev.oncegate.testkit.BusUnderTest.Completed;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;

/** The plain Vert.x of a gateway under test, with two event loops: one waits, one owns. */
final class LoopsUnderTest implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
  private final Context waiting = vertx.getOrCreateContext();
  private final Context owning = vertx.getOrCreateContext();

  Context waiting() {
    return waiting;
  }

  Context owning() {
    return owning;
  }

  /** Asks on the waiting loop. */
  <T> Future<Completed<T>> ask(WaiterBus bus, Function<WaiterBus, Future<T>> question) {
    Promise<Completed<T>> answer = Promise.promise();
    waiting.runOnContext(
        turn ->
            question
                .apply(bus)
                .map(result -> new Completed<>(result, Thread.currentThread()))
                .onComplete(answer));
    return answer.future();
  }

  /** Whether a future completed on the waiting loop's thread. */
  boolean onWaiting(Completed<?> completed) {
    Promise<Thread> thread = Promise.promise();
    waiting.runOnContext(turn -> thread.complete(Thread.currentThread()));
    return thread.future().await() == completed.thread();
  }

  static void until(Supplier<Boolean> condition) {
    await().pollInterval(Duration.ofMillis(5)).atMost(Duration.ofSeconds(20)).until(condition::get);
  }

  @Override
  public void close() {
    vertx.close().await();
  }
}
