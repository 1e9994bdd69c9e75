package dev.oncegate.ops;

import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.EngineEvents.WokenBy;
import dev.oncegate.engine.port.TenantDirectory;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/**
 * Who waits here, and how long the waits were (contract §9). They are this node's: take the sum
 * over nodes.
 */
final class ParkMeters {
  /** Upper ends of the histogram; each costs a series per tenant and cause. */
  private static final Duration[] BUCKETS =
      LongStream.of(10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 20_000, 30_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final MeterRegistry registry;
  private final ConfiguredLabels labels;
  private final Map<String, AtomicInteger> parked = new ConcurrentHashMap<>();
  private final Map<Wait, Timer> waits = new ConcurrentHashMap<>();

  ParkMeters(MeterRegistry registry, ConfiguredLabels labels, TenantDirectory tenants) {
    this.registry = registry;
    this.labels = labels;
    // A gauge that only appears with the first waiter leaves a gap where a panel expects a zero.
    tenants.tenants().forEach(tenant -> parked(tenant.id()));
  }

  /** One timer: looked up by value, as counters are. */
  private record Wait(String tenant, WokenBy by) {}

  void parked(String tenant, int change) {
    parked(tenant).addAndGet(change);
  }

  void waited(String tenant, WokenBy by, Duration time) {
    waits.computeIfAbsent(new Wait(label(tenant), by), this::timer).record(time);
  }

  /**
   * By its own name first: a tenant that was removed while its requests waited is left by them
   * where they came in.
   */
  private AtomicInteger parked(String tenant) {
    AtomicInteger known = parked.get(tenant);
    return known != null ? known : parked.computeIfAbsent(label(tenant), this::gauge);
  }

  private String label(String tenant) {
    return labels.of(tenant, EngineEvents.NONE).tenant();
  }

  private AtomicInteger gauge(String tenant) {
    AtomicInteger count = new AtomicInteger();
    Gauge.builder("idempotency.parked.requests", count, AtomicInteger::get)
        .description("Requests that wait for another one's outcome")
        .tag("tenant", tenant)
        .register(registry);
    return count;
  }

  private Timer timer(Wait wait) {
    return Timer.builder("idempotency.park.wait")
        .description("How long requests waited for another one's outcome")
        .tag("tenant", wait.tenant())
        .tag("woken_by", wait.by().label())
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
  }
}
