package dev.oncegate.core;

import java.util.Optional;

/** The exact bytes over which a fingerprint is taken. */
public final class CanonicalProjection {
  private CanonicalProjection() {}

  /** The bytes, and why the body stands in them raw where it does. */
  public record Projected(Bytes bytes, Optional<FallbackReason> fallback) {}

  /** Projects a request under a policy. */
  public static Projected of(FingerprintPolicy policy, FingerprintInput input) {
    return new Projected(input.body(), Optional.empty());
  }
}
