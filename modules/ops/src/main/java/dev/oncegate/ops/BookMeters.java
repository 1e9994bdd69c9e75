package dev.oncegate.ops;

import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.RecordUpkeep.Book;
import dev.oncegate.engine.port.TenantDirectory;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The books of the tenants as gauges (contract §9, §10). They are those of the whole store, so
 * every node says the same: take the maximum over nodes, never the sum.
 */
public final class BookMeters {
  private final ConfiguredLabels labels;
  private final MultiGauge records;
  private final MultiGauge imbalance;
  private final MultiGauge oldest;
  private final MultiGauge waiting;

  public BookMeters(OpsMetrics metrics, TenantDirectory tenants) {
    MeterRegistry registry = metrics.registry();
    this.labels = new ConfiguredLabels(tenants);
    this.records = gauge("idempotency.records", "Records by state", registry);
    this.imbalance =
        gauge("idempotency.audit.imbalance", "Claims that nobody accounts for", registry);
    this.oldest =
        gauge("idempotency.unknown.oldest.seconds", "Age of the oldest unknown record", registry);
    this.waiting =
        gauge("idempotency.unknown.waiting", "Unknown records that wait for a person", registry);
  }

  private static MultiGauge gauge(String name, String meaning, MeterRegistry registry) {
    return MultiGauge.builder(name).description(meaning).register(registry);
  }

  /** What the gauges say from now on; tenants that are not in it any more go. */
  public void books(List<Book> books) {
    List<MultiGauge.Row<?>> states = new ArrayList<>();
    List<MultiGauge.Row<?>> differences = new ArrayList<>();
    List<MultiGauge.Row<?>> ages = new ArrayList<>();
    List<MultiGauge.Row<?>> people = new ArrayList<>();
    merged(books)
        .forEach(
            (tenant, sum) -> {
              Tags tags = Tags.of("tenant", tenant);
              states.add(MultiGauge.Row.of(tags.and("state", "claimed"), sum.claimed()));
              states.add(MultiGauge.Row.of(tags.and("state", "completed"), sum.completed()));
              states.add(MultiGauge.Row.of(tags.and("state", "unknown"), sum.unknown()));
              states.add(MultiGauge.Row.of(tags.and("state", "expired"), sum.expired()));
              differences.add(MultiGauge.Row.of(tags, sum.imbalance()));
              ages.add(MultiGauge.Row.of(tags, sum.oldestSeconds()));
              people.add(MultiGauge.Row.of(tags, sum.waiting()));
            });
    records.register(states, true);
    imbalance.register(differences, true);
    oldest.register(ages, true);
    waiting.register(people, true);
  }

  /** What one label value stands for. */
  private record Sum(
      long claimed,
      long completed,
      long unknown,
      long expired,
      long waiting,
      double oldestSeconds,
      long imbalance) {
    static Sum of(Book book) {
      Duration oldest = book.oldestUnknown();
      return new Sum(
          book.running(),
          book.live(),
          book.unknown(),
          book.expired(),
          book.waiting(),
          oldest == null ? 0 : oldest.toMillis() / 1000.0,
          book.imbalance());
    }

    Sum plus(Sum other) {
      return new Sum(
          claimed + other.claimed,
          completed + other.completed,
          unknown + other.unknown,
          expired + other.expired,
          waiting + other.waiting,
          Math.max(oldestSeconds, other.oldestSeconds),
          // Two errors must not look like none.
          Math.abs(imbalance) + Math.abs(other.imbalance));
    }
  }

  /** Tenants that were removed from the configuration share one label value. */
  private Map<String, Sum> merged(List<Book> books) {
    Map<String, Sum> sums = new TreeMap<>();
    for (Book book : books) {
      String label = labels.of(book.tenant(), EngineEvents.NONE).tenant();
      sums.merge(label, Sum.of(book), Sum::plus);
    }
    return sums;
  }
}
