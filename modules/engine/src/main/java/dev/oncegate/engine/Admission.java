package dev.oncegate.engine;

import dev.oncegate.core.Claim;
import dev.oncegate.core.Fingerprint;
import dev.oncegate.core.IdempotencyKey;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.Scope;
import dev.oncegate.core.TenantPolicy;
import java.util.Map;

/**
 * A keyed request that has passed syntax, tenant and size checks and may ask for a claim.
 *
 * @param fingerprint under the current policy and secret
 * @param matcher compares the request with a record, under that record's version and secret
 * @param pathParameters what a probe or a person will need to ask
 */
public record Admission(
    TenantPolicy tenant,
    RoutePolicy route,
    Scope scope,
    IdempotencyKey key,
    Fingerprint fingerprint,
    Claim.FingerprintMatcher matcher,
    Map<String, String> pathParameters,
    UpstreamRequest request) {

  public Admission {
    pathParameters = Map.copyOf(pathParameters);
  }

  public RecordId id() {
    return RecordId.of(scope, key);
  }
}
