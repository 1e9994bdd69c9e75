package dev.oncegate.engine;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.engine.port.Hint;
import java.time.Duration;
import java.util.Optional;

/** How a claim of this loop has ended, as far as its owner can tell. */
sealed interface Ending {
  /** What other loops are told of it. */
  Hint hint();

  /** The commit of this record was acknowledged. */
  record Stored(IdempotencyRecord.Completed record) implements Ending {
    @Override
    public Hint hint() {
      return new Hint.Settled();
    }
  }

  /**
   * The commit of its release was acknowledged.
   *
   * @param status of the winner's answer
   * @param retryAfter what that answer said
   */
  record Released(int status, Optional<Duration> retryAfter) implements Ending {
    /** As far as the winner's answer tells. */
    static Released by(Answer winners) {
      if (winners instanceof Answer.PassedThrough passed) {
        UpstreamAnswer answer = passed.answer();
        return new Released(answer.status(), RetryAfter.said(answer.headers()));
      } else if (winners instanceof Answer.Streamed streamed) {
        return new Released(streamed.code(), RetryAfter.said(streamed.headers()));
      } else if (winners instanceof Answer.Refusal refusal) {
        return new Released(refusal.problem().code(), refusal.problem().retryAfter());
      }
      throw new BrokenInvariant("what is stored is not released");
    }

    @Override
    public Hint.Released hint() {
      return new Hint.Released(status, retryAfter);
    }
  }

  /** Unknown, fenced or broken: what is true now stands in the store. */
  record Unsure() implements Ending {
    @Override
    public Hint hint() {
      return new Hint.LookAgain();
    }
  }
}
