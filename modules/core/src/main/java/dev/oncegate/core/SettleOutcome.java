package dev.oncegate.core;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What became of a write that ends a claim. */
public sealed interface SettleOutcome {
  /**
   * The row is as asked (also when an earlier try of the same write had done it).
   *
   * @param deadline the enforced retry deadline, after a completion only
   */
  record Done(@Nullable Instant deadline) implements SettleOutcome {}

  /**
   * The token is no longer the record's, or the record has been settled otherwise. Nothing changed.
   */
  record Fenced() implements SettleOutcome {}

  /** There is no record any more. Nothing changed. */
  record Gone() implements SettleOutcome {}
}
