package dev.oncegate.app.cli;

import dev.oncegate.app.StartFailure;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.tenants.TenantsLoader;
import dev.oncegate.tenants.TenantsLoader.Loaded;
import dev.oncegate.tenants.TenantsLoader.Mode;
import dev.oncegate.tenants.TenantsLoader.Options;
import dev.oncegate.tenants.TenantsLoader.Refused;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** A route that a command names, in a file that is read without its secrets. */
record NamedRoute(TenantPolicy tenant, RoutePolicy route) {
  /** The route, or exit code 2 with what is wrong with the file or what there is instead. */
  static NamedRoute find(Path file, String tenantId, String routeId) {
    TenantsLoader.Result result = TenantsLoader.load(file, Options.of(Mode.VALIDATE));
    if (result instanceof Refused refused) {
      throw StartFailure.refused(refused.findings());
    }
    List<TenantPolicy> tenants = ((Loaded) result).tenants();
    TenantPolicy tenant =
        tenants.stream()
            .filter(candidate -> candidate.id().equals(tenantId))
            .findFirst()
            .orElseThrow(
                () ->
                    StartFailure.invalid(
                        "there is no tenant '%s' in %s; there are: %s"
                            .formatted(
                                tenantId,
                                file,
                                tenants.stream()
                                    .map(TenantPolicy::id)
                                    .collect(Collectors.joining(", ")))));
    RoutePolicy route =
        tenant.routes().stream()
            .filter(candidate -> candidate.id().equals(routeId))
            .findFirst()
            .orElseThrow(
                () ->
                    StartFailure.invalid(
                        "tenant %s has no route '%s'; it has: %s"
                            .formatted(
                                tenantId,
                                routeId,
                                tenant.routes().stream()
                                    .map(RoutePolicy::id)
                                    .collect(Collectors.joining(", ")))));
    return new NamedRoute(tenant, route);
  }
}
