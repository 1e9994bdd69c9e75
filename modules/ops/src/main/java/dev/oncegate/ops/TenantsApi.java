package dev.oncegate.ops;

import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.port.RecordUpkeep.Book;
import dev.oncegate.engine.port.TenantDirectory;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The tenants and their books. A tenant that was removed is one as long as it has any. */
final class TenantsApi {
  private final TenantDirectory directory;
  private final Supplier<Future<List<Book>>> books;

  TenantsApi(TenantDirectory directory, Supplier<Future<List<Book>>> books) {
    this.directory = directory;
    this.books = books;
  }

  /** A tenant that a path names; the policy is empty where it was removed. */
  record Named(String id, Optional<TenantPolicy> policy) {}

  Future<JsonObject> list() {
    return books
        .get()
        .map(
            kept -> {
              Map<String, JsonObject> tenants = new TreeMap<>();
              kept.forEach(book -> tenants.put(book.tenant(), tenant(book.tenant(), false)));
              for (TenantPolicy policy : directory.tenants()) {
                JsonArray routes = new JsonArray();
                policy.routes().stream()
                    .filter(route -> route.mode() == RoutePolicy.Mode.IDEMPOTENCY_KEY)
                    .forEach(route -> routes.add(route.id()));
                tenants.put(policy.id(), tenant(policy.id(), true).put("routes", routes));
              }
              return new JsonObject().put("tenants", new JsonArray(List.copyOf(tenants.values())));
            });
  }

  private static JsonObject tenant(String id, boolean configured) {
    return new JsonObject().put("id", id).put("configured", configured);
  }

  Future<JsonObject> stats(RoutingContext request) {
    String id = request.pathParam("tenant");
    return books
        .get()
        .map(
            kept ->
                kept.stream()
                    .filter(book -> book.tenant().equals(id))
                    .findFirst()
                    .or(() -> policy(id).map(policy -> empty(id)))
                    .map(TenantsApi::stats)
                    .orElseThrow(() -> unknown(id)));
  }

  private static Book empty(String tenant) {
    return new Book(tenant, 0, 0, 0, 0, 0, 0, 0, 0, null);
  }

  private static JsonObject stats(Book book) {
    Duration oldest = book.oldestUnknown();
    return new JsonObject()
        .put("tenant", book.tenant())
        .put("claims", book.claims())
        .put("completed", book.completed())
        .put("released", book.released())
        .put("unknown", book.unknown())
        .put("running", book.running())
        .put("live", book.live())
        .put("expired", book.expired())
        .put("waiting", book.waiting())
        .put("oldestUnknownSeconds", oldest == null ? null : oldest.toSeconds())
        .put("imbalance", book.imbalance());
  }

  /** The tenant of a path; the books are read only for one that is not configured. */
  Future<Named> named(RoutingContext request) {
    String id = request.pathParam("tenant");
    Optional<TenantPolicy> policy = policy(id);
    if (policy.isPresent()) {
      return Future.succeededFuture(new Named(id, policy));
    }
    return books
        .get()
        .map(
            kept -> {
              if (kept.stream().noneMatch(book -> book.tenant().equals(id))) {
                throw unknown(id);
              }
              return new Named(id, Optional.empty());
            });
  }

  /** How long a policy version holds back what a person says; empty where it is not in use. */
  Optional<Duration> quarantine(String version) {
    return directory.tenants().stream()
        .flatMap(tenant -> tenant.routes().stream())
        .map(RoutePolicy::protocol)
        .filter(protocol -> protocol.version().equals(version))
        .map(protocol -> protocol.reconciliation().quarantine())
        .findFirst();
  }

  private Optional<TenantPolicy> policy(String id) {
    return directory.tenants().stream().filter(tenant -> tenant.id().equals(id)).findFirst();
  }

  private static OpsProblem.Refused unknown(String id) {
    return OpsProblem.of(
            404,
            "tenant-unknown",
            "Tenant unknown",
            "There is no tenant '%s', and no records of one.".formatted(id))
        .refused();
  }
}
