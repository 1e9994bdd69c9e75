package dev.oncegate.engine;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.Hkdf;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.engine.port.Time;
import dev.oncegate.engine.port.Upstream;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;

/**
 * One admission in, one answer out: the only place where the order of steps is written. Claim
 * durably, forward once, store the outcome, then answer; whatever else the claim finds is answered
 * from the record. Lives on one event loop.
 */
public final class IdempotencyEngine {
  private final Parts parts;
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
      PolicyVersions policies,
      Time time,
      EngineEvents events,
      String owner) {}

  public IdempotencyEngine(Parts parts) {
    this.parts = parts;
    AnswerCipher cipher = new AnswerCipher(parts.keys(), parts.time());
    this.answers = new RecordAnswers(cipher, parts.events());
    this.floor = new ExchangeFloor(parts, cipher, answers);
  }

  /** The answer to a keyed request. The future never fails. */
  public Future<Answer> handle(Admission admission) {
    long asked = parts.time().nanos();
    Claim claim = claimOf(admission);
    return parts
        .policies()
        .asking(() -> parts.store().claim(claim))
        .compose(outcome -> follow(admission, outcome, asked))
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

  private Future<Answer> follow(Admission admission, ClaimOutcome outcome, long asked) {
    if (outcome instanceof ClaimOutcome.Won won) {
      return floor.start(admission, won, asked);
    }
    return Future.succeededFuture(answers.of(admission, outcome, floor.typicalRun(admission)));
  }

  private Claim claimOf(Admission admission) {
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
        answers.cipher().sealInputs(admission));
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
