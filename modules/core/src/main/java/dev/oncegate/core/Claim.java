package dev.oncegate.core;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * The command to take the right to execute an absent record.
 *
 * @param claimId random per attempt; repeating the same claim after a lost acknowledgement is safe
 * @param owner address of the claiming process and event loop, random per process start
 * @param matcher compares this request with a record that is already there
 * @param leaseTtl how long the lease lasts without a renewal
 */
public record Claim(
    RecordId id,
    String tenant,
    String route,
    Bytes principalTag,
    Fingerprint fingerprint,
    FingerprintMatcher matcher,
    String policy,
    String secretId,
    UUID claimId,
    String owner,
    Duration leaseTtl,
    Duration retention,
    Duration tombstone,
    Bytes inputs) {

  /** What it has written once it has won. */
  public ClaimFacts facts(FencingToken token, Instant claimedAt) {
    return new ClaimFacts(
        id,
        tenant,
        route,
        principalTag,
        fingerprint,
        policy,
        secretId,
        token,
        claimId,
        owner,
        claimedAt,
        retention,
        tombstone,
        inputs);
  }

  /**
   * Whether this request is the one that made a record. A function and not a digest, because a live
   * record keeps the policy, version and secret that it was claimed under (contract §7).
   */
  @FunctionalInterface
  public interface FingerprintMatcher {
    boolean matches(ClaimFacts facts);
  }
}
