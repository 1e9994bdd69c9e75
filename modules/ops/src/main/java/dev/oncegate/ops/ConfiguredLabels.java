package dev.oncegate.ops;

import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.TenantDirectory;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Lets only configured names become labels; anything else is {@link EngineEvents#NONE}. So no
 * mistake elsewhere can let a client make up series (contract §9).
 */
final class ConfiguredLabels {
  private final TenantDirectory directory;
  private volatile Known known = new Known(List.of(), Set.of());

  ConfiguredLabels(TenantDirectory directory) {
    this.directory = directory;
  }

  /** Tenant and route as labels. */
  record Pair(String tenant, String route) {}

  private record Known(List<TenantPolicy> tenants, Set<Pair> pairs) {}

  Pair of(String tenant, String route) {
    Set<Pair> pairs = current().pairs();
    Pair asked = new Pair(tenant, route);
    if (pairs.contains(asked)) {
      return asked;
    }
    Pair tenantOnly = new Pair(tenant, EngineEvents.NONE);
    return pairs.contains(tenantOnly) ? tenantOnly : new Pair(EngineEvents.NONE, EngineEvents.NONE);
  }

  private Known current() {
    List<TenantPolicy> tenants = directory.tenants();
    Known seen = known;
    if (seen.tenants() != tenants) {
      // Two loops may both do this after a reload: the results are equal.
      seen = new Known(tenants, pairs(tenants));
      known = seen;
    }
    return seen;
  }

  private static Set<Pair> pairs(List<TenantPolicy> tenants) {
    Set<Pair> pairs = new HashSet<>();
    for (TenantPolicy tenant : tenants) {
      pairs.add(new Pair(tenant.id(), EngineEvents.NONE));
      tenant.routes().forEach(route -> pairs.add(new Pair(tenant.id(), route.id())));
    }
    return Set.copyOf(pairs);
  }
}
