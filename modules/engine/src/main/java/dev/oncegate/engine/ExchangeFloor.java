package dev.oncegate.engine;

import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.RoutePolicy;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Where this loop's exchanges run, detached from the clients that caused them. */
final class ExchangeFloor {
  /** Weight of the newest run in the moving average of a route's run time. */
  private static final double NEWEST = 0.2;

  private final IdempotencyEngine.Parts parts;
  private final AnswerCipher cipher;
  private final RecordAnswers answers;
  private final Winners winners;
  private final Guard guard;
  private final LeaseKeeper leases;
  private final Settling settling;
  private final Map<String, Double> typicalNanos = new HashMap<>();
  private final List<Promise<Void>> awaitingIdle = new ArrayList<>();
  private int running;

  ExchangeFloor(
      IdempotencyEngine.Parts parts, AnswerCipher cipher, RecordAnswers answers, Winners winners) {
    this.parts = parts;
    this.cipher = cipher;
    this.answers = answers;
    this.winners = winners;
    this.guard = new Guard(parts.events());
    this.leases = new LeaseKeeper(parts.store(), parts.time(), parts.events());
    this.settling = new Settling(parts.time(), parts.events());
  }

  /**
   * Runs the winner's exchange.
   *
   * @param upstreamKey the key that the upstream will see
   * @param asked monotonic time just before the claim left
   */
  Future<Answer> start(
      Admission admission, SentKey upstreamKey, Claim claim, ClaimOutcome.Won won, long asked) {
    running++;
    RoutePolicy route = admission.route();
    LeaseKeeper.Held lease = leases.keep(claim.id(), won.token(), route.protocol().lease(), asked);
    Winner winner =
        new Winner(claim, won, lease, asked, new Seats(route.park().maxWaitersPerKey()), guard);
    winners.started(winner);
    lease.whenFenced(() -> winner.end(new Ending.Unsure(), () -> {}));
    ClaimEnd end =
        new ClaimEnd(parts, answers, settling, admission, winner, upstreamKey.inherited());
    Forwarding forwarding = new Forwarding(parts, admission, won, upstreamKey.value(), lease);
    long started = parts.time().nanos();
    new Exchange(parts, cipher, admission, end, forwarding, won.deadline())
        .run(Duration.ofNanos(started - asked))
        .onComplete(
            ended -> {
              lease.letGo();
              winners.ended(winner);
              remember(Subject.of(admission), parts.time().nanos() - started);
              ended();
            });
    return end.clientAnswer();
  }

  /** How long executions of a route take; zero while none has ended. */
  Duration typicalRun(Subject subject) {
    return Duration.ofNanos(typicalNanos.getOrDefault(routeOf(subject), 0.0).longValue());
  }

  int running() {
    return running;
  }

  Future<Void> idle() {
    Promise<Void> idle = Promise.promise();
    if (running == 0) {
      idle.complete();
    } else {
      awaitingIdle.add(idle);
    }
    return idle.future();
  }

  private void ended() {
    running--;
    if (running == 0) {
      List<Promise<Void>> waiting = List.copyOf(awaitingIdle);
      awaitingIdle.clear();
      waiting.forEach(Promise::complete);
    }
  }

  private void remember(Subject subject, long nanos) {
    typicalNanos.merge(
        routeOf(subject), (double) nanos, (old, now) -> old * (1 - NEWEST) + now * NEWEST);
  }

  private static String routeOf(Subject subject) {
    return subject.tenantId() + '/' + subject.route().id();
  }
}
