package dev.oncegate.core;

import java.util.Optional;

/** Takes fingerprints: keyed digests of canonical projections. */
public final class Fingerprints {
  /** The form of the projection that new records get. */
  public static final int CURRENT_VERSION = 1;

  private Fingerprints() {}

  /**
   * A fingerprint, and why the body was taken by its raw bytes where it was (a counter, not an
   * error).
   */
  public record Taken(Fingerprint fingerprint, Optional<FallbackReason> fallback) {}

  /**
   * The fingerprint of a request.
   *
   * @param key the tenant's fingerprint key, 32 bytes
   */
  public static Taken take(byte[] key, FingerprintPolicy policy, FingerprintInput input) {
    CanonicalProjection.Projected projected = CanonicalProjection.of(policy, input);
    Bytes digest = Bytes.wrap(Hkdf.hmac(key, projected.bytes().array()));
    return new Taken(new Fingerprint(CURRENT_VERSION, digest), projected.fallback());
  }
}
