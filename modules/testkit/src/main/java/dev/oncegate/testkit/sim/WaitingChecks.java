package dev.oncegate.testkit.sim;

import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.engine.Answer;
import dev.oncegate.engine.Problem;
import dev.oncegate.engine.port.EngineEvents.WokenBy;
import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.RunningWinners;
import dev.oncegate.engine.port.Waiting;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Whether those who wait are treated as contract §3 says, whatever the bus does. */
final class WaitingChecks {
  private static final long MILLI = 1_000_000L;

  /** Beyond a limit, for what the simulation itself rounds. */
  private static final long MARGIN = MILLI;

  /** Longest pause between two polls with its jitter, and a read. */
  private static final long POLLED_WITHIN = 6_250 * MILLI + 500 * MILLI;

  /** Longest time in which the owner of a claim does not know how many wait on other loops. */
  private static final long PASSES = 100 * MILLI;

  private final World world;

  /** Statuses that somebody has made up, by record. */
  private final Map<RecordId, Set<Integer>> lies = new HashMap<>();

  private @Nullable WokenBy by;

  WaitingChecks(World world) {
    this.world = world;
  }

  /** A message says something that nobody knows to be so. */
  void lied(Waiting waiting, Hint lie) {
    if (lie instanceof Hint.Released released) {
      lies.computeIfAbsent(waiting.id(), any -> new HashSet<>()).add(released.status());
      KeyLife life = world.life(waiting.id());
      if (!life.released.contains(waiting.token().value())) {
        world.saw(Rare.FORGED_RELEASE);
      }
    }
  }

  /** Whether the row of a claim is there while the answer to it is still on its way. */
  boolean ownerDoesNotKnow(Waiting waiting) {
    KeyLife.Won won = world.life(waiting.id()).tokens.get(waiting.token().value());
    return won != null && won.attempt.held != waiting.token().value();
  }

  /** A renewal was refused. */
  void fenced(RecordId id, FencingToken token) {
    KeyLife.Won won = world.life(id).tokens.get(token.value());
    if (won != null && won.attempt.isOf(loop -> loop.parked(id) > 0)) {
      world.saw(Rare.OWNER_FENCED_WITH_WAITERS);
    }
  }

  /** One of a loop's requests has begun to wait: the one that was just counted. */
  void parked(SimulatedLoop loop, String tenant) {
    Attempt attempt =
        loop.open.stream().filter(Attempt::beginsToWait).reduce((first, last) -> last).orElse(null);
    if (attempt == null || attempt.wait == null) {
      world.violated("V3", "nobody is there who could have begun to wait");
      return;
    }
    world.trace("parked", loop.process.node.index, attempt);
    Attempt.Wait wait = attempt.wait;
    if (wait.tokens.isEmpty()) {
      loop.forgetOld(attempt.operation.id());
      wait.tokens.addAll(loop.known(attempt.operation.id()));
    }
    loop.parked++;
    wait.parkedAt = loop.process.ran();
    wait.parkedTrue = world.agenda.now();
    world.require(!loop.drained, "V3", "a request waits in a process that ends");
    long waiting = loop.process.parked(tenant);
    int most = attempt.operation.route().park().maxWaitersPerTenant();
    world.require(waiting <= most, "C07", waiting + " requests wait, " + most + " may");
    placesOfKey(world.life(attempt.operation));
  }

  /** In a world where the owner is told at once, its limit holds on all loops together. */
  private void placesOfKey(KeyLife life) {
    if (world.undisturbed()) {
      long waiting = waiting(life, PASSES);
      int most = life.operation.route().park().maxWaitersPerKey();
      world.require(waiting <= most, "C07", waiting + " requests wait for a key, " + most + " may");
    }
  }

