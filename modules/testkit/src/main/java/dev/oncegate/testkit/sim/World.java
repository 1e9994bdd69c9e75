package dev.oncegate.testkit.sim;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.RecordId;
import dev.oncegate.engine.KeyRing;
import dev.oncegate.engine.PolicyVersions;
import dev.oncegate.testkit.InMemoryPolicyArchive;
import dev.oncegate.testkit.SamplePolicies;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Everything of one seed, and where its parts find each other. */
final class World {
  /** Keys are derived once for all worlds; they are the same in each. */
  private static final KeyRing KEYS =
      new KeyRing(
          KeyRing.Secret.of("0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII)),
          List.of());

  /** How long after the last fault a statement may still be without an answer. */
  private static final long SETTLES = 2_500_000_000L;

  final long seed;
  final Variation variation;
  final Agenda agenda = new Agenda();
  final Trace trace = new Trace();
  final Dice dice;
  final Plan plan;
  final Weather weather;
  final PolicyVersions policies =
      new PolicyVersions(
          new InMemoryPolicyArchive(), (version, document) -> SamplePolicies.protocol());
  final SimulatedDatabase database;
  final SimulatedUpstream upstream;
  final SimulatedBus bus;
  final List<SimulatedNode> nodes = new ArrayList<>();
  private final List<KeyLife> lives = new ArrayList<>();
  private final List<Attempt> attempts = new ArrayList<>();
  private final Map<Rare, Long> seen = new EnumMap<>(Rare.class);
  private final AnswerChecks answers;
  private final EffectChecks effects;
  private final WaitingChecks waiting;
  private long calmSince;
  private boolean disturbed;
  private @Nullable Throwable broken;

  World(long seed, Variation variation) {
    this.seed = seed;
    this.variation = variation;
    this.dice = new Dice(seed);
    this.plan = Plan.draw(dice.split(), variation.outcomes());
    this.weather =
        new Weather(new BusWeather(plan.crowd().deaf() || variation.deaf(), plan.roughness()));
    plan.keys().forEach(operation -> lives.add(new KeyLife(operation)));
    this.calmSince = plan.faults() == 0 && plan.roughness() == 0 ? 0 : Long.MAX_VALUE;
    policies.serve(plan.tenants());
    this.database = new SimulatedDatabase(this, dice.split());
    this.upstream = new SimulatedUpstream(this, dice.split());
    this.bus = new SimulatedBus(this, dice.split());
    this.answers = new AnswerChecks(this);
    this.effects = new EffectChecks(this);
    this.waiting = new WaitingChecks(this);
    for (int i = 0; i < Plan.NODES; i++) {
      nodes.add(new SimulatedNode(this, i, dice.split()));
    }
  }

  static Bytes bytes(String text) {
    return Bytes.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  KeyRing keys() {
    return KEYS;
  }

  List<KeyLife> lives() {
    return lives;
  }

  KeyLife life(Plan.Operation operation) {
    return lives.get(operation.index());
  }

  KeyLife life(RecordId id) {
    return lives.stream().filter(l -> l.operation.id().equals(id)).findFirst().orElseThrow();
  }

  /** The event loops of all processes that run. */
  List<SimulatedLoop> loops() {
    return nodes.stream()
        .map(SimulatedNode::running)
        .filter(Objects::nonNull)
        .flatMap(process -> process.loops().stream())
        .toList();
  }

  /** From now on nothing new goes wrong. */
  void healed() {
    calmSince = agenda.now() + SETTLES;
  }

  /** True time since when nothing goes wrong; the greatest number where something may. */
  long calmSince() {
    return calmSince;
  }

  /** Something has happened after which the owner of a claim may not know who waits for it. */
  void disturbed() {
    disturbed = true;
  }

  /** Whether owners have known at any time, within a moment, how many wait for their claims. */
  boolean undisturbed() {
    return !disturbed && plan.roughness() == 0 && !weather.bus.deaf();
  }

  Attempt attempt(Plan.Operation operation, String payload) {
    Attempt attempt = new Attempt(attempts.size(), operation, payload);
    attempts.add(attempt);
    return attempt;
  }

  Attempt attempt(int id) {
    return attempts.get(id);
  }

  int operations() {
    return attempts.size();
  }

  AnswerChecks answers() {
    return answers;
  }

  EffectChecks effects() {
    return effects;
  }

  WaitingChecks waiting() {
    return waiting;
  }

  void saw(Rare rare) {
    seen.merge(rare, 1L, Long::sum);
  }

  Map<Rare, Long> seen() {
    return seen;
  }

  void trace(String what, int node, Attempt attempt) {
    trace.add(agenda.now(), what, node, attempt.operation.index(), attempt.id);
  }

  /**
   * Says that an invariant does not hold. Noted, and thrown by the loop: within the engine's
   * futures it would be taken for a failure of theirs.
   */
  void violated(String invariant, String what) {
    broken(new Violation(invariant, what));
  }

  void require(boolean holds, String invariant, String what) {
    if (!holds) {
      violated(invariant, what);
    }
  }

  /** As {@link #require}, of what no client and no upstream sees. */
  void inside(boolean holds, String invariant, String what) {
    if (!holds && variation.looksInside()) {
      violated(invariant, what);
    }
  }

  void broken(Throwable failure) {
    if (broken == null) {
      broken = failure;
    }
  }

  @Nullable Throwable broken() {
    return broken;
  }
}
