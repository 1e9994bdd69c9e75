package dev.oncegate.engine;

import dev.oncegate.core.ClaimOutcome;
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
  private final LeaseKeeper leases;
  private final Settling settling;
  private final Map<String, Double> typicalNanos = new HashMap<>();
  private final List<Promise<Void>> awaitingIdle = new ArrayList<>();
  private int running;

  ExchangeFloor(IdempotencyEngine.Parts parts, AnswerCipher cipher, RecordAnswers answers) {
    this.parts = parts;
    this.cipher = cipher;
    this.answers = answers;
    this.leases = new LeaseKeeper(parts.store(), parts.time(), parts.events());
    this.settling = new Settling(parts.time(), parts.events());
  }

  /**
   * Runs the winner's exchange.
   *
   * @param upstreamKey the key that the upstream will see
   * @param asked monotonic time just before the claim left
   */
  Future<Answer> start(Admission admission, SentKey upstreamKey, ClaimOutcome.Won won, long asked) {
    running++;
    LeaseKeeper.Held lease =
        leases.keep(admission.id(), won.token(), admission.route().protocol().lease(), asked);
    Exchange exchange =
        new Exchange(parts, cipher, answers, settling, admission, upstreamKey, won, lease);
    long started = parts.time().nanos();
    exchange
        .run(Duration.ofNanos(started - asked))
        .onComplete(
            ended -> {
              lease.letGo();
              remember(admission, parts.time().nanos() - started);
              ended();
            });
    return exchange.clientAnswer();
  }

  /** How long executions of the request's route take; zero while none has ended. */
  Duration typicalRun(Admission admission) {
    return Duration.ofNanos(typicalNanos.getOrDefault(routeOf(admission), 0.0).longValue());
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

  private void remember(Admission admission, long nanos) {
    typicalNanos.merge(
        routeOf(admission), (double) nanos, (old, now) -> old * (1 - NEWEST) + now * NEWEST);
  }

  private static String routeOf(Admission admission) {
    return admission.tenant().id() + '/' + admission.route().id();
  }
}
