package dev.oncegate.gateway.http;

import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.port.EngineEvents;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.Optional;

/**
 * One request on its way through the rooms: what is known of it so far, for the answer's links and
 * the one count it gets. Used by its own event loop only.
 */
final class Visit {
  private final HttpServerRequest request;
  private String tenant = EngineEvents.NONE;
  private String route = EngineEvents.NONE;
  private String prefix = "";
  private Optional<String> preference = Optional.empty();
  private boolean counted;

  Visit(HttpServerRequest request) {
    this.request = request;
  }

  void tenantIs(TenantPolicy known, String pathPrefix) {
    tenant = known.id();
    prefix = pathPrefix;
  }

  void routeIs(RoutePolicy known) {
    route = known.id();
  }

  HttpServerRequest request() {
    return request;
  }

  /** The tenant's id, or {@code none}: a metric label. */
  String tenant() {
    return tenant;
  }

  /** The route's id, or {@code none}: a metric label. */
  String route() {
    return route;
  }

  /** The path prefix of the tenant's address; may be empty. */
  String prefix() {
    return prefix;
  }

  /** The client's wish not to be kept waiting for longer was followed. */
  void preferenceIsApplied(Duration wish) {
    preference = Optional.of(Preference.applied(wish));
  }

  /** What the answer says of it. */
  Optional<String> preference() {
    return preference;
  }

  /** True the first time: a request is counted once, whatever goes wrong with its answer. */
  boolean countNow() {
    boolean first = !counted;
    counted = true;
    return first;
  }
}
