package dev.oncegate.engine;

import dev.oncegate.core.HeaderField;
import dev.oncegate.core.Outcome;
import dev.oncegate.engine.port.RecordStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The winner's work: send once, classify, settle, and only then answer.
 *
 * <p>The client is one listener of it. Its wait ends at {@code total}, or when the upstream is
 * silent for longer than {@code firstByte}, or when a settled outcome could not be committed for 10
 * s, or when its connection goes; the exchange goes on in each case, because an effect does not
 * un-happen when nobody listens. What the client is told is decided by whoever comes first, and
 * never before the record says the same.
 */
final class Exchange {
  private final IdempotencyEngine.Parts parts;
  private final AnswerCipher cipher;
  private final Admission admission;
  private final ClaimEnd end;
  private final Forwarding forwarding;
  private final Instant deadline;

  /**
   * A claim's exchange, not yet begun.
   *
   * @param deadline the retry deadline to publish while claimed
   */
  Exchange(
      IdempotencyEngine.Parts parts,
      AnswerCipher cipher,
      Admission admission,
      ClaimEnd end,
      Forwarding forwarding,
      Instant deadline) {
    this.parts = parts;
    this.cipher = cipher;
    this.admission = admission;
    this.end = end;
    this.forwarding = forwarding;
    this.deadline = deadline;
  }

  /**
   * Runs to the settled end; the future succeeds then and never fails.
   *
   * @param claimTook how long ago the claim was asked for. Past half the lease, nothing may be
   *     sent: the rest could be too short to notice that it has lapsed
   */
  Future<Void> run(Duration claimTook) {
    Duration halfLease = admission.route().protocol().lease().ttl().dividedBy(2);
    Future<Void> settled =
        claimTook.compareTo(halfLease) > 0
            ? end.release(ExchangeProblems.storeUnavailable())
            : forward().compose(this::settle);
    return settled.otherwise(this::broken);
  }

  private Future<UpstreamResult> forward() {
    return forwarding.run(() -> end.answer(refusal(ExchangeProblems.timeout(deadline))));
  }

  private Future<Void> settle(UpstreamResult result) {
    if (result instanceof UpstreamResult.NotSent notSent) {
      return notSent(notSent);
    } else if (result instanceof UpstreamResult.Broken broken) {
      Problem problem = ExchangeProblems.broken(broken, deadline);
      return end.markUnknown(broken.reason(), refusal(problem));
    } else if (result instanceof UpstreamResult.Answered answered) {
      return settleAnswered(answered.answer());
    } else if (result instanceof UpstreamResult.AnsweredUnkept unkept) {
      return settleUnkept(unkept);
    }
    throw new dev.oncegate.core.BrokenInvariant("no such result: " + result.getClass());
  }

  private Future<Void> notSent(UpstreamResult.NotSent notSent) {
    if (notSent.fault() != null) {
      parts.events().broken(admission.tenant().id(), admission.route().id(), notSent.fault());
    }
    return end.release(ExchangeProblems.notSent(notSent));
  }

  private Future<Void> settleAnswered(UpstreamAnswer answer) {
    return switch (outcomeOf(answer.status())) {
      case TERMINAL ->
          end.complete(
              cipher.seal(admission, answer.status(), answer.headers(), Optional.of(answer.body())),
              until -> new Answer.Executed(answer, until));
      case TRANSIENT ->
          end.release(
              answer.status(), new Answer.PassedThrough(answer, IdempotencyStatus.RELEASED, null));
      case AMBIGUOUS ->
          end.markUnknown(
              "the upstream answered " + answer.status(),
              new Answer.PassedThrough(answer, IdempotencyStatus.UNKNOWN, deadline));
    };
  }

  private Future<Void> settleUnkept(UpstreamResult.AnsweredUnkept unkept) {
    int status = unkept.status();
    List<HeaderField> headers = unkept.headers();
    return switch (outcomeOf(status)) {
      case TERMINAL ->
          end.complete(
              cipher.seal(admission, status, headers, Optional.empty()),
              until ->
                  new Answer.Streamed(
                      status, headers, unkept.body(), IdempotencyStatus.EXECUTED, until));
      case TRANSIENT ->
          end.release(
              status,
              new Answer.Streamed(
                  status, headers, unkept.body(), IdempotencyStatus.RELEASED, null));
      case AMBIGUOUS ->
          end.markUnknown(
              "the upstream answered " + status,
              new Answer.Streamed(
                  status, headers, unkept.body(), IdempotencyStatus.UNKNOWN, deadline));
    };
  }

  private Outcome outcomeOf(int status) {
    return admission.route().protocol().outcome().of(status);
  }

  /** A bug or an unreadable row. Bytes may have been sent: nothing is settled, the lease lapses. */
  private Void broken(Throwable failure) {
    parts.events().broken(admission.tenant().id(), admission.route().id(), failure);
    Problem.Type type =
        failure instanceof RecordStore.RecordDamaged
            ? Problem.Type.RECORD_DAMAGED
            : Problem.Type.INTERNAL_ERROR;
    end.giveUp(refusal(ExchangeProblems.afterSend(type, deadline)));
    return null;
  }

  private static Answer refusal(Problem problem) {
    return new Answer.Refusal(problem);
  }
}
