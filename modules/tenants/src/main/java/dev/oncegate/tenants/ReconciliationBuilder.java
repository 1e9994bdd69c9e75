package dev.oncegate.tenants;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.Reconciliation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Builds what a route does about unknown outcomes. Secrets stay references. */
final class ReconciliationBuilder {
  /** Built-in {@code probe.every}. */
  static final Duration EVERY = Duration.ofSeconds(5);

  /** Built-in {@code probe.giveUpAfter}. */
  static final Duration GIVE_UP_AFTER = Duration.ofMinutes(15);

  private static final int REPLAY_AS = 200;
  private static final String QUARANTINE = "/probe/quarantine";

  private ReconciliationBuilder() {}

  static Reconciliation reconciliation(Merged merged, ExchangeTimes times) {
    return new Reconciliation(
        onAmbiguous(merged),
        quarantine(merged, times),
        merged.has("/upstreamKey") ? Optional.of(upstreamKey(merged)) : Optional.empty(),
        merged.has("/probe") ? Optional.of(probe(merged)) : Optional.empty());
  }

  private static Reconciliation.OnAmbiguous onAmbiguous(Merged merged) {
    return switch (merged.text("/outcome/onAmbiguous")) {
      case "auto" -> Reconciliation.OnAmbiguous.AUTO;
      case "hold" -> Reconciliation.OnAmbiguous.HOLD;
      case "probe" -> Reconciliation.OnAmbiguous.PROBE;
      case "release" -> Reconciliation.OnAmbiguous.RELEASE;
      default -> throw new BrokenInvariant("a value of onAmbiguous passed the schema");
    };
  }

  /**
   * How long after the move to unknown something may still arrive. A route without a probe obeys it
   * too, when a person says that nothing was applied; there no check has compared it with abandon,
   * so the longer one holds.
   */
  static Duration quarantine(Merged merged, ExchangeTimes times) {
    if (merged.has(QUARANTINE)) {
      return merged.duration(QUARANTINE);
    }
    Duration builtIn = builtInQuarantine(merged, times);
    return builtIn.compareTo(times.abandon()) < 0 ? times.abandon() : builtIn;
  }

  /** 2 x total + lease (contract §6). */
  static Duration builtInQuarantine(Merged merged, ExchangeTimes times) {
    return times.total().multipliedBy(2).plus(merged.duration("/lease/ttl"));
  }

  private static Reconciliation.UpstreamKey upstreamKey(Merged merged) {
    return new Reconciliation.UpstreamKey(
        merged.text("/upstreamKey/header"),
        merged.text("/upstreamKey/value").equals("client")
            ? Reconciliation.UpstreamKey.Source.CLIENT
            : Reconciliation.UpstreamKey.Source.DERIVED,
        optional(merged, "/upstreamKey/secret"),
        optional(merged, "/upstreamKey/tokenHeader"));
  }

  private static Reconciliation.Probe probe(Merged merged) {
    return new Reconciliation.Probe(
        merged.at("/probe/request/method").asText("GET"),
        merged.text("/probe/request/path"),
        headers(merged.at("/probe/request/headers")),
        new Reconciliation.Applied(
            statuses(merged.at("/probe/applied/status")),
            pointer(merged, "/probe/applied/pointer"),
            merged.at("/probe/applied/replayAs").asInt(REPLAY_AS),
            pointer(merged, "/probe/applied/replayBody")),
        new Reconciliation.NotApplied(
            statuses(merged.at("/probe/notApplied/status")),
            pointer(merged, "/probe/notApplied/emptyArray")),
        every(merged),
        giveUpAfter(merged),
        merged.at("/probe/keepRequest").asBoolean(false));
  }

  static Duration every(Merged merged) {
    return merged.has("/probe/every") ? merged.duration("/probe/every") : EVERY;
  }

  static Duration giveUpAfter(Merged merged) {
    return merged.has("/probe/giveUpAfter") ? merged.duration("/probe/giveUpAfter") : GIVE_UP_AFTER;
  }

  private static List<Reconciliation.ProbeHeader> headers(JsonNode written) {
    List<Reconciliation.ProbeHeader> headers = new ArrayList<>();
    written
        .fields()
        .forEachRemaining(
            header ->
                headers.add(
                    new Reconciliation.ProbeHeader(
                        header.getKey(),
                        header.getValue().asText(),
                        SecretResolver.isReference(header.getValue().asText()))));
    return headers;
  }

  private static Set<Integer> statuses(JsonNode list) {
    Set<Integer> statuses = new HashSet<>();
    list.forEach(status -> statuses.add(status.asInt()));
    return statuses;
  }

  private static Optional<JsonPointer> pointer(Merged merged, String at) {
    return optional(merged, at).map(JsonPointer::compile);
  }

  private static Optional<String> optional(Merged merged, String at) {
    return merged.has(at) ? Optional.of(merged.text(at)) : Optional.empty();
  }
}
