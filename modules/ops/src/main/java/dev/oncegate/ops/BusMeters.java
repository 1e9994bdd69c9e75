package dev.oncegate.ops;

import io.micrometer.core.instrument.Gauge;
import java.util.Optional;
import java.util.function.Supplier;

/** Whether this node is reached by the hints of others. */
public final class BusMeters {
  private BusMeters() {}

  /**
   * Tells 1 while there is trouble and 0 where there is none; a node without a cluster has no such
   * gauge.
   *
   * @param trouble asked at every scrape: what keeps the event bus from working, for people
   */
  public static void register(OpsMetrics metrics, Supplier<Optional<String>> trouble) {
    Gauge.builder("idempotency.bus.degraded", trouble, BusMeters::degraded)
        .description("1 while hints of other nodes do not arrive, and waiters poll instead")
        // Nobody else may hold the supplier, and a gauge by itself would let it go.
        .strongReference(true)
        .register(metrics.registry());
  }

  private static double degraded(Supplier<Optional<String>> trouble) {
    return trouble.get().isPresent() ? 1 : 0;
  }
}
