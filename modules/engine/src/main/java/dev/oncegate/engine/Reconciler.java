package dev.oncegate.engine;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.ClaimFacts;
import dev.oncegate.core.Reconciliation;
import dev.oncegate.core.ResolveOutcome;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.core.TimelineEntry.Kind;
import dev.oncegate.core.TimelineEntry.Note;
import dev.oncegate.core.Verdict;
import dev.oncegate.engine.Interview.Finding;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.engine.port.RecordUpkeep;
import dev.oncegate.engine.port.RecordUpkeep.Due;
import dev.oncegate.engine.port.TenantDirectory;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds out what became of unknown outcomes (contract §6): asks the tenant's API where the record's
 * policy has a question, and settles by what it says. The record turned unknown before, committed
 * (S11); a {@code notApplied} counts only where the question left after the quarantine (reliability
 * findings 1 and 2); what cannot be found out is left to a person. Safe on every node at once: a
 * record is taken before it is asked about, and settled under its token.
 */
public final class Reconciler {
  /** Longer than any question takes; a node that dies over one delays it by so much. */
  private static final Duration HOLD = Duration.ofSeconds(30);

  /** A tenant that was taken from the file may come back. */
  private static final Duration ABSENT_TENANT = Duration.ofMinutes(1);

  private final RecordUpkeep upkeep;
  private final PolicyVersions policies;
  private final TenantDirectory tenants;
  private final Interview interview;
  private final ProbeLimits limits;
  private final EngineEvents events;
  private final int batch;

  /**
   * A reconciler.
   *
   * @param batch records that are taken at a time
   */
  public Reconciler(
      RecordUpkeep upkeep,
      PolicyVersions policies,
      TenantDirectory tenants,
      Interview interview,
      ProbeLimits limits,
      EngineEvents events,
      int batch) {
    this.upkeep = upkeep;
    this.policies = policies;
    this.tenants = tenants;
    this.interview = interview;
    this.limits = limits;
    this.events = events;
    this.batch = batch;
  }

  /**
   * What one run did.
   *
   * @param settled completed or released
   * @param more whether as many were due as were taken
   */
  public record Counts(int taken, int settled, boolean more) {}

  /** One run: takes a batch and sees each of its records to an end. Fails where none was taken. */
  public Future<Counts> runOnce() {
    return upkeep
        .take(batch, HOLD)
        .compose(
            taken -> {
              List<Future<Boolean>> each = new ArrayList<>();
              taken.forEach(due -> each.add(see(due)));
              return Future.join(each)
                  .map(
                      done ->
                          new Counts(
                              taken.size(),
                              (int) each.stream().filter(Future::result).count(),
                              taken.size() >= batch));
            });
  }

  /** Whether it was settled; never fails: whatever went wrong, the record comes due again. */
  private Future<Boolean> see(Due due) {
    ClaimFacts facts = due.record().facts();
    return policies
        .asking(() -> Future.succeededFuture(policies.of(facts.policy())))
        .compose(protocol -> judge(due, protocol))
        .recover(failure -> unjudged(due, failure));
  }

  private Future<Boolean> unjudged(Due due, Throwable failure) {
    ClaimFacts facts = due.record().facts();
    if (failure instanceof RecordStore.RecordDamaged damaged) {
      events.recordDamaged(
          facts.tenant(), facts.route(), facts.id(), String.valueOf(damaged.getMessage()));
      return giveUp(due, "it cannot be asked about: " + damaged.getMessage())
          .recover(again -> failed(facts, again));
    }
    return failed(facts, failure);
  }

  private Future<Boolean> failed(ClaimFacts facts, Throwable failure) {
    if (failure instanceof RecordStore.StoreUnavailable) {
      events.storeFailed("resolve", failure);
    } else {
      events.broken(facts.tenant(), facts.route(), failure);
    }
    return Future.succeededFuture(false);
  }

  private Future<Boolean> judge(Due due, RoutePolicy.Protocol protocol) {
    ClaimFacts facts = due.record().facts();
    Optional<TenantPolicy> tenant =
        tenants.tenants().stream().filter(t -> t.id().equals(facts.tenant())).findFirst();
    Reconciliation policy = protocol.reconciliation();
    if (tenant.isEmpty()) {
      String why = "its tenant is not configured any more";
      return policy.probe().map(probe -> isLate(due, probe)).orElse(true)
          ? giveUp(due, why)
          : undecided(due, ABSENT_TENANT, why);
    }
    return switch (policy.way(tenant.get().upstream().honoursKey())) {
      case HOLD -> giveUp(due, "its route has nobody to ask");
      case RELEASE -> release(due);
      case PROBE -> probe(due, protocol, tenant.get());
    };
  }

