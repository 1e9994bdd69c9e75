package dev.oncegate.store.postgres;

import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.RecordRules;
import dev.oncegate.engine.port.RecordStore.RecordDamaged;
import dev.oncegate.engine.port.RecordStore.StoreUnavailable;
import dev.oncegate.store.postgres.ClaimAsk.Known;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * One loop's claims. It never asks twice for one record at a time (architecture D): who comes while
 * a claim of the same record still waits to be sent joins it and is judged by the same record; who
 * comes after it was sent waits for the next, since the database may have looked before.
 */
final class Claims {
  /** Stands for the token that a claim would draw; never used, since strangers are reclaimed. */
  private static final FencingToken ABOVE_ALL = new FencingToken(Long.MAX_VALUE);

  private final ContextInternal context;
  private final Lane lane;
  private final BatchLane<ClaimRow> batches;
  private final Withdrawals withdrawals;
  private final LongSupplier nanos;
  private final int limit;
  private final Map<RecordId, Group> running = new HashMap<>();
  private int joined;

  Claims(
      ContextInternal context,
      Lane lane,
      Withdrawals withdrawals,
      PgStoreSettings settings,
      LongSupplier nanos) {
    this.context = context;
    this.lane = lane;
    this.batches =
        new BatchLane<>(context, lane, new ClaimRow.Shape(settings.lockTimeout()), settings);
    this.withdrawals = withdrawals;
    this.nanos = nanos;
    this.limit = settings.queue();
  }

  Future<ClaimOutcome> claim(Claim claim, long deadline) {
    Member member = new Member(claim, deadline, context.promise());
    Group group = running.get(claim.id());
    if (group == null) {
      start(member, List.of());
    } else if (joined >= limit) {
      return context.failedFuture(
          new StoreUnavailable("the " + lane.name() + " lane has a full queue"));
    } else {
      joined++;
      (group.ask.sent() ? group.behind : group.members).add(member);
    }
    return member.outcome.future();
  }

  private void start(Member leader, List<Member> others) {
    ClaimAsk ask = new ClaimAsk(lane, batches, leader.claim, leader.deadline, nanos);
    Group group = new Group(leader, ask);
    group.members.addAll(others);
    running.put(leader.claim.id(), group);
    ask.record().onComplete(known -> ended(group, known));
  }

  private void ended(Group group, AsyncResult<Known> known) {
    running.remove(group.leader.claim.id());
    List<Member> again = new ArrayList<>();
    if (known.succeeded() || known.cause() instanceof RecordDamaged) {
      joined -= group.members.size();
      again.addAll(group.behind);
      settle(group.leader, known, group.ask.mayBeThere());
      group.members.forEach(member -> settle(member, known, false));
    } else {
      // It says nothing about the others' claims: each has its own time, and its own row.
      again.addAll(group.members);
      again.addAll(group.behind);
      settle(group.leader, known, group.ask.mayBeThere());
    }
    again.removeIf(this::hopeless);
    if (!again.isEmpty()) {
      joined--;
      // Whoever was told meanwhile may have asked for the same record.
      Group next = running.get(group.leader.claim.id());
      if (next == null) {
        start(again.get(0), again.subList(1, again.size()));
      } else {
        joined++;
        (next.ask.sent() ? next.behind : next.members).addAll(again);
      }
    }
  }

  /** Told at once, and not by a try of its own: in an outage there may be a thousand of these. */
  private boolean hopeless(Member member) {
    LaneFailure refusal = lane.refusal(member.deadline);
    if (refusal != null) {
      joined--;
      member.outcome.fail(PgFailures.translated(refusal));
    }
    return refusal != null;
  }

  private void settle(Member member, AsyncResult<Known> known, boolean mayBeThere) {
    if (known.failed()) {
      if (mayBeThere && known.cause() instanceof StoreUnavailable) {
        withdrawals.add(member.claim);
      }
      member.outcome.fail(known.cause());
      return;
    }
    Known met = known.result();
    ClaimOutcome outcome;
    try {
      outcome = RecordRules.claim(met.record(), member.claim, ABOVE_ALL, met.now()).outcome();
    } catch (RuntimeException e) {
      member.outcome.fail(e);
      return;
    }
    if (outcome instanceof ClaimOutcome.Won && met.warned()) {
      withdrawals.add(member.claim);
      member.outcome.fail(new StoreUnavailable("the claim was committed with a warning"));
    } else {
      member.outcome.complete(outcome);
    }
  }

  private record Member(Claim claim, long deadline, Promise<ClaimOutcome> outcome) {}

  /** Claims of one record: the one that is asked, those judged with it, those who came too late. */
  private static final class Group {
    final Member leader;
    final ClaimAsk ask;
    final List<Member> members = new ArrayList<>();
    final List<Member> behind = new ArrayList<>();

    Group(Member leader, ClaimAsk ask) {
      this.leader = leader;
      this.ask = ask;
    }
  }
}
