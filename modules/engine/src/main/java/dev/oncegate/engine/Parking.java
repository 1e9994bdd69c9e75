package dev.oncegate.engine;

import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.RecordId;
import dev.oncegate.engine.port.EngineEvents.WokenBy;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.engine.port.Time;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Lets duplicates wait for the winner instead of refusing them (contract §3). Belongs to one event
 * loop and shares nothing with others but the count of waiters per tenant: a duplicate on the
 * winner's own loop joins in memory; all duplicates on another loop cost one claim that met its
 * rival, one look after attaching to its owner, and one read of the end.
 */
final class Parking {
  private final IdempotencyEngine.Parts parts;
  private final RecordAnswers answers;
  private final Winners winners;
  private final Function<Subject, Duration> typicalRun;

  /** Where newcomers join. A group that looks at the store takes nobody meanwhile. */
  private final Map<RecordId, WaiterGroup> open = new HashMap<>();

  /** By their claims; the open ones among them. */
  private final Map<ClaimOf, WaiterGroup> all = new LinkedHashMap<>();

  private final Guard guard;
  private boolean draining;

  Parking(
      IdempotencyEngine.Parts parts,
      RecordAnswers answers,
      Winners winners,
      Function<Subject, Duration> typicalRun) {
    this.parts = parts;
    this.answers = answers;
    this.winners = winners;
    this.typicalRun = typicalRun;
    this.guard = new Guard(parts.events());
  }

  /** A claim of a record: this loop has one group of waiters for it. */
  private record ClaimOf(RecordId id, FencingToken token) {
    static ClaimOf of(IdempotencyRecord.Claimed claim) {
      return new ClaimOf(claim.facts().id(), claim.facts().token());
    }
  }

  /**
   * The claim of a record that this loop knows to run.
   *
   * @param own whether its winner is one of this loop, which knows its claim better than a waiter
   */
  record Known(IdempotencyRecord.Claimed claim, boolean own) {}

  Optional<Known> known(RecordId id) {
    Optional<Known> own = winners.find(id).map(winner -> new Known(winner.record(), true));
    return own.or(
        () -> Optional.ofNullable(open.get(id)).map(group -> new Known(group.claim(), false)));
  }

  /** Joins those who wait for a known claim with the same payload; empty where it just ended. */
  Optional<Future<Answer>> join(Admission admission, Known known, Patience patience) {
    Optional<Known> now = known(admission.id()).filter(k -> sameClaim(k.claim(), known.claim()));
    return now.map(
        running -> {
          WaiterGroup group = all.get(ClaimOf.of(running.claim()));
          if (group == null) {
            Subject subject = Subject.of(admission);
            group = group(subject, running.claim(), winnerRuns(admission.id()));
          }
          return park(group, patience);
        });
  }

  private static boolean sameClaim(IdempotencyRecord.Claimed one, IdempotencyRecord.Claimed other) {
    return one.facts().token().equals(other.facts().token());
  }

  private Duration winnerRuns(RecordId id) {
    return winners.find(id).map(w -> w.running(now())).orElse(Duration.ZERO);
  }

  /** Waits for a claim that the store has told of. */
  Future<Answer> park(Admission admission, ClaimOutcome.InFlight met, Patience patience) {
    WaiterGroup group = all.get(ClaimOf.of(met.record()));
    if (group == null) {
      group = group(Subject.of(admission), met.record(), met.running());
    }
    return park(group, patience);
  }

  private WaiterGroup group(Subject subject, IdempotencyRecord.Claimed claim, Duration running) {
    WaiterGroup group = new WaiterGroup(this, subject, claim, running);
    winners
        .find(subject.id())
        .filter(winner -> winner.token().equals(claim.facts().token()))
        .ifPresentOrElse(
            winner -> group.watchBy(new WinnerWatch(group, winner, parts)),
            () -> group.watchBy(new ClaimWatch(group, parts)));
    return group;
  }

  private Future<Answer> park(WaiterGroup group, Patience patience) {
    patience.count();
    Subject subject = group.subject();
    if (draining || patience.gone() || patience.limit().isZero() || !group.hasRoom()) {
      return Future.succeededFuture(group.inFlight());
    }
    int most = subject.route().park().maxWaitersPerTenant();
    if (!parts.waiters().enter(subject.tenantId(), most)) {
      return Future.succeededFuture(group.inFlight());
    }
    all.put(ClaimOf.of(group.claim()), group);
    if (!group.isLooking()) {
      open.put(subject.id(), group);
    }
    return group.add(patience);
  }

  /** Its winner has gone from this loop, or is not sure of its claim any more. */
  void watchFromAfar(WaiterGroup group) {
    ClaimWatch watch = new ClaimWatch(group, parts);
    group.watchBy(watch);
    watch.resized();
  }

  /** From now on nobody joins it. */
  void forget(WaiterGroup group) {
    open.remove(group.subject().id(), group);
  }

  /** Newcomers may join it again, unless there is another group by now. */
  void keep(WaiterGroup group) {
    open.putIfAbsent(group.subject().id(), group);
  }

  void end(WaiterGroup group) {
    forget(group);
    all.remove(ClaimOf.of(group.claim()), group);
  }

  void entered(WaiterGroup group) {
    parts.events().parked(group.subject().tenantId());
  }

  void woken(WaiterGroup group, WokenBy by, Duration waited) {
    parts.waiters().leave(group.subject().tenantId());
    parts.events().woken(group.subject().tenantId(), by, waited);
  }

  void left(WaiterGroup group) {
    parts.waiters().leave(group.subject().tenantId());
    parts.events().left(group.subject().tenantId());
  }

  Answer inFlight(Subject subject, IdempotencyRecord.Claimed claim, Duration running) {
    return answers.inFlight(subject, claim, running, typicalRun.apply(subject));
  }

  Answer refusal(Subject subject, Throwable failure) {
    return answers.refusal(subject, failure);
  }

  void unreadable(Throwable failure) {
    parts.events().storeFailed("read", failure);
  }

  /**
   * Answers all waiters: with what is stored by now, else as in flight. Whoever comes later does
   * not wait. Never fails.
   */
  Future<Void> drain() {
    draining = true;
    List<WaiterGroup> waiting = List.copyOf(all.values());
    return Future.join(waiting.stream().map(WaiterGroup::drain).toList()).mapEmpty();
  }

  Guard guard() {
    return guard;
  }

  RecordAnswers answers() {
    return answers;
  }

  RecordStore store() {
    return parts.store();
  }

  Time time() {
    return parts.time();
  }

  long now() {
    return parts.time().nanos();
  }
}