  /**
   * The retry releases it, under the key that this record keeps ({@link IdempotencyEngine}): a
   * release before could lose that key, and with it the upstream's memory of the request. Only
   * where no retry can come any more does the record go by itself.
   */
  private Future<Boolean> release(Due due) {
    ClaimFacts facts = due.record().facts();
    Instant nobodyRetries = facts.claimedAt().plus(facts.retention()).plus(facts.tombstone());
    if (due.takenAt().isBefore(nobodyRetries)) {
      Duration left = Duration.between(due.takenAt(), nobodyRetries);
      return later(due, left);
    }
    return settle(
        due, new Verdict.NotApplied(due.takenAt(), Duration.ZERO), LetGo.RELEASED_BY_POLICY);
  }

  private Future<Boolean> later(Due due, Duration wait) {
    return resolve(due, new Verdict.Undecided(Optional.of(wait), false), List.of()).map(false);
  }

  private Future<Boolean> probe(Due due, RoutePolicy.Protocol protocol, TenantPolicy tenant) {
    if (!limits.take(tenant)) {
      // Not left to its hold: of many that are unknown at once, as after the death of a node, only
      // few could be asked about in so long.
      return later(due, limits.room(tenant));
    }
    Reconciliation policy = protocol.reconciliation();
    return interview
        .ask(due, protocol, tenant)
        .onComplete(asked -> limits.giveBack(tenant))
        .compose(finding -> follow(due, policy, finding));
  }

  private Future<Boolean> follow(Due due, Reconciliation policy, Finding finding) {
    ClaimFacts facts = due.record().facts();
    Reconciliation.Probe probe = policy.probe().orElseThrow();
    events.probed(facts.tenant(), facts.route(), facts.id(), finding.verdict());
    if (finding instanceof Finding.Applied applied) {
      return settle(
          due,
          new Verdict.Applied(applied.answer()),
          new Note(Kind.RESOLVED, "reconciler", "applied, as the tenant's API says"));
    }
    Instant clean = due.record().since().plus(policy.quarantine());
    if (finding instanceof Finding.NotApplied) {
      if (!due.takenAt().isBefore(clean)) {
        return settle(
            due,
            new Verdict.NotApplied(due.takenAt(), policy.quarantine()),
            new Note(
                Kind.RESOLVED,
                "reconciler",
                "not applied, as the tenant's API says after quarantine"));
      }
      // It may still arrive. Asked again right after the quarantine at the latest.
      Duration left = Duration.between(due.takenAt(), clean);
      Duration wait = left.compareTo(probe.every()) < 0 ? left : probe.every();
      return undecided(due, wait, "not applied, asked within the quarantine");
    } else if (finding instanceof Finding.Undecided undecided) {
      return isLate(due, probe)
          ? giveUp(due, "given up: " + undecided.why())
          : undecided(due, probe.every(), undecided.why());
    }
    throw new BrokenInvariant("no such finding: " + finding.getClass());
  }

  private static boolean isLate(Due due, Reconciliation.Probe probe) {
    return !due.takenAt().isBefore(due.record().since().plus(probe.giveUpAfter()));
  }

  private Future<Boolean> settle(Due due, Verdict verdict, Note note) {
    String label = verdict instanceof Verdict.Applied ? "applied" : "not_applied";
    ClaimFacts facts = due.record().facts();
    return resolve(due, verdict, List.of(note))
        .map(
            outcome -> {
              boolean settled = outcome instanceof ResolveOutcome.Resolved;
              if (settled) {
                events.resolved(facts.tenant(), facts.route(), facts.id(), note.by(), label);
              }
              return settled;
            });
  }

  /** The timeline says only what is new, or fifteen minutes would fill pages. */
  private Future<Boolean> undecided(Due due, Duration askAgain, String said) {
    List<Note> news =
        said.equals(due.lastSaid())
            ? List.of()
            : List.of(new Note(Kind.PROBED, "reconciler", said));
    return resolve(due, new Verdict.Undecided(Optional.of(askAgain)), news).map(false);
  }

  private Future<ResolveOutcome> resolve(Due due, Verdict verdict, List<Note> notes) {
    ClaimFacts facts = due.record().facts();
    return upkeep.resolve(facts.id(), facts.token(), verdict, notes);
  }

  private Future<Boolean> giveUp(Due due, String why) {
    ClaimFacts facts = due.record().facts();
    return upkeep
        .resolve(
            facts.id(),
            facts.token(),
            new Verdict.Undecided(Optional.empty()),
            List.of(new Note(Kind.GAVE_UP, "reconciler", why)))
        .map(
            outcome -> {
              if (outcome instanceof ResolveOutcome.Resolved) {
                events.gaveUp(facts.tenant(), facts.route(), facts.id());
              }
              return false;
            });
  }
}