  /** One of those who wait is about to be answered. */
  void woken(SimulatedLoop loop, WokenBy wokenBy) {
    by = wokenBy;
    loop.ended++;
    world.saw(
        switch (wokenBy) {
          case LOCAL -> Rare.WOKEN_WITHIN_THE_PROCESS;
          case BUS -> Rare.WOKEN_BY_A_MESSAGE;
          case POLL -> Rare.WOKEN_BY_A_POLL;
          case TIMEOUT -> Rare.WOKEN_BY_ITS_LIMIT;
        });
  }

  void left(SimulatedLoop loop) {
    loop.ended++;
    world.saw(Rare.HUNG_UP_WHILE_PARKED);
  }

  /** A request is answered, parked or not. */
  void answered(Attempt attempt, Answer answer) {
    Attempt.Wait wait = attempt.wait;
    if (wait == null) {
      return;
    }
    Problem problem = answer instanceof Answer.Refusal refusal ? refusal.problem() : null;
    Problem.Type type = problem == null ? null : problem.type();
    if (wait.parkedAt < 0) {
      if (type == Problem.Type.IN_FLIGHT && wait.patience.counted() && !wait.gone) {
        refused(attempt, wait);
      }
      world.require(
          type != Problem.Type.ATTEMPT_RELEASED, "S17", "released is said to who did not wait");
      return;
    }
    wait.loop.ended(attempt);
    inTime(attempt, wait);
    if (problem != null && type == Problem.Type.ATTEMPT_RELEASED) {
      released(attempt, wait, problem);
    } else if (type == Problem.Type.IN_FLIGHT && !wait.gone && !wait.loop.process.drains()) {
      boolean early = wait.loop.process.ran() - wait.parkedAt < wait.limit / 2;
      KeyLife life = world.life(attempt.operation);
      if (early && wait.tokens.stream().noneMatch(life.ended::containsKey)) {
        tooManyOfKey(attempt);
      }
    }
    world.life(attempt.operation).left.add(world.agenda.now());
  }

  private void refused(Attempt attempt, Attempt.Wait wait) {
    if (wait.limit == 0 || wait.loop.process.drains()) {
      return;
    }
    String tenant = attempt.operation.tenant().id();
    boolean full =
        wait.loop.process.parked(tenant) >= attempt.operation.route().park().maxWaitersPerTenant();
    if (full) {
      world.saw(Rare.TOO_MANY_WAITERS_OF_A_TENANT);
    } else {
      tooManyOfKey(attempt);
    }
  }

  /** In a world where no message is lost, only those who wait, or just did, take places. */
  private void tooManyOfKey(Attempt attempt) {
    world.saw(Rare.TOO_MANY_WAITERS_OF_A_KEY);
    KeyLife life = world.life(attempt.operation);
    if (world.undisturbed()) {
      long now = world.agenda.now();
      life.left.removeIf(at -> now - at > PASSES);
      long places = waiting(life, 0) + life.left.size();
      int most = attempt.operation.route().park().maxWaitersPerKey();
      world.require(
          places >= most, "C07", most + " may wait for a key, one is refused after " + places);
    }
  }

  /** How many have waited for a key for at least so long. */
  private long waiting(KeyLife life, long atLeast) {
    return world.loops().stream()
        .flatMap(loop -> loop.open.stream())
        .filter(a -> a.parked() && a.operation.equals(life.operation))
        .filter(a -> a.wait != null && world.agenda.now() - a.wait.parkedTrue >= atLeast)
        .count();
  }

  /** A process that is stopped answers nobody: its own running time counts. */
  private void inTime(Attempt attempt, Attempt.Wait wait) {
    long waited = wait.loop.process.ran() - wait.parkedAt;
    long most = wait.loop.process.node.trueTime(wait.limit) + MARGIN;
    world.require(
        waited <= most, "V3", "attempt " + attempt.id + " waits beyond its limit, " + waited);
    long over = wait.tokens.stream().mapToLong(token -> sinceEnd(attempt, token)).min().orElse(0);
    world.require(
        over <= POLLED_WITHIN,
        "V3",
        "attempt " + attempt.id + " still waits for a claim that ended " + over + " ns ago");
  }

