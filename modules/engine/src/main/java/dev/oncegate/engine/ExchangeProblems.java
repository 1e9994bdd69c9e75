package dev.oncegate.engine;

import java.time.Instant;

/** The problems that an exchange of one's own can end in. */
final class ExchangeProblems {
  private ExchangeProblems() {}

  static Problem storeUnavailable() {
    return Problem.of(
            Problem.Type.STORE_UNAVAILABLE,
            "The record store cannot be used at the moment. Nothing was executed; send the same key"
                + " again.")
        .withRetryAfter(RetryAfter.STORE);
  }

  static Problem internalBeforeSend() {
    return Problem.of(
        Problem.Type.INTERNAL_ERROR,
        "Something went wrong inside Oncegate before the request was sent; nothing was executed.");
  }

  /** Nothing left: the network's doing, or a fault of our own. */
  static Problem notSent(UpstreamResult.NotSent result) {
    return result.fault() == null ? unreachable(result.reason()) : internalBeforeSend();
  }

  /** Bytes may have left, and no complete answer came. */
  static Problem broken(UpstreamResult.Broken result, Instant deadline) {
    return result.abandoned() ? abandoned(deadline) : reset(result.reason(), deadline);
  }

  private static Problem unreachable(String reason) {
    return Problem.of(
            Problem.Type.UPSTREAM_UNREACHABLE,
            "The upstream could not be reached ("
                + reason
                + "). Nothing was sent; send the same"
                + " key again.")
        .withRetryAfter(RetryAfter.UPSTREAM);
  }

  private static Problem reset(String reason, Instant deadline) {
    return Problem.of(
            Problem.Type.UPSTREAM_RESET,
            "The request was sent, but no complete answer came ("
                + reason
                + "). Whether it took"
                + " effect is not known; send the same key again later, never a new one.")
        .withDeadline(deadline)
        .withRetryAfter(RetryAfter.OUTCOME_UNKNOWN);
  }

  static Problem timeout(Instant deadline) {
    return Problem.of(
            Problem.Type.UPSTREAM_TIMEOUT,
            "The upstream has not answered yet; its answer will be stored when it comes. Send the"
                + " same key again.")
        .withDeadline(deadline)
        .withRetryAfter(RetryAfter.UPSTREAM);
  }

  private static Problem abandoned(Instant deadline) {
    return Problem.of(
            Problem.Type.UPSTREAM_TIMEOUT,
            "The upstream has not answered in time, and the exchange was given up. Whether the"
                + " request took effect is not known; send the same key again later, never a new"
                + " one.")
        .withStatus(IdempotencyStatus.UNKNOWN)
        .withDeadline(deadline)
        .withRetryAfter(RetryAfter.OUTCOME_UNKNOWN);
  }

  static Problem notStored(Instant deadline) {
    return Problem.of(
            Problem.Type.OUTCOME_NOT_STORED,
            "The request was executed, but its outcome could not be stored in time. Send the same"
                + " key again later, never a new one.")
        .withDeadline(deadline)
        .withRetryAfter(RetryAfter.STORE);
  }

  /** For a transient answer: nothing was executed, but the key is still taken. */
  static Problem releaseNotStored(int upstreamStatus, Instant deadline) {
    return Problem.of(
            Problem.Type.OUTCOME_NOT_STORED,
            "The upstream answered "
                + upstreamStatus
                + ", which says that it has not executed the request, but the key could not be"
                + " released in time. Send the same key again later, never a new one.")
        .withDeadline(deadline)
        .withRetryAfter(RetryAfter.STORE);
  }

  /** A bug or an unreadable row after bytes may have left. */
  static Problem afterSend(Problem.Type type, Instant deadline) {
    return Problem.of(
            type,
            "Something went wrong after the request may have been sent. Its outcome is not known;"
                + " send the same key again later, never a new one.")
        .withStatus(IdempotencyStatus.UNKNOWN)
        .withDeadline(deadline);
  }
}
