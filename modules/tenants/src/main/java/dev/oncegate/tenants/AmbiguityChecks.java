package dev.oncegate.tenants;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Check 17: what {@code onAmbiguous} asks for is there wherever it reaches. A value is blamed once,
 * with the first route or tenant that lacks something.
 */
final class AmbiguityChecks {
  private static final String ON_AMBIGUOUS = "/outcome/onAmbiguous";
  private static final String AUTO = ", or use onAmbiguous: auto";

  private AmbiguityChecks() {}

  static void check(List<ReadTenant> tenants, Findings findings) {
    Map<Position, List<ReadRoute>> reached = new LinkedHashMap<>();
    for (ReadTenant tenant : tenants) {
      for (ReadRoute route : tenant.protectedRoutes()) {
        Merged merged = route.merged();
        if (merged.level(ON_AMBIGUOUS) != Merged.Level.BUILT_IN) {
          Position at = merged.written(ON_AMBIGUOUS).value();
          reached.computeIfAbsent(at, unused -> new ArrayList<>()).add(route);
        }
        neverAsked(route, findings);
      }
    }
    reached.forEach(
        (at, routes) -> {
          switch (routes.get(0).merged().text(ON_AMBIGUOUS)) {
            case "probe" -> lacking(at, routes, "probe", findings);
            case "release" -> {
              lacking(at, routes, "upstreamKey", findings);
              honoured(at, routes, findings);
            }
            default -> {
              // auto and hold need nothing
            }
          }
        });
  }

  private static void lacking(Position at, List<ReadRoute> routes, String what, Findings findings) {
    Predicate<ReadRoute> lacks = route -> !route.merged().has("/" + what);
    List<ReadRoute> without = routes.stream().filter(lacks).toList();
    if (without.isEmpty()) {
      return;
    }
    ReadRoute first = without.get(0);
    int more = without.size() - 1;
    findings.error(
        at,
        first.merged().where(ON_AMBIGUOUS),
        first.merged().text(ON_AMBIGUOUS)
            + " reaches "
            + first.label()
            + " ("
            + first.at("/id").seenFrom(at)
            + ")"
            + (more == 0 ? "" : " and " + more + (more == 1 ? " more route" : " more routes"))
            + (more == 0 ? ", which has no " : ", which have no ")
            + what
            + "; add one there"
            + AUTO);
  }

  private static void honoured(Position at, List<ReadRoute> routes, Findings findings) {
    Set<ReadTenant> without = new LinkedHashSet<>();
    routes.stream().map(ReadRoute::tenant).filter(t -> !t.honoursKey()).forEach(without::add);
    if (without.isEmpty()) {
      return;
    }
    ReadTenant first = without.iterator().next();
    int more = without.size() - 1;
    findings.error(
        at,
        routes.get(0).merged().where(ON_AMBIGUOUS),
        "release reaches "
            + first.id()
            + " ("
            + first.file().key(first.pointer() + "/upstream").seenFrom(at)
            + ")"
            + (more == 0 ? "" : " and " + more + (more == 1 ? " more tenant" : " more tenants"))
            + ", whose upstream.honoursKey is false; set it to true if that API executes one key"
            + " once"
            + AUTO);
  }

  private static void neverAsked(ReadRoute route, Findings findings) {
    Merged merged = route.merged();
    String choice = merged.text(ON_AMBIGUOUS);
    if (!merged.has("/probe") || choice.equals("auto") || choice.equals("probe")) {
      return;
    }
    Position at = merged.written("/probe").key();
    findings.warning(
        at,
        merged.where("/probe"),
        "never asked, onAmbiguous is "
            + choice
            + " "
            + merged.written(ON_AMBIGUOUS).place(at)
            + "; use auto or probe there, or drop the probe");
  }
}
