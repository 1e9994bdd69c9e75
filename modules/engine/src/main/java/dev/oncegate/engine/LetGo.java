package dev.oncegate.engine;

import dev.oncegate.core.ClaimFacts;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.Reconciliation;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.core.TimelineEntry.Kind;
import dev.oncegate.core.TimelineEntry.Note;
import io.vertx.core.Future;
import java.util.Locale;
import java.util.Optional;

/**
 * {@code onAmbiguous: release}: where the route says so, and the upstream recognises the repeated
 * key, a retry goes out under the very key that the unknown attempt had (contract §4, ADR 0006).
 * The attempt's claim is released for it, so that anything it still does is fenced.
 */
final class LetGo {
  static final Note RELEASED_BY_POLICY =
      new Note(Kind.RESOLVED, "policy", "released: the upstream recognises the repeated key");

  private final IdempotencyEngine.Parts parts;
  private final InputsCipher inputs;

  LetGo(IdempotencyEngine.Parts parts, InputsCipher inputs) {
    this.parts = parts;
    this.inputs = inputs;
  }

  /** The key under which a retry goes out; empty where the unknown record stays as it is. */
  Future<Optional<String>> forRetry(Admission admission, ClaimOutcome.OutcomeUnknown met) {
    ClaimFacts facts = met.record().facts();
    return parts
        .policies()
        .asking(() -> Future.succeededFuture(parts.policies().of(facts.policy())))
        .compose(
            protocol -> {
              Optional<String> key = inputs.open(facts).flatMap(ClaimInputs::upstreamKey);
              return key.isPresent() && sameKeyUpstream(admission, protocol.reconciliation())
                  ? release(facts).map(key)
                  : Future.succeededFuture(Optional.empty());
            });
  }

  private Future<Void> release(ClaimFacts facts) {
    return parts
        .store()
        .release(facts.id(), facts.token())
        .onSuccess(
            gone -> {
              if (gone instanceof SettleOutcome.Done) {
                parts.store().note(facts.id(), facts.tenant(), facts.token(), RELEASED_BY_POLICY);
              }
            })
        .mapEmpty();
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
}
