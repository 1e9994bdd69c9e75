package dev.oncegate.engine;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.Hkdf;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.Failpoints;
import dev.oncegate.engine.port.Failpoints.Point;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.engine.port.RunningWinners;
import dev.oncegate.engine.port.Time;
import dev.oncegate.engine.port.Upstream;
import dev.oncegate.engine.port.WaiterBus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One admission in, one answer out: the only place where the order of steps is written. Claim
 * durably, forward once, store the outcome, then answer; whatever else the claim finds is answered
 * from the record. Lives on one event loop.
 */
public final class IdempotencyEngine {
  private final Parts parts;
  private final InputsCipher inputs;
  private final LetGo letGo;
  private final RecordAnswers answers;
  private final Winners winners;
  private final ExchangeFloor floor;
  private final Parking parking;

  /**
   * What an engine works with.
   *
   * @param policies the same that the admissions' matchers look up
   * @param owner address of this process and event loop, random per process start
   * @param bus carries questions of waiters to other loops
   * @param waiters counted for all loops of the process
   */
  public record Parts(
      RecordStore store,
      Upstream upstream,
      KeyRing keys,
      UpstreamKeys upstreamKeys,
      PolicyVersions policies,
      Time time,
      EngineEvents events,
      Failpoints failpoints,
      String owner,
      WaiterBus bus,
      WaiterCounts waiters) {}

  public IdempotencyEngine(Parts parts) {
    this.parts = parts;
    this.inputs = new InputsCipher(parts.keys(), parts.time());
    this.letGo = new LetGo(parts, inputs);
    AnswerCipher cipher = new AnswerCipher(parts.keys(), parts.time());
    this.answers = new RecordAnswers(cipher, parts.events());
    this.winners = new Winners(parts.time(), new Guard(parts.events()));
    this.floor = new ExchangeFloor(parts, cipher, answers, winners);
    this.parking = new Parking(parts, answers, winners, floor::typicalRun);
  }

  /**
   * The answer to a keyed request. The future never fails.
   *
   * @param patience how long its client waits for another request's outcome
   */
  public Future<Answer> handle(Admission admission, Patience patience) {
    Subject subject = Subject.of(admission);
    return Future.succeededFuture()
        .compose(go -> enter(admission, patience))
        .compose(Course::answer)
        .otherwise(failure -> answers.refusal(subject, failure));
  }

  /** The claims that run on this loop, for those who wait for them on others. */
  public RunningWinners winners() {
    return winners;
  }

  /** Answers all who wait, and lets nobody wait any more; exchanges go on. Never fails. */
  public Future<Void> answerWaiters() {
    return parking.drain();
  }

  /** Completes when no exchange runs any more; new ones may still start. */
  public Future<Void> idle() {
    return floor.idle();
  }

  /** How many exchanges run. */
  public int running() {
    return floor.running();
  }

  /** Asks the store, unless this loop knows already that a claim runs. */
  private Future<Course> enter(Admission admission, Patience patience) {
    if (!winners.isAsked(admission.id())) {
      return joinOr(admission, patience, () -> first(admission, patience));
    }
    return Future.future(course -> behind(admission, patience, course));
  }

  /** A claim of the same key is under way: what it finds may be this request's answer too. */
  private void behind(Admission admission, Patience patience, Promise<Course> course) {
    winners.whenTold(
        admission.id(),
        failure -> {
          if (failure instanceof RecordStore.StoreUnavailable) {
            // It has waited for the store as long as the one before it.
            course.fail(failure);
          } else {
            joinOr(admission, patience, () -> claim(admission, patience)).onComplete(course);
          }
        });
  }

  /**
   * Waits for a claim that is known to run. Another payload is refused only where the claim is this
   * loop's own: what a waiter knows of another's may be over.
   */
  private Future<Course> joinOr(
      Admission admission, Patience patience, Supplier<Future<Course>> otherwise) {
    Optional<Parking.Known> known = parking.known(admission.id());
    if (known.isEmpty()) {
      return otherwise.get();
    }
    Parking.Known running = known.get();
    return parts
        .policies()
        .asking(() -> Future.succeededFuture(admission.matcher().matches(running.claim().facts())))
        .compose(
            same -> {
              if (same) {
                return parking
                    .join(admission, running, patience)
                    .map(IdempotencyEngine::onItsWay)
                    .orElseGet(otherwise);
              }
              return running.own()
                  ? Future.succeededFuture(Course.of(answers.mismatch(running.claim())))
                  : otherwise.get();
            });
  }

