package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Checks 5 and 6: every route can be reached, and its path is one that a request can have. */
final class RouteChecks {
  private RouteChecks() {}

  static void check(ReadTenant tenant, Findings findings) {
    for (int r = 0; r < tenant.routes().size(); r++) {
      ReadRoute route = tenant.routes().get(r);
      path(route, findings);
      reachable(route, tenant.routes().subList(0, r), findings);
    }
    for (String match : tenant.matches()) {
      JsonNode prefix = tenant.file().at(tenant.pointer() + match + "/pathPrefix");
      if (!prefix.isMissingNode()) {
        literals(
            prefix.asText(),
            tenant.at(match + "/pathPrefix"),
            tenant.id() + " match.pathPrefix",
            findings);
      }
    }
  }

  private static void path(ReadRoute route, Findings findings) {
    String where = route.label() + " match.path";
    literals(route.path(), route.pathPosition(), where, findings);
    Set<String> names = new HashSet<>();
    for (String segment : TemplateShape.of(route.path()).segments()) {
      if (TemplateShape.isParameter(segment) && !names.add(segment)) {
        findings.error(
            route.pathPosition(), where, "parameter " + segment + " stands twice; rename one");
      }
    }
  }

  private static void literals(String path, Position at, String where, Findings findings) {
    List<String> segments = TemplateShape.of(path).segments();
    if (segments.size() >= 2
        && segments.get(0).equals(".well-known")
        && segments.get(1).equals("idempotency")) {
      findings.error(
          at, where, Shown.text(path) + " is answered by Oncegate itself; use another path");
    }
    for (String segment : segments) {
      if (segment.equals(".") || segment.equals("..")) {
        findings.error(
            at,
            where,
            "segment "
                + Shown.text(segment)
                + " never reaches a route, such a request is 400; write the path without it");
      } else if (segment.toLowerCase(Locale.ROOT).contains("%2f")) {
        findings.error(
            at,
            where,
            "an encoded slash never reaches a route, such a request is 400; write the path without"
                + " it");
      } else if (segment.replaceAll("%[0-9A-Fa-f]{2}", "").contains("%")) {
        findings.error(
            at,
            where,
            "a stray % in "
                + Shown.text(segment)
                + "; write %25, or the two hex digits that are missing");
      }
    }
  }

  private static void reachable(ReadRoute route, List<ReadRoute> earlier, Findings findings) {
    TemplateShape path = TemplateShape.of(route.path());
    List<ReadRoute> covering =
        earlier.stream().filter(e -> TemplateShape.of(e.path()).covers(path)).toList();
    Set<ReadRoute> takers = new LinkedHashSet<>();
    List<String> methods = methods(route);
    for (String method : methods.isEmpty() ? List.of("") : methods) {
      ReadRoute taker =
          covering.stream()
              .filter(e -> methods(e).isEmpty() || methods(e).contains(method))
              .findFirst()
              .orElse(null);
      if (taker == null) {
        return;
      }
      takers.add(taker);
    }
    List<String> names = new ArrayList<>();
    takers.forEach(
        t -> names.add(t.id() + " (" + t.pathPosition().seenFrom(route.pathPosition()) + ")"));
    findings.error(
        route.pathPosition(),
        route.label() + " match",
        (methods.isEmpty() ? "" : String.join(", ", methods) + " ")
            + Shown.text(route.path())
            + " is always taken by "
            + String.join(" and ", names)
            + "; move this route up, or change its methods or path");
  }

  /** Empty: any. */
  private static List<String> methods(ReadRoute route) {
    List<String> methods = new ArrayList<>();
    route.node().path("match").path("methods").forEach(m -> methods.add(m.asText()));
    return methods;
  }
}
