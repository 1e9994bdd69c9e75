package dev.oncegate.engine.port;

import java.time.Duration;
import java.util.Optional;

/** What an owner says of a claim. It decides nothing: whoever gets it reads the record. */
public sealed interface Hint {
  /** The claim has ended with a stored outcome, or as unknown. */
  record Settled() implements Hint {}

  /**
   * The claim was released.
   *
   * @param status of the winner's answer, 100 to 599
   * @param retryAfter what the winner's answer said
   */
  record Released(int status, Optional<Duration> retryAfter) implements Hint {}

  /** No such claim runs here, or the owner is not sure of it any more. */
  record LookAgain() implements Hint {}
}
