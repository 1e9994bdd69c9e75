package dev.oncegate.engine;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.HeaderField;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.StoredBody;
import dev.oncegate.core.StoredResponse;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.engine.port.Time;
import java.time.Duration;
import java.util.Optional;

/** What a record says to a request that did not win: nothing is executed here. */
final class RecordAnswers {
  private final AnswerCipher cipher;
  private final EngineEvents events;

  RecordAnswers(AnswerCipher cipher, EngineEvents events) {
    this.cipher = cipher;
    this.events = events;
  }

  /** The answer to a claim that found a record which is not running. */
  Answer of(Subject subject, ClaimOutcome outcome) {
    if (outcome instanceof ClaimOutcome.Replay replay) {
      return replay(subject, replay.record());
    } else if (outcome instanceof ClaimOutcome.Mismatch mismatch) {
      return mismatch(mismatch.record());
    } else if (outcome instanceof ClaimOutcome.OutcomeUnknown unknown) {
      return refuse(unknown(unknown.record()));
    } else if (outcome instanceof ClaimOutcome.DeadlinePassed passed) {
      return refuse(expired(passed.record()));
    }
    throw new BrokenInvariant("a claim that runs is not answered from its record");
  }

  /** The answer that a record gives now to the owner that it has fenced. */
  Answer of(Admission admission, IdempotencyRecord record) {
    Subject subject = Subject.of(admission);
    if (!admission.matcher().matches(record.facts())) {
      return mismatch(record);
    } else if (record instanceof IdempotencyRecord.Claimed claimed) {
      return inFlight(subject, claimed, Duration.ZERO, Duration.ZERO);
    }
    return of(subject, record);
  }

  /** The answer that a record gives now to a request with its payload. */
  Answer of(Subject subject, IdempotencyRecord record) {
    if (record instanceof IdempotencyRecord.Completed completed) {
      return replay(subject, completed);
    } else if (record instanceof IdempotencyRecord.Unknown unknown) {
      return refuse(unknown(unknown));
    } else if (record instanceof IdempotencyRecord.Expired expired) {
      return refuse(expired(expired));
    }
    throw new BrokenInvariant("a claim that runs is not answered from its record");
  }

  private Answer replay(Subject subject, IdempotencyRecord.Completed record) {
    AnswerCipher.Opened opened = cipher.open(record.facts(), record.answer());
    if (opened instanceof AnswerCipher.Opened.Damaged damaged) {
      events.recordDamaged(subject.tenantId(), subject.route().id(), subject.id(), damaged.what());
      return refuse(
          Problem.of(
                  Problem.Type.RECORD_DAMAGED,
                  "The stored answer of this key does not fit its digest. It is neither served nor"
                      + " executed again.")
              .withDeadline(record.publishedDeadline()));
    }
    StoredResponse response = ((AnswerCipher.Opened.Plain) opened).response();
    if (record.answer().body() instanceof StoredBody.NotKept) {
      return refuse(notKept(record, response));
    }
    return new Answer.Replayed(response, record.publishedDeadline(), record.reconstructed());
  }

  private static Problem notKept(IdempotencyRecord.Completed record, StoredResponse response) {
    Optional<String> location =
        response.headers().stream()
            .filter(h -> h.is("Location"))
            .map(HeaderField::value)
            .findFirst();
    return Problem.of(
            Problem.Type.RESPONSE_NOT_KEPT,
            "The operation was executed; its answer was too large to keep and cannot be given"
                + " again.")
        .withOriginal(new Problem.Original(response.status(), location))
        .withDeadline(record.publishedDeadline());
  }

  /**
   * The winner still runs, and this request does not wait, or not any longer.
   *
   * @param running how long the winner has run
   * @param typicalRun how long executions of this route take
   */
  Answer inFlight(
      Subject subject, IdempotencyRecord.Claimed claim, Duration running, Duration typicalRun) {
    Duration lease = subject.route().protocol().lease().ttl();
    return refuse(
        Problem.of(
                Problem.Type.IN_FLIGHT,
                "The first request with this key still runs. Send the same key again after"
                    + " Retry-After.")
            .withDeadline(claim.publishedDeadline())
            .withRetryAfter(RetryAfter.whileInFlight(running, typicalRun, lease)));
  }

  /**
   * The claim that a request waited for was released.
   *
   * @param winner what is known of its answer
   */
  Answer attemptReleased(Optional<Hint.Released> winner, Time time) {
    Problem problem =
        Problem.of(
                Problem.Type.ATTEMPT_RELEASED,
                "The first request with this key "
                    // Where nobody tells, a person may have let it go.
                    + (winner.isPresent()
                        ? "was not executed, or was refused for now"
                        : "was given up")
                    + ". Nothing was sent for this one; send the same key again after Retry-After.")
            .withRetryAfter(
                RetryAfter.afterRelease(winner.flatMap(Hint.Released::retryAfter), time));
    return refuse(
        winner
            .map(
                known ->
                    problem
                        .withCode(known.status())
                        .withOriginal(new Problem.Original(known.status(), Optional.empty())))
            .orElse(problem));
  }

  /** The store could not tell. */
  Answer refusal(Subject subject, Throwable failure) {
    if (failure instanceof RecordStore.RecordDamaged damaged) {
      String what = String.valueOf(damaged.getMessage());
      events.recordDamaged(subject.tenantId(), subject.route().id(), subject.id(), what);
      return refuse(
          Problem.of(
              Problem.Type.RECORD_DAMAGED,
              "The stored record of this key cannot be read. It is neither served nor executed."));
    }
    if (failure instanceof RecordStore.StoreUnavailable) {
      events.storeFailed("claim", failure);
      return refuse(ExchangeProblems.storeUnavailable());
    }
    events.broken(subject.tenantId(), subject.route().id(), failure);
    return refuse(ExchangeProblems.internalBeforeSend());
  }

  /** The key belongs to another payload. */
  Answer mismatch(IdempotencyRecord record) {
    return refuse(
        Problem.of(
                Problem.Type.KEY_REUSED,
                "This key was used for a request with another payload. Repeat that request"
                    + " unchanged, or take a new key for a new operation.")
            .withDeadline(record.publishedDeadline()));
  }

  private static Problem unknown(IdempotencyRecord.Unknown record) {
    return Problem.of(
            Problem.Type.OUTCOME_UNKNOWN,
            "The outcome of the first request with this key is not known and is being found out."
                + " Send the same key again later; a new key could execute twice.")
        .withDeadline(record.publishedDeadline())
        .withRetryAfter(RetryAfter.OUTCOME_UNKNOWN);
  }

  private static Problem expired(IdempotencyRecord.Expired record) {
    return Problem.of(
            Problem.Type.RETRY_DEADLINE_PASSED,
            "The operation was done, but the time in which it could be retried has passed. Look it"
                + " up instead of repeating it.")
        .withDeadline(record.publishedDeadline());
  }

  private static Answer refuse(Problem problem) {
    return new Answer.Refusal(problem);
  }
}
