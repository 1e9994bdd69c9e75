package dev.oncegate.testkit.sim;

import dev.oncegate.core.RecordId;
import dev.oncegate.engine.Answer;
import dev.oncegate.engine.IdempotencyEngine;
import dev.oncegate.engine.port.Time;
import io.vertx.core.AsyncResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * One event loop of a process, which has an engine of its own and shares nothing with the others
 * but what their process counts. It is stopped and killed with its process.
 */
final class SimulatedLoop implements Time {
  final World world;
  final Incarnation process;

  /** Where others find it; never used again once its process is gone. */
  final String address;

  private final IdempotencyEngine engine;

  /** Requests whose answer is still to come. */
  final Set<Attempt> open = new LinkedHashSet<>();

  /** Tokens under which its waiters of a record may wait, newest last. */
  private final Map<RecordId, Deque<Long>> known = new HashMap<>();

  private int timers;

  /** Requests that began to wait, and those whose wait has ended. */
  int parked;

  int ended;

  /** Whether its waiters were answered because its process ends. */
  boolean drained;

  SimulatedLoop(Incarnation process, int index, IdempotencyEngine.Parts shared) {
    this.world = process.world;
    this.process = process;
    this.address = shared.owner() + "-" + index;
    Variation variation = world.variation;
    this.engine =
        new IdempotencyEngine(
            new IdempotencyEngine.Parts(
                shared.store(),
                shared.upstream(),
                shared.keys(),
                shared.upstreamKeys(),
                shared.policies(),
                variation.time(this),
                variation.events(new LoopEvents(world, this), shared.waiters()),
                shared.failpoints(),
                address,
                variation.bus(world.bus.from(this)),
                shared.waiters()));
    world.bus.join(this, engine.winners());
  }

  /** Whether nobody waits and nothing runs here. */
  boolean idle() {
    return open.isEmpty() && engine.running() == 0;
  }

  IdempotencyEngine engine() {
    return engine;
  }

  /** A client's request has come. */
  void serve(Attempt attempt, SimulatedClient client) {
    open.add(attempt);
    Attempt.Wait wait = attempt.comesTo(this, client.patience(attempt.operation));
    world
        .variation
        .handle(engine, attempt.admission(client.fingerprint()), wait.patience)
        .onComplete(answer -> answered(attempt, client, answer));
  }

  private void answered(Attempt attempt, SimulatedClient client, AsyncResult<Answer> answer) {
    if (process.dead()) {
      return;
    }
    open.remove(attempt);
    if (answer.failed()) {
      world.broken(answer.cause());
      return;
    }
    world.answers().answered(attempt, answer.result(), process.node.index);
    world.waiting().answered(attempt, answer.result());
    client.answered(attempt, answer.result());
  }

  /** A claim of this loop's has won, or met another one. */
  void learned(RecordId id, long token) {
    Deque<Long> tokens = known.computeIfAbsent(id, any -> new ArrayDeque<>());
    tokens.remove(token);
    tokens.addLast(token);
    forgetOld(id);
  }

  /** A wait has ended. */
  void ended(Attempt attempt) {
    forgetOld(attempt.operation.id());
  }

  /** Without waiters nothing older than the newest is waited for. */
  void forgetOld(RecordId id) {
    Deque<Long> tokens = known.get(id);
    while (tokens != null && tokens.size() > 1 && parked(id) == 0) {
      tokens.removeFirst();
    }
  }

  Set<Long> known(RecordId id) {
    return Set.copyOf(known.getOrDefault(id, new ArrayDeque<>()));
  }

  /** How many wait for a record here. */
  long parked(RecordId id) {
    return open.stream().filter(a -> a.parked() && a.operation.id().equals(id)).count();
  }

  long parked() {
    return open.stream().filter(Attempt::parked).count();
  }

  /** Timers of its engine that have neither fired nor been cancelled. */
  int timers() {
    return timers;
  }

  @Override
  public long nanos() {
    return process.nanos();
  }

  @Override
  public Timer after(Duration delay, Runnable task) {
    boolean[] over = new boolean[1];
    timers++;
    Timer timer =
        process.after(
            delay,
            () -> {
              over[0] = true;
              timers--;
              task.run();
            });
    return () -> {
      if (!over[0]) {
        over[0] = true;
        timers--;
        timer.cancel();
      }
    };
  }

  @Override
  public byte[] randomBytes(int count) {
    return process.randomBytes(count);
  }

  @Override
  public UUID randomId() {
    return process.randomId();
  }
}