  /** How long a claim's end could have been seen, with nothing in the way. */
  private long sinceEnd(Attempt attempt, long token) {
    Long ended = world.life(attempt.operation).ended.get(token);
    Attempt.Wait wait = attempt.wait;
    if (ended == null || wait == null) {
      return 0;
    }
    long calm = Math.max(wait.loop.process.calmSince(), wait.parkedTrue);
    return calm == Long.MAX_VALUE ? 0 : world.agenda.now() - Math.max(ended, calm);
  }

  /** S17: a message may say that a claim was released; only the row makes it so. */
  private void released(Attempt attempt, Attempt.Wait wait, Problem problem) {
    KeyLife life = world.life(attempt.operation);
    world.inside(
        wait.tokens.stream().anyMatch(life.released::contains),
        "S17",
        "attempt " + attempt.id + " is told of a release that never was, of " + wait.tokens);
    world.require(!problem.newKeySafe(), "S20", "who waited is told that a new key is safe");
    Optional<Integer> status = problem.original().map(Problem.Original::status);
    world.inside(
        status.isEmpty() || lied(attempt, status.get()) || real(life, wait, status.get()),
        "S17",
        "attempt " + attempt.id + " is told of a status that nobody said, " + status);
    if (by == WokenBy.POLL) {
      world.saw(Rare.RELEASE_FOUND_BY_A_POLL);
    } else if (by == WokenBy.BUS) {
      world.saw(Rare.RELEASE_TOLD_BY_A_MESSAGE);
    } else {
      world.saw(Rare.RELEASE_TOLD_WITHIN_THE_PROCESS);
    }
  }

  private boolean lied(Attempt attempt, int status) {
    return lies.getOrDefault(attempt.operation.id(), Set.of()).contains(status);
  }

  /** The upstream's own status; a winner that sent nothing was told what kept it. */
  private static boolean real(KeyLife life, Attempt.Wait wait, int status) {
    Predicate<Attempt> said =
        winner -> winner.line == null ? status >= 500 : winner.line.status() == status;
    return wait.tokens.stream()
        .map(life.tokens::get)
        .anyMatch(won -> won != null && said.test(won.attempt));
  }

  /** At every look, and at the end: nobody waits who should have been answered. */
  void look() {
    for (SimulatedLoop loop : world.loops()) {
      for (Attempt attempt : loop.open) {
        Attempt.Wait wait = attempt.wait;
        if (wait != null && wait.parkedAt >= 0 && !loop.process.stopped()) {
          inTime(attempt, wait);
        }
      }
    }
  }

  /** After the end: nothing of waiting is left anywhere. */
  void end() {
    for (SimulatedLoop loop : world.loops()) {
      world.require(loop.open.isEmpty(), "V3", loop.open.size() + " requests without an answer");
      world.require(loop.timers() == 0, "V3", loop.timers() + " timers are left");
      world.require(
          loop.parked == loop.ended, "V3", loop.parked + " were parked, " + loop.ended + " woken");
      for (KeyLife life : world.lives()) {
        String tenant = life.operation.tenant().id();
        world.require(
            loop.process.waiters().waiting(tenant) == 0, "V3", "places are taken by nobody");
        life.tokens.keySet().forEach(token -> forgotten(loop, life, token));
      }
      world.require(loop.engine().answerWaiters().succeeded(), "V3", "a group without waiters");
    }
  }

  private void forgotten(SimulatedLoop loop, KeyLife life, long token) {
    RunningWinners winners = loop.engine().winners();
    Waiting waiting =
        new Waiting(life.operation.id(), new FencingToken(token), "nobody", Duration.ofSeconds(1));
    world.require(
        winners.attach(waiting).result() instanceof Hint.LookAgain,
        "V3",
        "token " + token + " is still believed to run");
  }
}
