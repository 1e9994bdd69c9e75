package dev.oncegate.core;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What became of a verdict. All of these are expected. */
public sealed interface ResolveOutcome {
  /**
   * It is written.
   *
   * @param deadline the retry deadline, after {@code applied} only
   */
  record Resolved(@Nullable Instant deadline) implements ResolveOutcome {}

  /** Asked before the quarantine ended: nothing changed. */
  record Quarantined(Instant until) implements ResolveOutcome {}

  /** Not unknown any more under that token, or not yet: nothing changed. */
  record Stale() implements ResolveOutcome {}
}
