package dev.oncegate.tenants;

import dev.oncegate.core.Reconciliation;
import dev.oncegate.core.Reconciliation.OnAmbiguous;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What follows an unknown outcome of a route, for a person to read (contract §4, §6).
 *
 * @param route {@code tenant/route}
 * @param way what is done, and why that
 * @param quarantine how long a verdict that nothing was applied has to wait, and how it came about
 */
public record EffectiveWay(String route, String way, String quarantine) {
  static EffectiveWay of(ReadRoute route) {
    Merged merged = route.merged();
    ExchangeTimes times = ExchangeTimes.of(route.tenant());
    Reconciliation policy = ReconciliationBuilder.reconciliation(merged, times);
    boolean honoursKey = route.tenant().honoursKey();
    Reconciliation.Way way = policy.way(honoursKey);
    return new EffectiveWay(
        route.label(),
        "unknown outcomes: "
            + lower(way)
            + " (onAmbiguous "
            + lower(policy.onAmbiguous())
            + (policy.onAmbiguous() == OnAmbiguous.AUTO ? reason(policy, honoursKey) : "")
            + "): "
            + deed(way, merged),
        quarantine(merged, times));
  }

  /** Why {@code auto} comes to what it does. */
  private static String reason(Reconciliation policy, boolean honoursKey) {
    if (policy.probe().isPresent()) {
      return ", the route has a probe";
    }
    if (policy.upstreamKey().isEmpty()) {
      return ", no probe and no upstreamKey";
    }
    return honoursKey
        ? ", no probe, but an upstreamKey that the upstream honours"
        : ", no probe, and upstream.honoursKey is false";
  }

  private static String deed(Reconciliation.Way way, Merged merged) {
    return switch (way) {
      case HOLD -> "a person resolves them";
      case PROBE ->
          "asked every "
              + written(merged, "/probe/every", ReconciliationBuilder.EVERY)
              + " for "
              + written(merged, "/probe/giveUpAfter", ReconciliationBuilder.GIVE_UP_AFTER)
              + ", then a person";
      case RELEASE -> "a retry goes out under the same upstream key";
    };
  }

  /** As it was written, or that it is built in. */
  private static String written(Merged merged, String pointer, Duration builtIn) {
    return merged.has(pointer) ? merged.text(pointer) : Units.written(builtIn) + " (built-in)";
  }

  private static String quarantine(Merged merged, ExchangeTimes times) {
    Duration builtIn = ReconciliationBuilder.builtInQuarantine(merged, times);
    String sum =
        "2 x total "
            + Units.written(times.total())
            + " + lease.ttl "
            + merged.text("/lease/ttl")
            + " = "
            + Units.text(builtIn);
    Duration holds = ReconciliationBuilder.quarantine(merged, times);
    String why;
    if (merged.has("/probe/quarantine")) {
      why = "given; built-in: " + sum;
    } else if (holds.equals(builtIn)) {
      why = sum;
    } else {
      why = "upstream.timeouts.abandon, which is longer than " + sum;
    }
    return "quarantine " + Units.text(holds) + " (" + why + ")";
  }

  private static String lower(Enum<?> word) {
    return word.name().toLowerCase(Locale.ROOT);
  }

  List<String> lines() {
    return List.of(way, quarantine);
  }

  /** One line for {@code validate}. */
  @Override
  public String toString() {
    return route + ": " + way + "; " + quarantine;
  }
}
