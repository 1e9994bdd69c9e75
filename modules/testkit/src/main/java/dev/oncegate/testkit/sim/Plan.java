package dev.oncegate.testkit.sim;

import dev.oncegate.core.FingerprintPolicy;
import dev.oncegate.core.IdempotencyKey;
import dev.oncegate.core.OutcomePolicy;
import dev.oncegate.core.Reconciliation;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.Retention;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.Scope;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.testkit.SamplePolicies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a seed decides before anything happens: policies with short times, keys, and how many want
 * what for how long.
 *
 * @param lease nanoseconds; all other times are multiples of it
 * @param quarantine nanoseconds; ten leases, and no request arrives later (assumption A2)
 * @param roughness how often something small goes wrong though no fault is on
 */
record Plan(
    long lease,
    long total,
    long abandon,
    long quarantine,
    long active,
    int clients,
    int faults,
    double roughness,
    List<TenantPolicy> tenants,
    List<Operation> keys,
    Crowd crowd) {
  static final int NODES = 3;

  /** How often sweepers and reconcilers come round. */
  static final Duration SWEEP_EVERY = Duration.ofSeconds(2);

  private static final int LEASES_OF_QUARANTINE = 10;
  private static final int MOST_KEYS = 8;

  /** A key on its route: one record. */
  record Operation(
      int index,
      TenantPolicy tenant,
      RoutePolicy route,
      Scope scope,
      IdempotencyKey key,
      RecordId id) {
    Reconciliation.Way way() {
      return route.protocol().reconciliation().way(tenant.upstream().honoursKey());
    }

    Duration retention() {
      return route.protocol().retention().retention();
    }

    Duration tombstone() {
      return route.protocol().retention().tombstone();
    }
  }

  static Plan draw(Dice dice, OutcomePolicy outcomes) {
    long lease = dice.millis(1000, 3000);
    long total = 2 * lease;
    long abandon = dice.of(4, 6, 8) * lease;
    long quarantine = LEASES_OF_QUARANTINE * lease;
    Retention retention =
        new Retention(
            Duration.ofSeconds(dice.between(1, 8)), Duration.ofSeconds(dice.between(1, 6)));
    Times times = new Times(lease, total, abandon, quarantine, retention, outcomes, dice.below(2));
    TenantPolicy plain = tenant("plain", times, false, routes(dice, times, "hold", "probe"));
    TenantPolicy keyed = tenant("keyed", times, true, routes(dice, times, "release", "asked"));
    List<Operation> keys = new ArrayList<>();
    int count = 1 + dice.below(MOST_KEYS);
    for (int i = 0; i < count; i++) {
      double which = dice.between(0.0, 1.0);
      TenantPolicy tenant = which < 0.65 ? plain : keyed;
      RoutePolicy route =
          tenant.routes().get(which < 0.2 || (which >= 0.65 && which < 0.85) ? 0 : 1);
      Scope scope = new Scope(tenant.id(), route.id(), Scope.SHARED);
      IdempotencyKey key = new IdempotencyKey("key-" + i);
      keys.add(new Operation(i, tenant, route, scope, key, RecordId.of(scope, key)));
    }
    return new Plan(
        lease,
        total,
        abandon,
        quarantine,
        dice.millis(25_000, 90_000),
        (int) dice.between(15, 110),
        dice.below(11),
        dice.of(0.0, 0.02, 0.08),
        List.of(plain, keyed),
        List.copyOf(keys),
        Crowd.draw(dice));
  }

  private record Times(
      long lease,
      long total,
      long abandon,
      long quarantine,
      Retention retention,
      OutcomePolicy outcomes,
      int firstByte) {}

  private static TenantPolicy tenant(
      String id, Times times, boolean honoursKey, RoutePolicy... routes) {
    TenantPolicy sample = SamplePolicies.tenant(id, 1, routes);
    TenantPolicy.Upstream upstream = sample.upstream();
    TenantPolicy.Timeouts timeouts =
        new TenantPolicy.Timeouts(
            Duration.ofSeconds(1),
            Duration.ofMillis(500),
            Duration.ofNanos(times.total() / (1 + times.firstByte())),
            Duration.ofNanos(times.total()),
            Duration.ofNanos(times.abandon()));
    return new TenantPolicy(
        sample.id(),
        sample.matches(),
        sample.principal(),
        new TenantPolicy.Upstream(
            upstream.tls(),
            upstream.host(),
            upstream.port(),
            upstream.basePath(),
            timeouts,
            upstream.pool(),
            upstream.tlsSettings(),
            honoursKey,
            TenantPolicy.Upstream.PROBES_PER_SECOND),
        sample.unmatched(),
        sample.routes());
  }

  private static RoutePolicy[] routes(Dice dice, Times times, String... ids) {
    int mostOfTenant = (int) dice.between(2, 12);
    return Stream.of(ids)
        .map(id -> waiting(route(id, times), Crowd.park(dice, mostOfTenant)))
        .toArray(RoutePolicy[]::new);
  }

  private static RoutePolicy waiting(RoutePolicy route, RoutePolicy.Park park) {
    return new RoutePolicy(
        route.id(), route.mode(), route.methods(), route.path(), route.protocol(), park);
  }

  private static RoutePolicy route(String id, Times times) {
    RoutePolicy.Protocol sample = SamplePolicies.protocol();
    return SamplePolicies.keyed(
        id,
        "POST",
        "/" + id + "/{operation}",
        new RoutePolicy.Protocol(
            "simulated-" + id,
            RoutePolicy.KeyPolicy.BUILT_IN,
            FingerprintPolicy.BUILT_IN,
            times.outcomes(),
            new RoutePolicy.LeasePolicy(
                Duration.ofNanos(times.lease()), Duration.ofNanos(times.lease() * 3 / 10)),
            sample.maxRequest(),
            RoutePolicy.Capture.BUILT_IN,
            List.of(),
            // Plain, so that a checker can read what is stored without the gateway's own code.
            false,
            times.retention(),
            reconciliation(id, times)));
  }

  private static Reconciliation reconciliation(String id, Times times) {
    boolean keyed = id.equals("release") || id.equals("asked");
    boolean probed = id.equals("probe") || id.equals("asked");
    return new Reconciliation(
        id.equals("hold") ? Reconciliation.OnAmbiguous.HOLD : Reconciliation.OnAmbiguous.AUTO,
        Duration.ofNanos(times.quarantine()),
        keyed
            ? Optional.of(
                new Reconciliation.UpstreamKey(
                    "X-Key",
                    Reconciliation.UpstreamKey.Source.DERIVED,
                    Optional.empty(),
                    Optional.of("X-Token")))
            : Optional.empty(),
        probed ? Optional.of(probe(id, times)) : Optional.empty());
  }

  private static Reconciliation.Probe probe(String id, Times times) {
    return new Reconciliation.Probe(
        "GET",
        "/" + id + "/{operation}",
        List.of(),
        new Reconciliation.Applied(Set.of(200), Optional.empty(), 201, Optional.empty()),
        new Reconciliation.NotApplied(Set.of(404), Optional.empty()),
        Duration.ofNanos(times.lease()),
        Duration.ofNanos(times.quarantine() * 2),
        false);
  }

  /** The path parameters of an operation's requests, from which a probe is made. */
  static Map<String, String> parameters(Operation operation) {
    return Map.of("operation", operation.key().value());
  }
}
