package dev.oncegate.ops;

import dev.oncegate.engine.port.TenantDirectory;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Whether traffic should come here, and why not.
 *
 * @param store asks the store something trivial; fails where it cannot be used
 * @param draining true once the process has been told to stop
 */
public record HealthChecks(
    Supplier<Future<Void>> store, TenantDirectory tenants, BooleanSupplier draining) {
  /** Below the usual patience of whoever asks (Kubernetes: 1 s is the default, 3 s usual). */
  private static final long STORE_MILLIS = 900;

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
    return new Readiness(
        ready,
        new JsonObject()
            .put("status", ready ? "up" : "down")
            .put("store", storeDetail)
            .put("tenants", up().put("count", tenants.tenants().size()))
            .put("draining", drains));
  }

  private static JsonObject up() {
    return new JsonObject().put("status", "up");
  }

  private static JsonObject down(String reason) {
    return new JsonObject().put("status", "down").put("reason", reason);
  }
}
