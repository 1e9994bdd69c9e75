package dev.oncegate.testkit;

import dev.oncegate.core.FingerprintPolicy;
import dev.oncegate.core.OutcomePolicy;
import dev.oncegate.core.PathTemplate;
import dev.oncegate.core.Reconciliation;
import dev.oncegate.core.Retention;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Policies for tests: the built-in values, on a tenant with one keyed route. */
public final class SamplePolicies {
  private SamplePolicies() {}

  /** The built-in protocol, with a retention of an hour and a tombstone of another. */
  public static RoutePolicy.Protocol protocol() {
    return protocol("sample-1");
  }

  /** The same under another version. */
  public static RoutePolicy.Protocol protocol(String version) {
    return new RoutePolicy.Protocol(
        version,
        RoutePolicy.KeyPolicy.BUILT_IN,
        FingerprintPolicy.BUILT_IN,
        OutcomePolicy.BUILT_IN,
        RoutePolicy.LeasePolicy.BUILT_IN,
        1024 * 1024,
        RoutePolicy.Capture.BUILT_IN,
        List.of(),
        true,
        new Retention(Duration.ofHours(1), Duration.ofHours(1)),
        Reconciliation.hold(Duration.ofSeconds(105)));
  }

  /** A keyed route. */
  public static RoutePolicy keyed(
      String id, String method, String path, RoutePolicy.Protocol protocol) {
    return new RoutePolicy(
        id, RoutePolicy.Mode.IDEMPOTENCY_KEY, Set.of(method), PathTemplate.parse(path), protocol);
  }

  /** A tenant at {@code pay.example} with one key space and an upstream on a loopback port. */
  public static TenantPolicy tenant(String id, int upstreamPort, RoutePolicy... routes) {
    return new TenantPolicy(
        id,
        List.of(
            new TenantPolicy.Match(
                Optional.of(id + ".example"), Optional.empty(), false, Optional.empty())),
        TenantPolicy.Principal.SHARED,
        new TenantPolicy.Upstream(
            false,
            "127.0.0.1",
            upstreamPort,
            "",
            TenantPolicy.Timeouts.BUILT_IN,
            TenantPolicy.Pool.BUILT_IN),
        TenantPolicy.Unmatched.SAFE,
        List.of(routes));
  }
}
