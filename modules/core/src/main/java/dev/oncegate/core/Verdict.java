package dev.oncegate.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What has been found out about an unknown outcome, by a probe or by a person (contract §6). */
public sealed interface Verdict {
  /** The effect is there: the record completes with this answer, marked as reconstructed. */
  record Applied(StoredAnswer answer) implements Verdict {}

  /**
   * There is no effect, and none can still appear: the record goes. Only an answer that was asked
   * for after the quarantine says so (reliability finding 2).
   *
   * @param askedAt database time before the question left
   * @param quarantine from the move to unknown; zero where a person insists, or where the upstream
   *     recognises the repeated key
   */
  record NotApplied(Instant askedAt, Duration quarantine) implements Verdict {}

  /**
   * Still not known.
   *
   * @param askAgain when the next question is due, from now; empty: a person has to decide
   * @param asked whether it counts as a question; not where it was only put off
   */
  record Undecided(Optional<Duration> askAgain, boolean asked) implements Verdict {
    public Undecided(Optional<Duration> askAgain) {
      this(askAgain, true);
    }
  }
}
