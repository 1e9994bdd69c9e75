package dev.oncegate.engine;

import dev.oncegate.core.ClaimFacts;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.TimelineEntry.Kind;
import dev.oncegate.core.TimelineEntry.Note;
import dev.oncegate.engine.port.Failpoints.Point;
import dev.oncegate.engine.port.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Ends a claim: commits how, and only then answers the winner's client and those who wait for it.
 * Of several answers the client gets the first.
 */
final class ClaimEnd {
  /** Contract §10: longest wait of a client for a commit that fails. */
  private static final Duration COMMIT_WAIT = Duration.ofSeconds(10);

  private final IdempotencyEngine.Parts parts;
  private final RecordAnswers answers;
  private final Settling settling;
  private final Admission admission;
  private final Winner winner;
  private final boolean inherited;
  private final RecordId id;
  private final Promise<Answer> client = Promise.promise();

  /**
   * The end of a claim that still runs.
   *
   * @param inherited whether an attempt before it may have an effect under the same upstream key
   */
  ClaimEnd(
      IdempotencyEngine.Parts parts,
      RecordAnswers answers,
      Settling settling,
      Admission admission,
      Winner winner,
      boolean inherited) {
    this.parts = parts;
    this.answers = answers;
    this.settling = settling;
    this.admission = admission;
    this.winner = winner;
    this.inherited = inherited;
    this.id = admission.id();
  }

  /** What the winner's client gets; never fails. */
  Future<Answer> clientAnswer() {
    return client.future();
  }

  /** Commits the outcome, then answers with it. */
  Future<Void> complete(StoredAnswer stored, Function<Instant, Answer> executed) {
    Answer notStored = refusal(ExchangeProblems.notStored(deadline()));
    return committing(
            "complete",
            notStored,
            () ->
                parts
                    .failpoints()
                    .then(
                        Point.COMPLETE_BEFORE,
                        () -> parts.store().complete(id, winner.token(), stored)))
        .compose(
            outcome -> {
              if (outcome instanceof SettleOutcome.Done done) {
                Instant deadline = done.deadline() == null ? deadline() : done.deadline();
                return completed(stored, deadline, executed.apply(deadline));
              }
              return fenced("its completion came too late", notStored);
            });
  }

  private Future<Void> completed(StoredAnswer stored, Instant deadline, Answer answer) {
    ClaimFacts facts = winner.record().facts();
    Instant at = deadline.minus(facts.retention());
    Ending ending = new Ending.Stored(new IdempotencyRecord.Completed(facts, stored, at, false));
    return parts
        .failpoints()
        .then(Point.COMPLETE_AFTER, Point.REPLY_BEFORE, () -> end(ending, answer));
  }

  /** Gives the key back: nothing was sent. */
  Future<Void> release(Problem problem) {
    return release(refusal(problem), refusal(ExchangeProblems.storeUnavailable()));
  }

  /** Gives the key back: the upstream's answer says that nothing was executed. */
  Future<Void> release(int upstreamStatus, Answer passedThrough) {
    return release(
        passedThrough, refusal(ExchangeProblems.releaseNotStored(upstreamStatus, deadline())));
  }

  /**
   * Gives the key back, then answers.
   *
   * @param instead where the release could not be committed in time: {@code released} would be a
   *     lie while the claim stands
   */
  private Future<Void> release(Answer released, Answer instead) {
    if (inherited) {
      // The attempt before this one may have an effect: its record keeps the key for the next.
      return markUnknown("an attempt before this one is not known", released.asUnknown(deadline()));
    }
    return committing("release", instead, () -> parts.store().release(id, winner.token()))
        .compose(
            outcome ->
                outcome instanceof SettleOutcome.Fenced
                    ? fenced("its release came too late", instead)
                    : end(Ending.Released.by(released), released));
  }

  /**
   * Says that the outcome cannot be told, then answers. The answer is true without the commit too.
   */
  Future<Void> markUnknown(String reason, Answer answer) {
    parts.events().markedUnknown(admission.tenant().id(), admission.route().id(), id, reason);
    return committing(
            "markUnknown", answer, () -> parts.store().markUnknown(id, winner.token(), reason))
        .compose(
            outcome ->
                outcome instanceof SettleOutcome.Done
                    ? end(new Ending.Unsure(), answer)
                    : fenced("it did not know its outcome", answer));
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
    parts.store().note(id, tenant, winner.token(), new Note(Kind.FENCED, "owner", what));
    return parts
        .policies()
        .asking(
            () ->
                parts
                    .store()
                    .read(id)
                    .map(record -> record.map(r -> answers.of(admission, r)).orElse(ifAbsent)))
        .otherwise(ifAbsent)
        .compose(answer -> end(new Ending.Unsure(), answer));
  }

  /**
   * Commits, however long it takes.
   *
   * @param late what the client gets where it takes too long
   */
  private Future<SettleOutcome> committing(
      String operation, Answer late, Supplier<Future<SettleOutcome>> write) {
    Time.Timer limit = parts.time().after(COMMIT_WAIT, () -> answer(late));
    return settling.persist(operation, write).onComplete(ignored -> limit.cancel());
  }

  private Future<Void> end(Ending ending, Answer answer) {
    winner.end(ending, () -> answer(answer));
    return Future.succeededFuture();
  }

  /** The claim's end cannot be written here: who waits for it has to look. */
  void giveUp(Answer answer) {
    winner.end(new Ending.Unsure(), () -> answer(answer));
  }

  private Instant deadline() {
    return winner.deadline();
  }

  /** The first answer counts; a body that nobody will read is let go. */
  void answer(Answer answer) {
    boolean first = client.tryComplete(answer);
    if (!first && answer instanceof Answer.Streamed streamed) {
      streamed.body().discard();
    }
  }

  private static Answer refusal(Problem problem) {
    return new Answer.Refusal(problem);
  }
}
