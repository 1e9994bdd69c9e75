package dev.oncegate.ops;

import dev.oncegate.core.FallbackReason;
import dev.oncegate.core.RecordId;
import dev.oncegate.engine.IdempotencyStatus;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.TenantDirectory;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What happened, as the contract's metrics and as log lines. Every meter is declared in one place,
 * here or in {@link ParkMeters}: a second one of the same name with other labels would be dropped
 * without a word.
 */
public final class MicrometerEvents implements EngineEvents {
  private static final Logger LOG = LoggerFactory.getLogger(MicrometerEvents.class);
  private static final ConfiguredLabels.Pair NOBODY = new ConfiguredLabels.Pair(NONE, NONE);

  private final MeterRegistry registry;
  private final ConfiguredLabels labels;
  private final LogLimit storeLog;
  private final ParkMeters park;
  private final Map<Series, Counter> counters = new ConcurrentHashMap<>();

  /** What was last told of each tenant; tenants come from configuration, so it stays small. */
  private final Map<String, Long> imbalances = new ConcurrentHashMap<>();

  /**
   * Counts into the process's registry.
   *
   * @param nanos monotonic time, for the limit on repeated log lines
   */
  public MicrometerEvents(OpsMetrics metrics, TenantDirectory tenants, LongSupplier nanos) {
    this.registry = metrics.registry();
    this.labels = new ConfiguredLabels(tenants);
    this.storeLog = new LogLimit(nanos);
    this.park = new ParkMeters(registry, labels, tenants);
  }

  /** One counter: looked up by value, because building tags anew costs more than counting. */
  private record Series(String name, ConfiguredLabels.Pair labels, String value) {}

  @Override
  public void answered(String tenant, String route, IdempotencyStatus status) {
    count("idempotency.requests", "outcome", labels.of(tenant, route), status.label());
  }

  @Override
  public void parked(String tenant) {
    park.parked(tenant, 1);
  }

  @Override
  public void woken(String tenant, WokenBy by, Duration waited) {
    park.parked(tenant, -1);
    park.waited(tenant, by, waited);
  }

  @Override
  public void left(String tenant) {
    // No wait has ended with an answer here: as a time it would say what clients' patience is.
    park.parked(tenant, -1);
  }

  @Override
  public void fingerprintFallback(String tenant, String route, FallbackReason reason) {
    count("idempotency.fingerprint.fallback", "reason", labels.of(tenant, route), reason.label());
  }

  @Override
  public void staleCompletion(String tenant, String route, RecordId id) {
    ConfiguredLabels.Pair names = labels.of(tenant, route);
    counters
        .computeIfAbsent(
            new Series("idempotency.stale.completions", names, ""),
            series -> registry.counter(series.name(), Tags.of("tenant", names.tenant())))
        .increment();
    log(Level.WARN, "a late owner's write was refused", names, id, "");
  }

  @Override
  public void markedUnknown(String tenant, String route, RecordId id, String reason) {
    log(Level.WARN, "outcome unknown", labels.of(tenant, route), id, reason);
  }

  @Override
  public void recordDamaged(String tenant, String route, RecordId id, String what) {
    log(Level.ERROR, "stored record damaged", labels.of(tenant, route), id, what);
  }

  @Override
  public void storeFailed(String operation, Throwable cause) {
    // Every request fails while the store is away: one line a second says as much as thousands.
    storeLog.pass(
        operation,
        suppressed ->
            LOG.atWarn()
                .addKeyValue("operation", operation)
                .addKeyValue("cause", String.valueOf(cause.getMessage()))
                .addKeyValue("suppressed", suppressed)
                .log("the store cannot be used"));
  }

  @Override
  public void broken(String tenant, String route, Throwable cause) {
    ConfiguredLabels.Pair names = labels.of(tenant, route);
    LOG.atError()
        .addKeyValue("tenant", names.tenant())
        .addKeyValue("route", names.route())
        .setCause(cause)
        .log("something that cannot be has happened");
  }

  @Override
  public void probed(String tenant, String route, RecordId id, String verdict) {
    count("idempotency.probe", "verdict", labels.of(tenant, route), verdict);
  }

  @Override
  public void swept(String action, int count) {
    counters
        .computeIfAbsent(
            new Series("idempotency.sweep", NOBODY, action),
            series -> registry.counter(series.name(), Tags.of("action", action)))
        .increment(count);
  }

  @Override
  public void gaveUp(String tenant, String route, RecordId id) {
    log(
        Level.ERROR,
        "a person has to decide about an unknown outcome",
        labels.of(tenant, route),
        id,
        "nobody asks any more");
  }

  @Override
  public void resolved(String tenant, String route, RecordId id, String by, String verdict) {
    ConfiguredLabels.Pair names = labels.of(tenant, route);
    LOG.atInfo()
        .addKeyValue("tenant", names.tenant())
        .addKeyValue("route", names.route())
        .addKeyValue("record", id.prefix())
        .addKeyValue("by", by)
        .addKeyValue("verdict", verdict)
        .log("an unknown outcome was resolved");
  }

  @Override
  public void imbalance(String tenant, long difference) {
    Long before = imbalances.put(tenant, difference);
    boolean was = before != null && before != 0;
    if (was == (difference != 0)) {
      return;
    }
    // The gauge says how it goes on: a line at each reading would hide the first one.
    String name = labels.of(tenant, NONE).tenant();
    LOG.atLevel(was ? Level.INFO : Level.ERROR)
        .addKeyValue("tenant", name)
        .addKeyValue("difference", difference)
        .log(was ? "the books balance again" : "the books do not balance");
  }

  private void count(String name, String label, ConfiguredLabels.Pair names, String value) {
    counters
        .computeIfAbsent(
            new Series(name, names, value),
            series ->
                registry.counter(
                    name, Tags.of("tenant", names.tenant(), "route", names.route(), label, value)))
        .increment();
  }

  private static void log(
      Level level, String what, ConfiguredLabels.Pair names, RecordId id, String reason) {
    LOG.atLevel(level)
        .addKeyValue("tenant", names.tenant())
        .addKeyValue("route", names.route())
        .addKeyValue("record", id.prefix())
        .addKeyValue("reason", reason)
        .log(what);
  }
}
