package dev.oncegate.ops;

import dev.oncegate.engine.port.TenantDirectory;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Whether traffic should come here, and why not.
 *
 * @param store asks the store something trivial; fails where it cannot be used
 * @param draining true once the process has been told to stop
 * @param bus empty for a node without a cluster; else what it gives is what keeps the event bus
 *     from working, in words for people, and empty while it works
 */
public record HealthChecks(
    Supplier<Future<Void>> store,
    TenantDirectory tenants,
    BooleanSupplier draining,
    Optional<Supplier<Optional<String>>> bus) {
  /** Below the usual patience of whoever asks (Kubernetes: 1 s is the default, 3 s usual). */
  private static final long STORE_MILLIS = 900;

  /** Of a node without a cluster. */
  public HealthChecks(
      Supplier<Future<Void>> store, TenantDirectory tenants, BooleanSupplier draining) {
    this(store, tenants, draining, Optional.empty());
  }

  /** Ready or not, with every check in the detail. */
  record Readiness(boolean ready, JsonObject detail) {}

  Future<Readiness> readiness() {
    return Future.succeededFuture()
        .compose(ignored -> store.get())
        .timeout(STORE_MILLIS, TimeUnit.MILLISECONDS)
        .map(up())
        .otherwise(failure -> down(String.valueOf(failure.getMessage())))
        .map(this::readiness);
  }

  private Readiness readiness(JsonObject storeDetail) {
    boolean drains = draining.getAsBoolean();
    boolean ready = "up".equals(storeDetail.getString("status")) && !drains;
    JsonObject detail =
        new JsonObject()
            .put("status", ready ? "up" : "down")
            .put("store", storeDetail)
            .put("tenants", up().put("count", tenants.tenants().size()))
            .put("draining", drains);
    bus.ifPresent(trouble -> addBus(detail, trouble.get()));
    return new Readiness(ready, detail);
  }

  /**
   * A bus in trouble makes waiters slower and nothing wrong. Not ready for it, every node of a
   * split would be taken out of traffic at once.
   */
  private static void addBus(JsonObject detail, Optional<String> trouble) {
    detail.put("bus", trouble.map(HealthChecks::down).orElseGet(HealthChecks::up));
    if (trouble.isPresent()) {
      detail.put("degraded", new JsonArray().add("bus"));
    }
  }

  private static JsonObject up() {
    return new JsonObject().put("status", "up");
  }

  private static JsonObject down(String reason) {
    return new JsonObject().put("status", "down").put("reason", reason);
  }
}
