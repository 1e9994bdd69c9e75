package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Check 1: ids are unique. */
final class NameChecks {
  private NameChecks() {}

  static void check(List<ReadTenant> tenants, Findings findings) {
    Map<String, Position> tenantIds = new HashMap<>();
    for (ReadTenant tenant : tenants) {
      once(tenantIds, tenant.id(), tenant.at("/id"), tenant.id(), "tenant", findings);
      Map<String, Position> routeIds = new HashMap<>();
      for (ReadRoute route : tenant.routes()) {
        once(routeIds, route.id(), route.at("/id"), tenant.id(), "route", findings);
      }
      for (String match : tenant.matches()) {
        Map<String, Position> keyIds = new HashMap<>();
        JsonNode keys = tenant.file().at(tenant.pointer() + match + "/apiKey/keys");
        for (int k = 0; k < keys.size(); k++) {
          once(
              keyIds,
              keys.get(k).path("id").asText(),
              tenant.at(match + "/apiKey/keys/" + k + "/id"),
              tenant.id() + " match.apiKey",
              "key",
              findings);
        }
      }
    }
  }

  private static void once(
      Map<String, Position> known,
      String id,
      Position at,
      String where,
      String what,
      Findings findings) {
    Position first = known.putIfAbsent(id, at);
    if (first != null) {
      findings.error(
          at,
          where,
          what
              + " id "
              + Shown.quoted(id)
              + " is used twice (first at "
              + first.seenFrom(at)
              + "); give this "
              + what
              + " an id of its own");
    }
  }
}
