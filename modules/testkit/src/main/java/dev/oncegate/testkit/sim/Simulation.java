package dev.oncegate.testkit.sim;

import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One seed from its beginning to the end of its quiet time. */
public final class Simulation {
  private static final long SECOND = 1_000_000_000L;

  /** How long after the last fault everything must have come to an end. */
  private static final long QUIET = 300 * SECOND;

  /** Between two looks of a person, and of the loop at whether all is done. */
  private static final long LOOK = 5 * SECOND;

  private final World world;
  private final List<SimulatedClient> clients = new ArrayList<>();

  private Simulation(World world) {
    this.world = world;
  }

  /**
   * What a seed was.
   *
   * @param operations requests of clients
   * @param faults that had begun
   * @param virtualNanos how long it lasted in its own time
   * @param digest of its whole trace
   */
  public record Result(
      long seed,
      int operations,
      int faults,
      long events,
      long virtualNanos,
      long digest,
      Map<Rare, Long> seen) {}

  /**
   * Runs a seed.
   *
   * @throws AssertionError with the seed, the invariant and the newest events, where one is
   *     violated
   */
  public static Result run(long seed) {
    return run(seed, Variation.NONE);
  }

  static Result run(long seed, Variation variation) {
    World world = new World(seed, variation);
    try {
      return new Simulation(world).run();
    } catch (AssertionError | RuntimeException failure) {
      String invariant =
          failure instanceof Violation violation ? violation.invariant() : "an assertion";
      throw new Failed(seed, invariant, world.trace.tail(), failure);
    }
  }

  /** A seed that must become a regression. */
  public static final class Failed extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final String invariant;

    Failed(long seed, String invariant, String tail, Throwable cause) {
      super(
          "seed " + seed + " violates " + cause.getMessage() + "; its newest events:\n" + tail,
          cause);
      this.invariant = invariant;
    }

    /** Such as {@code S1}. */
    public String invariant() {
      return invariant;
    }
  }

  private Result run() {
    world.nodes.forEach(SimulatedNode::start);
    new Faults(world, world.dice.split()).plan();
    new BusFaults(world, world.dice.split()).plan();
    clients();
    Person person = new Person(world, world.dice.split());
    looks(person);
    until(world.plan.active());
    heal();
    long healed = world.agenda.now();
    boolean quiet = false;
    while (!quiet && world.agenda.now() < healed + QUIET) {
      until(world.agenda.now() + LOOK);
      quiet = quiet();
      aliveClaims(healed);
    }
    end();
    return new Result(
        world.seed,
        world.operations(),
        world.weather.faults,
        world.agenda.events(),
        world.agenda.now(),
        world.trace.digest(),
        world.seen());
  }

  /** Checks run after every event: a failure is noted where it is seen, and thrown here. */
  private void until(long end) {
    while (world.agenda.next(end)) {
      Throwable broken = world.broken();
      if (broken != null) {
        if (broken instanceof Error error) {
          throw error;
        }
        throw new AssertionError("the engine is broken: " + broken, broken);
      }
    }
  }

  private void clients() {
    Dice dice = world.dice.split();
    Plan.Operation operation = world.plan.keys().get(0);
    long at = 0;
    for (int i = 0; i < world.plan.clients(); i++) {
      if (dice.chance(world.plan.crowd().bursts())) {
        at += dice.millis(0, 300);
      } else {
        operation = world.plan.keys().get(dice.below(world.plan.keys().size()));
        at = dice.between(0, world.plan.active());
      }
      String payload = dice.chance(0.08) ? "other" : "payload";
      SimulatedClient client = new SimulatedClient(world, dice.split(), operation, payload);
      clients.add(client);
      world.agenda.in(at, client::send);
    }
  }

  private void looks(Person person) {
    world.agenda.in(
        LOOK,
        () -> {
          person.look();
          world.waiting().look();
          looks(person);
        });
  }

  private void heal() {
    Weather weather = world.weather;
    weather.healed = true;
    weather.bus.heal();
    world.trace.add(world.agenda.now(), "all faults are over", -1, -1, -1);
    world.nodes.forEach(SimulatedNode::start);
    world.healed();
  }

  private boolean quiet() {
    return clients.stream().allMatch(client -> client.answered() || !client.persists())
        && world.lives().stream()
            .noneMatch(life -> life.row instanceof Claimed || life.row instanceof Unknown)
        && world.loops().stream().allMatch(SimulatedLoop::idle);
  }

  /** V1: once faults are over, no claim is older than its exchange may be open. */
  private void aliveClaims(long healed) {
    long slack = 20 * SECOND;
    long most = world.plan.abandon() + world.plan.lease() + slack;
    for (KeyLife life : world.lives()) {
      IdempotencyRecord row = life.row;
      if (row instanceof Claimed) {
        Instant old = world.database.clock().minusNanos(most);
        world.require(
            world.agenda.now() - healed < most || !row.facts().claimedAt().isBefore(old),
            "V1",
            "key " + life.operation.index() + " has been claimed for too long");
      }
    }
  }

  private void end() {
    for (KeyLife life : world.lives()) {
      world.require(
          !(life.row instanceof Claimed), "V1", "key " + life.operation.index() + " is claimed");
      world.require(
          !(life.row instanceof Unknown), "V2", "key " + life.operation.index() + " is unknown");
    }
    for (SimulatedClient client : clients) {
      world.require(
          client.answered() || !client.persists(), "V4", "a client has no definite answer");
    }
    world.waiting().end();
    Throwable broken = world.broken();
    if (broken instanceof Error error) {
      throw error;
    }
  }
}
