package dev.oncegate.bench;

import dev.oncegate.core.IdempotencyKey;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.Scope;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.testkit.SamplePolicies;
import java.time.Duration;

/** Tenants with one keyed route, on which nobody is refused for waiting. */
final class Tenants {
  private static final String ROUTE = "create-charge";

  private Tenants() {}

  /**
   * A tenant at {@code ID.example}.
   *
   * @param connections most to its upstream
   */
  static TenantPolicy tenant(String id, int upstreamPort, int connections) {
    RoutePolicy route = SamplePolicies.keyed(ROUTE, "POST", "/charges", SamplePolicies.protocol());
    RoutePolicy waiting =
        new RoutePolicy(
            route.id(),
            route.mode(),
            route.methods(),
            route.path(),
            route.protocol(),
            new RoutePolicy.Park(Duration.ofSeconds(90), 1_000_000, 1_000_000));
    TenantPolicy sample = SamplePolicies.tenant(id, upstreamPort, waiting);
    TenantPolicy.Upstream upstream = sample.upstream();
    return new TenantPolicy(
        sample.id(),
        sample.matches(),
        sample.principal(),
        new TenantPolicy.Upstream(
            false,
            upstream.host(),
            upstream.port(),
            "",
            upstream.timeouts(),
            new TenantPolicy.Pool(connections, connections, Duration.ofMinutes(1))),
        sample.unmatched(),
        sample.routes());
  }

  /** The record of a key of that tenant. */
  static RecordId record(String tenant, String key) {
    return RecordId.of(new Scope(tenant, ROUTE, Scope.SHARED), new IdempotencyKey(key));
  }
}
