package dev.oncegate.core;

import java.time.Instant;

/** What became of one lease renewal. */
public sealed interface RenewOutcome {
  record Renewed(Instant leaseUntil) implements RenewOutcome {}

  /** Lapsed, unknown, settled or another's: this owner may not send or renew any more. */
  record Fenced() implements RenewOutcome {}
}
