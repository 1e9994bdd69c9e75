package dev.oncegate.testkit;

import dev.oncegate.engine.port.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.UUID;

/**
 * Clock, timers and randomness moved by hand, on one thread. {@link #now} plays the database's
 * clock; both clocks move together unless a test moves one alone.
 */
public final class ManualTime implements Time {
  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::due).thenComparingLong(Task::order));
  private final Random random;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private long nanos = 1;
  private long order;

  public ManualTime() {
    this(1);
  }

  public ManualTime(long seed) {
    this.random = new Random(seed);
  }

  private record Task(long due, long order, Runnable run) {}

  /** What the database's clock says. */
  public Instant now() {
    return now;
  }

  /** Moves both clocks, running each timer at its own moment. */
  public void advance(Duration by) {
    long target = nanos + by.toNanos();
    for (Task next = tasks.peek(); next != null && next.due <= target; next = tasks.peek()) {
      tasks.poll();
      moveTo(next.due);
      next.run.run();
    }
    moveTo(target);
  }

  /** Moves the database's clock alone: the node does not notice, as when it was stopped. */
  public void advanceDatabaseOnly(Duration by) {
    now = now.plus(by);
  }

  /** How many timers are set. */
  public int timers() {
    return tasks.size();
  }

  private void moveTo(long target) {
    now = now.plusNanos(target - nanos);
    nanos = target;
  }

  @Override
  public long nanos() {
    return nanos;
  }

  @Override
  public Timer after(Duration delay, Runnable run) {
    Task task = new Task(nanos + delay.toNanos(), order++, run);
    tasks.add(task);
    return () -> tasks.remove(task);
  }

  @Override
  public byte[] randomBytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  @Override
  public UUID randomId() {
    return new UUID(random.nextLong(), random.nextLong());
  }
}
