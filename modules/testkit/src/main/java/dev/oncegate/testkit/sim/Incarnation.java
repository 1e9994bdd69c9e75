package dev.oncegate.testkit.sim;

import dev.oncegate.engine.Audit;
import dev.oncegate.engine.IdempotencyEngine;
import dev.oncegate.engine.ProbeInterview;
import dev.oncegate.engine.ProbeLimits;
import dev.oncegate.engine.Reconciler;
import dev.oncegate.engine.Resolution;
import dev.oncegate.engine.Sweeper;
import dev.oncegate.engine.Upkeep;
import dev.oncegate.engine.UpstreamKeys;
import dev.oncegate.engine.WaiterCounts;
import dev.oncegate.engine.port.Time;
import dev.oncegate.testkit.NoBus;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * One life of a process: the real engine and its upkeep, on this machine's clock. Whatever reaches
 * it comes through {@link #wake}: late while it is stopped, never once it is dead.
 */
final class Incarnation implements Time {
  private static final int BATCH = 4;

  final World world;
  final SimulatedNode node;
  private final SimulatedConnection connection;
  private final WaiterCounts waiters = new WaiterCounts();
  private final List<SimulatedLoop> loops = new ArrayList<>();
  private final Upkeep upkeep;
  private final Resolution resolution;
  private final Deque<Runnable> backlog = new ArrayDeque<>();

  /** Attempts whose claim this process holds or asks for, for counting what a crash met. */
  final List<Attempt> attempts = new ArrayList<>();

  private boolean dead;
  private boolean draining;
  private boolean paused;
  private long pausedAt;
  private long stoodStill;
  private long wentOn;

  Incarnation(World world, SimulatedNode node, int number) {
    this.world = world;
    this.node = node;
    this.connection = new SimulatedConnection(world, this);
    SimulatedEvents events = new SimulatedEvents(world, node.index);
    SimulatedFailpoints failpoints = new SimulatedFailpoints(world, this);
    ConnectedUpkeep records = new ConnectedUpkeep(world, connection);
    UpstreamKeys upstreamKeys = new UpstreamKeys(world.keys(), reference -> Optional.empty());
    IdempotencyEngine.Parts parts =
        new IdempotencyEngine.Parts(
            world.variation.connection(connection),
            world.upstream.from(this),
            world.keys(),
            upstreamKeys,
            world.policies,
            this,
            events,
            failpoints,
            "owner-" + node.index + "-" + number,
            new NoBus(),
            waiters);
    for (int i = 0; i < world.plan.crowd().loops(); i++) {
      loops.add(new SimulatedLoop(this, i, parts));
    }
    ProbeInterview interview =
        new ProbeInterview(
            world.upstream.prober(this),
            reference -> Future.failedFuture("no secrets here"),
            world.keys(),
            this,
            failpoints);
    Reconciler reconciler =
        new Reconciler(
            records,
            world.policies,
            world.plan::tenants,
            interview,
            new ProbeLimits(this),
            events,
            BATCH);
    this.upkeep =
        new Upkeep(
            new Sweeper(records, events, failpoints, BATCH),
            reconciler,
            new Audit(records, events),
            this,
            events,
            Plan.SWEEP_EVERY,
            books -> {});
    this.resolution = new Resolution(records, records, world.policies, world.keys(), this, events);
  }

  void start() {
    upkeep.start();
  }

  /** A client's request has come, on a connection of any of the loops. */
  void serve(Attempt attempt, SimulatedClient client, int any) {
    if (draining) {
      return;
    }
    attempts.add(attempt);
    loops.get(any % loops.size()).serve(attempt, client);
  }

  List<SimulatedLoop> loops() {
    return loops;
  }

  WaiterCounts waiters() {
    return waiters;
  }

  /** How many requests of a tenant wait on all loops. */
  long parked(String tenant) {
    return loops.stream()
        .flatMap(loop -> loop.open.stream())
        .filter(a -> a.parked() && a.operation.tenant().id().equals(tenant))
        .count();
  }

  /** Takes no request any more and answers those who wait; false where it did so before. */
  boolean drain() {
    if (draining) {
      return false;
    }
    draining = true;
    wake(() -> loops.forEach(this::drain));
    return true;
  }

  private void drain(SimulatedLoop loop) {
    if (loop.parked() > 0) {
      world.saw(Rare.DRAINED_WITH_WAITERS);
    }
    loop.drained = true;
    loop.engine()
        .answerWaiters()
        .onSuccess(
            done -> world.require(dead || loop.parked() == 0, "V3", "a process ends with waiters"));
  }

  boolean drains() {
    return draining;
  }

  Resolution resolution() {
    return resolution;
  }

  SimulatedConnection connection() {
    return connection;
  }

  /** Runs something in the process: later while it is stopped, never once it is dead. */
  void wake(Runnable run) {
    if (dead) {
      return;
    }
    if (paused) {
      backlog.add(run);
    } else {
      run.run();
    }
  }

  boolean dead() {
    return dead;
  }

  boolean stopped() {
    return paused;
  }

  /** How long it has run: time in which it was stopped does not count. */
  long ran() {
    return (paused ? pausedAt : world.agenda.now()) - stoodStill;
  }

  /** As {@link World#calmSince}, and this process has run all the time. */
  long calmSince() {
    return Math.max(world.calmSince(), wentOn);
  }

  boolean pause() {
    boolean first = !paused;
    if (first) {
      pausedAt = world.agenda.now();
    }
    paused = true;
    return first;
  }

  void resume() {
    paused = false;
    wentOn = world.agenda.now();
    stoodStill += wentOn - pausedAt;
    // Each in an entry of its own: it may be stopped or killed again between any two.
    while (!backlog.isEmpty()) {
      Runnable run = backlog.remove();
      world.agenda.in(0, () -> wake(run));
    }
  }

  void die() {
    dead = true;
    loops.forEach(world.bus::leave);
    backlog.clear();
    attempts.forEach(attempt -> world.effects().ownerDied(attempt));
  }

  @Override
  public long nanos() {
    return node.nanos();
  }

  @Override
  public Timer after(Duration delay, Runnable task) {
    return afterNanos(delay.toNanos(), task);
  }

  Timer afterNanos(long nanos, Runnable task) {
    boolean[] cancelled = new boolean[1];
    if (dead) {
      return () -> {};
    }
    Timer timer =
        world.agenda.in(
            node.trueTime(nanos),
            () ->
                wake(
                    () -> {
                      // It may have been cancelled while it waited for the process to go on.
                      if (!cancelled[0]) {
                        task.run();
                      }
                    }));
    return () -> {
      cancelled[0] = true;
      timer.cancel();
    };
  }

  @Override
  public byte[] randomBytes(int count) {
    ByteBuffer bytes = ByteBuffer.allocate((count + 7) / 8 * 8);
    while (bytes.hasRemaining()) {
      bytes.putLong(node.dice.any());
    }
    return java.util.Arrays.copyOf(bytes.array(), count);
  }

  @Override
  public UUID randomId() {
    return new UUID(node.dice.any(), node.dice.any());
  }
}
