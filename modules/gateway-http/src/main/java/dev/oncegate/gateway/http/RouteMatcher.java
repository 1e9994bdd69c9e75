package dev.oncegate.gateway.http;

import dev.oncegate.core.PathTemplate;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which route a request takes: method and path template, first match (contract §3). */
final class RouteMatcher {
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

  /** A path in a problem's detail helps up to here; beyond it the answer would grow at will. */
  private static final int SHOWN = 200;

  private RouteMatcher() {}

  /** What becomes of a request. */
  sealed interface Way {
    /** The key protocol applies. */
    record Keyed(RoutePolicy route, Map<String, String> pathParameters) implements Way {}

    /**
     * Passed through without a key protocol.
     *
     * @param route empty where no route matched
     */
    record Bypass(Optional<RoutePolicy> route) implements Way {}

    /** No route, and the tenant lets nothing through without one. */
    record NoRoute(String detail) implements Way {}
  }

  static Way match(TenantPolicy tenant, String method, String path) {
    String normalised = PathTemplate.normalise(path);
    for (RoutePolicy route : tenant.routes()) {
      if (!route.methods().isEmpty() && !route.methods().contains(method)) {
        continue;
      }
      Optional<Map<String, String>> parameters = route.path().match(normalised);
      if (parameters.isPresent()) {
        return route.mode() == RoutePolicy.Mode.PASSTHROUGH
            ? new Way.Bypass(Optional.of(route))
            : new Way.Keyed(route, parameters.get());
      }
    }
    boolean passes =
        switch (tenant.unmatched()) {
          case SAFE -> SAFE.contains(method);
          case PASSTHROUGH -> true;
          case REFUSE -> false;
        };
    return passes ? new Way.Bypass(Optional.empty()) : new Way.NoRoute(missing(method, path));
  }

  private static String missing(String method, String path) {
    String shown = path.length() > SHOWN ? path.substring(0, SHOWN) + "…" : path;
    return "No route is declared for " + method + " " + shown + ".";
  }
}
