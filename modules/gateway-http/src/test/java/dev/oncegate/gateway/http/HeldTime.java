package dev.oncegate.gateway.http;

import dev.oncegate.engine.port.Time;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Real time, but timers of the named lengths run when the test says so: what is over first does not
 * depend on how slow the machine is.
 */
final class HeldTime implements Time {
  private final Time real;
  private final Set<Duration> held;
  private final List<Held> timers = new CopyOnWriteArrayList<>();

  HeldTime(Vertx vertx, Duration... held) {
    this.real = new VertxTime(vertx);
    this.held = Set.of(held);
  }

  private record Held(Duration length, Context context, Runnable task) {
    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  /** How many timers of this length are set now. */
  long set(Duration length) {
    return timers.stream().filter(timer -> timer.length().equals(length)).count();
  }

  /** This length of time is over for every timer that is set now. */
  void pass(Duration length) {
    for (Held timer : timers) {
      if (timer.length().equals(length)) {
        timer.context().runOnContext(over -> run(timer));
      }
    }
  }

  /** On the timer's own context, where it is also cancelled. */
  private void run(Held timer) {
    if (timers.remove(timer)) {
      timer.task().run();
    }
  }

  @Override
  public Timer after(Duration delay, Runnable task) {
    if (!held.contains(delay)) {
      return real.after(delay, task);
    }
    Held timer = new Held(delay, Vertx.currentContext(), task);
    timers.add(timer);
    return () -> timers.remove(timer);
  }

  @Override
  public long nanos() {
    return real.nanos();
  }

  @Override
  public byte[] randomBytes(int count) {
    return real.randomBytes(count);
  }

  @Override
  public UUID randomId() {
    return real.randomId();
  }
}
