package dev.oncegate.core;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * What a claim wrote and no later state changes.
 *
 * @param policy version of the route policy that the record is judged by for its whole life
 * @param secretId which installation secret the fingerprint and sealed bytes depend on
 * @param token the fencing token of the claim that is or was current
 * @param claimId random identity of that attempt to claim
 * @param owner address of the process and event loop that holds or held the lease
 * @param claimedAt database time
 * @param retention how long the outcome is promised, from completion
 * @param tombstone how long a late retry is refused after the deadline; zero under {@code forget}
 * @param inputs what a probe or a person will need to ask, sealed (contract §6)
 */
public record ClaimFacts(
    RecordId id,
    String tenant,
    String route,
    Bytes principalTag,
    Fingerprint fingerprint,
    String policy,
    String secretId,
    FencingToken token,
    UUID claimId,
    String owner,
    Instant claimedAt,
    Duration retention,
    Duration tombstone,
    Bytes inputs) {}
