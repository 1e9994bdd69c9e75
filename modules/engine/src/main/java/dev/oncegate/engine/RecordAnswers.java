package dev.oncegate.engine;

import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.HeaderField;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.StoredBody;
import dev.oncegate.core.StoredResponse;
import dev.oncegate.engine.port.EngineEvents;
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

  /**
   * The answer to a claim that found a record.
   *
   * @param typicalRun how long executions of this route take
   */
  Answer of(Admission admission, ClaimOutcome outcome, Duration typicalRun) {
    if (outcome instanceof ClaimOutcome.Replay replay) {
      return replay(admission, replay.record());
    } else if (outcome instanceof ClaimOutcome.InFlight inFlight) {
      return refuse(inFlight(admission, inFlight, typicalRun));
    } else if (outcome instanceof ClaimOutcome.Mismatch mismatch) {
      return refuse(mismatch(mismatch.record()));
    } else if (outcome instanceof ClaimOutcome.OutcomeUnknown unknown) {
      return refuse(unknown(unknown.record()));
    } else if (outcome instanceof ClaimOutcome.DeadlinePassed passed) {
      return refuse(expired(passed.record()));
    }
    throw new dev.oncegate.core.BrokenInvariant("a won claim is not answered from its record");
  }

  /** The answer that a record gives now, to an owner that is fenced and to a request alike. */
  Answer of(Admission admission, IdempotencyRecord record) {
    if (!admission.matcher().matches(record.facts())) {
      return refuse(mismatch(record));
    } else if (record instanceof IdempotencyRecord.Completed completed) {
      return replay(admission, completed);
    } else if (record instanceof IdempotencyRecord.Unknown unknown) {
      return refuse(unknown(unknown));
    } else if (record instanceof IdempotencyRecord.Expired expired) {
      return refuse(expired(expired));
    } else if (record instanceof IdempotencyRecord.Claimed claimed) {
      ClaimOutcome.InFlight inFlight = new ClaimOutcome.InFlight(claimed, Duration.ZERO);
      return refuse(inFlight(admission, inFlight, Duration.ZERO));
    }
    throw new dev.oncegate.core.BrokenInvariant("no such state: " + record.getClass());
  }

  private Answer replay(Admission admission, IdempotencyRecord.Completed record) {
    AnswerCipher.Opened opened = cipher.open(record.facts(), record.answer());
    if (opened instanceof AnswerCipher.Opened.Damaged damaged) {
      events.recordDamaged(
          admission.tenant().id(), admission.route().id(), admission.id(), damaged.what());
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

  private static Problem inFlight(
      Admission admission, ClaimOutcome.InFlight met, Duration typicalRun) {
    Duration lease = admission.route().protocol().lease().ttl();
    return Problem.of(
            Problem.Type.IN_FLIGHT,
            "The first request with this key still runs. Send the same key again after"
                + " Retry-After.")
        .withDeadline(met.record().publishedDeadline())
        .withRetryAfter(RetryAfter.whileInFlight(met.running(), typicalRun, lease));
  }

  private static Problem mismatch(IdempotencyRecord record) {
    return Problem.of(
            Problem.Type.KEY_REUSED,
            "This key was used for a request with another payload. Repeat that request unchanged,"
                + " or take a new key for a new operation.")
        .withDeadline(record.publishedDeadline());
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
