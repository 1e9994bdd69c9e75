package dev.oncegate.testkit.sim;

import dev.oncegate.engine.Audit;
import dev.oncegate.engine.IdempotencyEngine;
import dev.oncegate.engine.Patience;
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
 *
 * <p>Waiters and the bus between nodes belong here too, as ports of the engine made in the
 * constructor, once the engine has them.
 */
final class Incarnation implements Time {
  private static final int BATCH = 4;

  final World world;
  final SimulatedNode node;
  final String owner;
  private final SimulatedConnection connection;
  private final IdempotencyEngine engine;
  private final Upkeep upkeep;
  private final Resolution resolution;
  private final Deque<Runnable> backlog = new ArrayDeque<>();

  /** Attempts whose claim this process holds or asks for, for counting what a crash met. */
  final List<Attempt> attempts = new ArrayList<>();

  private boolean dead;
  private boolean paused;

  Incarnation(World world, SimulatedNode node, int number) {
    this.world = world;
    this.node = node;
    this.owner = "owner-" + node.index + "-" + number;
    this.connection = new SimulatedConnection(world, this);
    SimulatedEvents events = new SimulatedEvents(world, node.index);
    SimulatedFailpoints failpoints = new SimulatedFailpoints(world, this);
    ConnectedUpkeep records = new ConnectedUpkeep(world, connection);
    UpstreamKeys upstreamKeys = new UpstreamKeys(world.keys(), reference -> Optional.empty());
    this.engine =
        new IdempotencyEngine(
            new IdempotencyEngine.Parts(
                world.variation.connection(connection),
                world.upstream.from(this),
                world.keys(),
                upstreamKeys,
                world.policies,
                this,
                events,
                failpoints,
                owner,
                new NoBus(),
                new WaiterCounts()));
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

  /** A client's request has come. */
  void serve(Attempt attempt, SimulatedClient client) {
    attempts.add(attempt);
    engine
        .handle(attempt.admission(client.fingerprint()), new Patience(Duration.ZERO))
        .onComplete(
            result -> {
              if (dead) {
                return;
              }
              if (result.failed()) {
                world.broken(result.cause());
                return;
              }
              world.answers().answered(attempt, result.result(), node.index);
              client.answered(attempt, result.result());
            });
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

  boolean pause() {
    boolean first = !paused;
    paused = true;
    return first;
  }

  void resume() {
    paused = false;
    // Each in an entry of its own: it may be stopped or killed again between any two.
    while (!backlog.isEmpty()) {
      Runnable run = backlog.remove();
      world.agenda.in(0, () -> wake(run));
    }
  }

  void die() {
    dead = true;
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