  /** Claims while others of this loop with the same key wait for what it finds. */
  private Future<Course> first(Admission admission, Patience patience) {
    if (winners.isAsked(admission.id())) {
      // Somebody was faster, while payloads were compared.
      return Future.future(course -> behind(admission, patience, course));
    }
    winners.ask(admission.id());
    return claim(admission, patience, failure -> winners.told(admission.id(), failure));
  }

  private Future<Course> claim(Admission admission, Patience patience) {
    return claim(admission, patience, failure -> {});
  }

  private Future<Course> claim(Admission admission, Patience patience, Winners.Next told) {
    return Future.succeededFuture()
        .compose(
            go ->
                parts
                    .failpoints()
                    .then(
                        Point.CLAIM_BEFORE,
                        () -> claim(admission, parts.upstreamKeys().value(admission))))
        .compose(
            claimed -> {
              try {
                return went(admission, patience, claimed);
              } finally {
                // Only now: what was found is known to this loop.
                told.run(null);
              }
            },
            failure -> {
              told.run(failure);
              return Future.failedFuture(failure);
            });
  }

  /** A claim, what it found, and when it was asked for. */
  private record Claimed(
      Claim claim, Optional<String> upstreamKey, ClaimOutcome outcome, long asked) {}

  private Future<Claimed> claim(Admission admission, Optional<String> upstreamKey) {
    Claim claim = claimOf(admission, upstreamKey);
    long asked = parts.time().nanos();
    return parts
        .policies()
        .asking(() -> parts.store().claim(claim))
        .map(outcome -> new Claimed(claim, upstreamKey, outcome, asked));
  }

  private Future<Course> went(Admission admission, Patience patience, Claimed claimed) {
    return claimed.outcome() instanceof ClaimOutcome.OutcomeUnknown unknown
        ? released(admission, patience, unknown)
        : goOn(admission, patience, claimed, false);
  }

  /**
   * What follows from a claim.
   *
   * @param inherited whether its upstream key is that of an attempt before
   */
  private Future<Course> goOn(
      Admission admission, Patience patience, Claimed claimed, boolean inherited) {
    if (claimed.outcome() instanceof ClaimOutcome.Won won) {
      SentKey upstreamKey = new SentKey(claimed.upstreamKey(), inherited);
      return onItsWay(floor.start(admission, upstreamKey, claimed.claim(), won, claimed.asked()));
    } else if (claimed.outcome() instanceof ClaimOutcome.InFlight met) {
      return onItsWay(parking.park(admission, met, patience));
    }
    return answered(admission, claimed.outcome());
  }

  private static Future<Course> onItsWay(Future<Answer> answer) {
    return Future.succeededFuture(new Course(answer));
  }

  private Future<Course> answered(Admission admission, ClaimOutcome outcome) {
    return Future.succeededFuture(Course.of(answers.of(Subject.of(admission), outcome)));
  }

  /** Claims again where the unknown attempt was let go for it, under that attempt's key. */
  private Future<Course> released(
      Admission admission, Patience patience, ClaimOutcome.OutcomeUnknown met) {
    return letGo
        .forRetry(admission, met)
        .compose(
            key ->
                key.isEmpty()
                    ? answered(admission, met)
                    // Whoever was faster, the claim finds what is there now.
                    : claim(admission, key)
                        .compose(claimed -> goOn(admission, patience, claimed, true)));
  }

  private Claim claimOf(Admission admission, Optional<String> upstreamKey) {
    RoutePolicy.Protocol protocol = admission.route().protocol();
    Bytes principalTag =
        Bytes.wrap(
            Hkdf.hmac(
                parts.keys().keys(admission.tenant().id()).principal().array(),
                admission.scope().principal().getBytes(StandardCharsets.UTF_8)));
    return new Claim(
        admission.id(),
        admission.tenant().id(),
        admission.route().id(),
        principalTag,
        admission.fingerprint(),
        admission.matcher(),
        protocol.version(),
        parts.keys().currentId(),
        parts.time().randomId(),
        parts.owner(),
        protocol.lease().ttl(),
        protocol.retention().retention(),
        protocol.retention().tombstone(),
        inputs.seal(admission, upstreamKey));
  }
}
