package dev.oncegate.engine;

import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.HeaderField;
import dev.oncegate.core.Outcome;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.TimelineEntry.Kind;
import dev.oncegate.core.TimelineEntry.Note;
import dev.oncegate.engine.port.Failpoints.Point;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.engine.port.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

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
  /** Contract §10: longest wait of a client for a commit that fails. */
  private static final Duration COMMIT_WAIT = Duration.ofSeconds(10);

  private final IdempotencyEngine.Parts parts;
  private final AnswerCipher cipher;
  private final RecordAnswers answers;
  private final Settling settling;
  private final Admission admission;
  private final SentKey upstreamKey;
  private final ClaimOutcome.Won won;
  private final LeaseKeeper.Held lease;
  private final RecordId id;
  private final Promise<Answer> client = Promise.promise();

  Exchange(
      IdempotencyEngine.Parts parts,
      AnswerCipher cipher,
      RecordAnswers answers,
      Settling settling,
      Admission admission,
      SentKey upstreamKey,
      ClaimOutcome.Won won,
      LeaseKeeper.Held lease) {
    this.parts = parts;
    this.cipher = cipher;
    this.answers = answers;
    this.settling = settling;
    this.admission = admission;
    this.upstreamKey = upstreamKey;
    this.won = won;
    this.lease = lease;
    this.id = admission.id();
  }

  /** What the winner's client gets; never fails. */
  Future<Answer> clientAnswer() {
    return client.future();
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
            ? release(ExchangeProblems.storeUnavailable())
            : forward().compose(this::settle);
    return settled.otherwise(this::broken);
  }

  private Future<UpstreamResult> forward() {
    return new Forwarding(parts, admission, won, upstreamKey.value(), lease)
        .run(() -> answer(refusal(ExchangeProblems.timeout(won.deadline()))));
  }

  private Future<Void> settle(UpstreamResult result) {
    if (result instanceof UpstreamResult.NotSent notSent) {
      return notSent(notSent);
    } else if (result instanceof UpstreamResult.Broken broken) {
      Problem problem = ExchangeProblems.broken(broken, won.deadline());
      return markUnknown(broken.reason(), refusal(problem));
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
    return release(ExchangeProblems.notSent(notSent));
  }

  private Future<Void> settleAnswered(UpstreamAnswer answer) {
    return switch (outcomeOf(answer.status())) {
      case TERMINAL ->
          complete(
              cipher.seal(admission, answer.status(), answer.headers(), Optional.of(answer.body())),
              done -> new Answer.Executed(answer, deadlineOf(done)));
      case TRANSIENT ->
          release(
              answer.status(), new Answer.PassedThrough(answer, IdempotencyStatus.RELEASED, null));
      case AMBIGUOUS ->
          markUnknown(
              "the upstream answered " + answer.status(),
              new Answer.PassedThrough(answer, IdempotencyStatus.UNKNOWN, won.deadline()));
    };
  }

  private Future<Void> settleUnkept(UpstreamResult.AnsweredUnkept unkept) {
    int status = unkept.status();
    List<HeaderField> headers = unkept.headers();
    return switch (outcomeOf(status)) {
      case TERMINAL ->
          complete(
              cipher.seal(admission, status, headers, Optional.empty()),
              done ->
                  new Answer.Streamed(
                      status,
                      headers,
                      unkept.body(),
                      IdempotencyStatus.EXECUTED,
                      deadlineOf(done)));
      case TRANSIENT ->
          release(
              status,
              new Answer.Streamed(
                  status, headers, unkept.body(), IdempotencyStatus.RELEASED, null));
      case AMBIGUOUS ->
          markUnknown(
              "the upstream answered " + status,
              new Answer.Streamed(
                  status, headers, unkept.body(), IdempotencyStatus.UNKNOWN, won.deadline()));
    };
  }

  private Outcome outcomeOf(int status) {
    return admission.route().protocol().outcome().of(status);
  }

  private java.time.Instant deadlineOf(SettleOutcome.Done done) {
    return done.deadline() == null ? won.deadline() : done.deadline();
  }

  /** Commits the outcome, then answers with it. */
  private Future<Void> complete(
      StoredAnswer stored, Function<SettleOutcome.Done, Answer> executed) {
    Time.Timer limit = afterCommitWait(refusal(ExchangeProblems.notStored(won.deadline())));
    return settling
        .persist(
            "complete",
            () ->
                parts
                    .failpoints()
                    .then(
                        Point.COMPLETE_BEFORE,
                        () -> parts.store().complete(id, won.token(), stored)))
        .onComplete(ignored -> limit.cancel())
        .compose(
            outcome ->
                outcome instanceof SettleOutcome.Done done
                    ? committed(executed.apply(done))
                    : fenced(
                        "its completion came too late",
                        refusal(ExchangeProblems.notStored(won.deadline()))));
  }

  private Future<Void> committed(Answer answer) {
    return parts
        .failpoints()
        .then(
            Point.COMPLETE_AFTER,
            Point.REPLY_BEFORE,
            () -> {
              answer(answer);
              return Future.succeededFuture();
            });
  }

  private Future<Void> release(Problem problem) {
    return release(refusal(problem), refusal(ExchangeProblems.storeUnavailable()));
  }

  private Future<Void> release(int upstreamStatus, Answer passedThrough) {
    return release(
        passedThrough, refusal(ExchangeProblems.releaseNotStored(upstreamStatus, won.deadline())));
  }

  /**
   * Gives the key back, then answers.
   *
   * @param instead where the release could not be committed in time: {@code released} would be a
   *     lie while the claim stands
   */
  private Future<Void> release(Answer released, Answer instead) {
    if (upstreamKey.inherited()) {
      // The attempt before this one may have an effect: its record keeps the key for the next.
      return markUnknown(
          "an attempt before this one is not known", released.asUnknown(won.deadline()));
    }
    Time.Timer limit = afterCommitWait(instead);
    return settling
        .persist("release", () -> parts.store().release(id, won.token()))
        .onComplete(ignored -> limit.cancel())
        .compose(
            outcome -> {
              if (outcome instanceof SettleOutcome.Fenced) {
                return fenced("its release came too late", instead);
              }
              answer(released);
              return Future.succeededFuture();
            });
  }

  /**
   * Says that the outcome cannot be told, then answers. The answer is true without the commit too.
   */
  private Future<Void> markUnknown(String reason, Answer answer) {
    Time.Timer limit = afterCommitWait(answer);
    parts.events().markedUnknown(admission.tenant().id(), admission.route().id(), id, reason);
    return settling
        .persist("markUnknown", () -> parts.store().markUnknown(id, won.token(), reason))
        .onComplete(ignored -> limit.cancel())
        .compose(
            outcome -> {
              if (outcome instanceof SettleOutcome.Done) {
                answer(answer);
                return Future.succeededFuture();
              }
              return fenced("it did not know its outcome", answer);
            });
  }

  /**
   * A late owner: its write was refused, so its client gets what any request with this key gets now
   * (contract §10), and never bytes that the record does not hold.
   *
   * @param ifAbsent where the record is gone altogether
   */
  private Future<Void> fenced(String what, Answer ifAbsent) {
    String tenant = admission.tenant().id();
    parts.events().staleCompletion(tenant, admission.route().id(), id);
    parts.store().note(id, tenant, won.token(), new Note(Kind.FENCED, "owner", what));
    return parts
        .policies()
        .asking(
            () ->
                parts
                    .store()
                    .read(id)
                    .map(record -> record.map(r -> answers.of(admission, r)).orElse(ifAbsent)))
        .otherwise(ifAbsent)
        .onSuccess(this::answer)
        .mapEmpty();
  }

  private Time.Timer afterCommitWait(Answer answer) {
    return parts.time().after(COMMIT_WAIT, () -> answer(answer));
  }

  /** The first answer counts; a body that nobody will read is let go. */
  private void answer(Answer answer) {
    boolean first = client.tryComplete(answer);
    if (!first && answer instanceof Answer.Streamed streamed) {
      streamed.body().discard();
    }
  }

  /** A bug or an unreadable row. Bytes may have been sent: nothing is settled, the lease lapses. */
  private Void broken(Throwable failure) {
    parts.events().broken(admission.tenant().id(), admission.route().id(), failure);
    Problem.Type type =
        failure instanceof RecordStore.RecordDamaged
            ? Problem.Type.RECORD_DAMAGED
            : Problem.Type.INTERNAL_ERROR;
    answer(refusal(ExchangeProblems.afterSend(type, won.deadline())));
    return null;
  }

  private static Answer refusal(Problem problem) {
    return new Answer.Refusal(problem);
  }
}
