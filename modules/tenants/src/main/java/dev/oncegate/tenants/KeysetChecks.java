package dev.oncegate.tenants;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Check 29: a keyset is used by at least one of the routes that it reaches. */
final class KeysetChecks {
  private static final String KEYSET = "/privacy/keyset";
  private static final String ENCRYPT = "/privacy/encrypt";

  private KeysetChecks() {}

  static void check(List<ReadTenant> tenants, Findings findings) {
    Map<Position, List<Merged>> reached = new LinkedHashMap<>();
    for (ReadTenant tenant : tenants) {
      for (ReadRoute route : tenant.protectedRoutes()) {
        Merged merged = route.merged();
        merged
            .source(KEYSET)
            .ifPresent(
                source ->
                    reached
                        .computeIfAbsent(source.value(), unused -> new ArrayList<>())
                        .add(merged));
      }
    }
    reached.forEach(
        (at, policies) -> {
          if (policies.stream().noneMatch(merged -> merged.at(ENCRYPT).asBoolean())) {
            neverUsed(at, policies.get(0), findings);
          }
        });
  }

  private static void neverUsed(Position at, Merged merged, Findings findings) {
    Merged.Source keyset = merged.written(KEYSET);
    findings.warning(
        at,
        keyset.tree().where(keyset.pointer()),
        "never used, encrypt is false in "
            + merged.written(ENCRYPT).from(at)
            + "; add \"encrypt: true\" here, or drop the keyset");
  }
}
