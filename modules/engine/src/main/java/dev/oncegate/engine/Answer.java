package dev.oncegate.engine;

import dev.oncegate.core.HeaderField;
import dev.oncegate.core.StoredResponse;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a client gets. */
public sealed interface Answer {
  IdempotencyStatus status();

  /** The same to a client for whom the outcome of its key is not known all the same. */
  default Answer asUnknown(Instant deadline) {
    if (this instanceof PassedThrough passed) {
      return new PassedThrough(passed.answer(), IdempotencyStatus.UNKNOWN, deadline);
    } else if (this instanceof Streamed streamed) {
      return new Streamed(
          streamed.code(),
          streamed.headers(),
          streamed.body(),
          IdempotencyStatus.UNKNOWN,
          deadline);
    } else if (this instanceof Refusal refusal) {
      return new Refusal(
          refusal.problem().withStatus(IdempotencyStatus.UNKNOWN).withDeadline(deadline));
    }
    throw new dev.oncegate.core.BrokenInvariant("what is stored is known");
  }

  /** Forwarded for this request, and the outcome is stored. */
  record Executed(UpstreamAnswer answer, Instant deadline) implements Answer {
    @Override
    public IdempotencyStatus status() {
      return IdempotencyStatus.EXECUTED;
    }
  }

  /** The stored answer, given to anyone but the winner. Its body is always present. */
  record Replayed(StoredResponse response, Instant deadline, boolean reconstructed)
      implements Answer {
    @Override
    public IdempotencyStatus status() {
      return IdempotencyStatus.REPLAYED;
    }
  }

  /**
   * The upstream's own answer where nothing is stored: released, unknown or bypassed.
   *
   * @param deadline of the record, where one is left
   */
  record PassedThrough(UpstreamAnswer answer, IdempotencyStatus status, @Nullable Instant deadline)
      implements Answer {}

  /**
   * The upstream's own answer whose body goes through as it comes: executed (committed as not
   * kept), released or unknown.
   */
  record Streamed(
      int code,
      List<HeaderField> headers,
      UpstreamResult.UnkeptBody body,
      IdempotencyStatus status,
      @Nullable Instant deadline)
      implements Answer {}

  /** An error of Oncegate's own. */
  record Refusal(Problem problem) implements Answer {
    @Override
    public IdempotencyStatus status() {
      return problem.status();
    }
  }
}
