package dev.oncegate.engine.port;

import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import java.time.Duration;

/**
 * The waiters of one event loop for the end of one claim.
 *
 * @param token of the claim: under another one there is nothing to wait for
 * @param loop address of the waiting event loop; it has one group of waiters per claim
 * @param timeLeft until the last of them gives up
 */
public record Waiting(RecordId id, FencingToken token, String loop, Duration timeLeft) {}
