package dev.oncegate.engine;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimFacts;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.Hkdf;
import dev.oncegate.core.Reconciliation;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.core.TimelineEntry.Kind;
import dev.oncegate.core.TimelineEntry.Note;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.Failpoints;
import dev.oncegate.engine.port.Failpoints.Point;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.engine.port.Time;
import dev.oncegate.engine.port.Upstream;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * One admission in, one answer out: the only place where the order of steps is written. Claim
 * durably, forward once, store the outcome, then answer; whatever else the claim finds is answered
 * from the record. Lives on one event loop.
 */
public final class IdempotencyEngine {
  static final Note RELEASED_BY_POLICY =
      new Note(Kind.RESOLVED, "policy", "released: the upstream recognises the repeated key");

  private final Parts parts;
  private final InputsCipher inputs;
  private final RecordAnswers answers;
  private final ExchangeFloor floor;

  /**
   * What an engine works with.
   *
   * @param policies the same that the admissions' matchers look up
   * @param owner address of this process and event loop, random per process start
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
      String owner) {}

  public IdempotencyEngine(Parts parts) {
    this.parts = parts;
    this.inputs = new InputsCipher(parts.keys(), parts.time());
    AnswerCipher cipher = new AnswerCipher(parts.keys(), parts.time());
    this.answers = new RecordAnswers(cipher, parts.events());
    this.floor = new ExchangeFloor(parts, cipher, answers);
  }

  /** The answer to a keyed request. The future never fails. */
  public Future<Answer> handle(Admission admission) {
    return Future.succeededFuture()
        .compose(
            go ->
                parts
                    .failpoints()
                    .then(
                        Point.CLAIM_BEFORE,
                        () -> claim(admission, parts.upstreamKeys().value(admission), true)))
        .recover(failure -> Future.succeededFuture(refused(admission, failure)));
  }

  /** Completes when no exchange runs any more; new ones may still start. */
  public Future<Void> idle() {
    return floor.idle();
  }

  /** How many exchanges run. */
  public int running() {
    return floor.running();
  }

  /**
   * Claims, and goes on from what was found.
   *
   * @param upstreamKey the key that the upstream will see, where the route has one
   * @param mayRelease whether an unknown outcome may still be released; once per request
   */
  private Future<Answer> claim(
      Admission admission, Optional<String> upstreamKey, boolean mayRelease) {
    Claim claim = claimOf(admission, upstreamKey);
    long asked = parts.time().nanos();
    return parts
        .policies()
        .asking(() -> parts.store().claim(claim))
        .compose(
            outcome -> {
              if (outcome instanceof ClaimOutcome.Won won) {
                return floor.start(admission, new SentKey(upstreamKey, !mayRelease), won, asked);
              } else if (mayRelease && outcome instanceof ClaimOutcome.OutcomeUnknown unknown) {
                return released(admission, unknown);
              }
              return answered(admission, outcome);
            });
  }

  private Future<Answer> answered(Admission admission, ClaimOutcome outcome) {
    return Future.succeededFuture(answers.of(admission, outcome, floor.typicalRun(admission)));
  }

  /**
   * Where the route says so, and the upstream recognises the repeated key, this retry goes out
   * under the very key that the unknown attempt had (contract §4): the attempt's claim is released,
   * so that anything it still does is fenced, and this request claims anew.
   */
  private Future<Answer> released(Admission admission, ClaimOutcome.OutcomeUnknown met) {
    ClaimFacts facts = met.record().facts();
    return parts
        .policies()
        .asking(() -> Future.succeededFuture(parts.policies().of(facts.policy())))
        .compose(
            protocol -> {
              Optional<String> key = inputs.open(facts).flatMap(ClaimInputs::upstreamKey);
              if (key.isEmpty() || !sameKeyUpstream(admission, protocol.reconciliation())) {
                return answered(admission, met);
              }
              return parts
                  .store()
                  .release(facts.id(), facts.token())
                  .compose(
                      gone -> {
                        if (gone instanceof SettleOutcome.Done) {
                          parts
                              .store()
                              .note(facts.id(), facts.tenant(), facts.token(), RELEASED_BY_POLICY);
                        }
                        // Whoever was faster, the claim finds what is there now.
                        return claim(admission, key, false);
                      });
            });
  }

  /**
   * Whether this request would reach an upstream that honours the key, under the very header that
   * the unknown attempt had: what the route says now may be another thing than what the record was
   * claimed under.
   */
  private static boolean sameKeyUpstream(Admission admission, Reconciliation then) {
    boolean honoured = admission.tenant().upstream().honoursKey();
    Optional<String> header = header(then);
    return then.way(honoured) == Reconciliation.Way.RELEASE
        && header.isPresent()
        && header.equals(header(admission.route().protocol().reconciliation()));
  }

  private static Optional<String> header(Reconciliation policy) {
    return policy.upstreamKey().map(key -> key.header().toLowerCase(Locale.ROOT));
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

  private Answer refused(Admission admission, Throwable failure) {
    if (failure instanceof RecordStore.RecordDamaged damaged) {
      parts
          .events()
          .recordDamaged(
              admission.tenant().id(),
              admission.route().id(),
              admission.id(),
              String.valueOf(damaged.getMessage()));
      return new Answer.Refusal(
          Problem.of(
              Problem.Type.RECORD_DAMAGED,
              "The stored record of this key cannot be read. It is neither served nor executed."));
    }
    if (failure instanceof RecordStore.StoreUnavailable) {
      parts.events().storeFailed("claim", failure);
      return new Answer.Refusal(ExchangeProblems.storeUnavailable());
    }
    parts.events().broken(admission.tenant().id(), admission.route().id(), failure);
    return new Answer.Refusal(ExchangeProblems.internalBeforeSend());
  }
}
