package dev.oncegate.tenants;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.FingerprintPolicy;
import dev.oncegate.core.Outcome;
import dev.oncegate.core.OutcomePolicy;
import dev.oncegate.core.Retention;
import dev.oncegate.core.RetryBudget;
import dev.oncegate.core.RoutePolicy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Builds the protocol of one route from its merged policy. */
final class ProtocolBuilder {
  private ProtocolBuilder() {}

  /** The protocol under its version. */
  static RoutePolicy.Protocol protocol(Merged merged, ExchangeTimes times) {
    RoutePolicy.Protocol nameless = protocol("", merged, times);
    return protocol(ProtocolVersion.of(nameless), merged, times);
  }

  /** The protocol under a version that it was given before. */
  static RoutePolicy.Protocol protocol(String version, Merged merged, ExchangeTimes times) {
    return new RoutePolicy.Protocol(
        version,
        new RoutePolicy.KeyPolicy(
            merged.text("/key/header"),
            merged.at("/key/required").asBoolean(),
            merged.text("/key/syntax").equals("strict")
                ? RoutePolicy.KeyPolicy.Syntax.STRICT
                : RoutePolicy.KeyPolicy.Syntax.LENIENT,
            merged.at("/key/maxLength").asInt()),
        fingerprint(merged),
        outcome(merged),
        new RoutePolicy.LeasePolicy(
            merged.duration("/lease/ttl"), merged.duration("/lease/renewEvery")),
        merged.size("/body/maxRequest"),
        new RoutePolicy.Capture(merged.size("/capture/inline"), merged.size("/capture/max")),
        merged.texts("/headers/response/neverStore"),
        merged.at("/privacy/encrypt").asBoolean(),
        retention(merged, times.total()),
        ReconciliationBuilder.reconciliation(merged, times));
  }

  private static FingerprintPolicy fingerprint(Merged merged) {
    Map<JsonPointer, FingerprintPolicy.LetterCase> letterCase = new HashMap<>();
    merged
        .at("/fingerprint/case")
        .fields()
        .forEachRemaining(
            entry ->
                letterCase.put(
                    JsonPointer.compile(entry.getKey()),
                    entry.getValue().asText().equals("upper")
                        ? FingerprintPolicy.LetterCase.UPPER
                        : FingerprintPolicy.LetterCase.LOWER));
    return new FingerprintPolicy(
        body(merged),
        query(merged.at("/fingerprint/query"), merged),
        merged.texts("/fingerprint/headers"),
        merged.text("/fingerprint/numbers").equals("ieee754")
            ? FingerprintPolicy.Numbers.IEEE754
            : FingerprintPolicy.Numbers.EXACT,
        merged.text("/fingerprint/strings").equals("nfc")
            ? FingerprintPolicy.Strings.NFC
            : FingerprintPolicy.Strings.AS_IS,
        letterCase);
  }

  private static FingerprintPolicy.BodySelection body(Merged merged) {
    if (merged.at("/fingerprint/body/raw").asBoolean(false)) {
      return new FingerprintPolicy.BodySelection.Raw();
    }
    List<JsonPointer> include = pointers(merged, "/fingerprint/body/include");
    if (!include.isEmpty()) {
      return new FingerprintPolicy.BodySelection.Include(include);
    }
    List<JsonPointer> exclude = pointers(merged, "/fingerprint/body/exclude");
    return exclude.isEmpty()
        ? new FingerprintPolicy.BodySelection.Whole()
        : new FingerprintPolicy.BodySelection.Exclude(exclude);
  }

  private static List<JsonPointer> pointers(Merged merged, String at) {
    return merged.texts(at).stream().map(JsonPointer::compile).toList();
  }

  private static FingerprintPolicy.QuerySelection query(JsonNode query, Merged merged) {
    if (query.isArray()) {
      return new FingerprintPolicy.QuerySelection.Names(merged.texts("/fingerprint/query"));
    }
    return query.asText().equals("none")
        ? new FingerprintPolicy.QuerySelection.None()
        : new FingerprintPolicy.QuerySelection.All();
  }

  private static OutcomePolicy outcome(Merged merged) {
    Map<Integer, Outcome> exact = new HashMap<>();
    Map<Integer, Outcome> byClass = new HashMap<>();
    for (Outcome outcome : List.of(Outcome.TERMINAL, Outcome.TRANSIENT, Outcome.AMBIGUOUS)) {
      for (JsonNode status : merged.at("/outcome/" + OutcomeLists.name(outcome))) {
        if (status.isInt()) {
          exact.put(status.asInt(), outcome);
        } else {
          byClass.put(status.asText().charAt(0) - '0', outcome);
        }
      }
    }
    return new OutcomePolicy(exact, byClass);
  }

  /**
   * How long an answer is promised.
   *
   * @param total the tenant's {@code upstream.timeouts.total}
   */
  static Retention retention(Merged merged, Duration total) {
    Duration retention =
        merged.has("/retention/fixed")
            ? merged.duration("/retention/fixed")
            : derived(merged, total);
    if (merged.text("/retention/afterExpiry").equals("forget")) {
      return new Retention(retention, Duration.ZERO);
    }
    return new Retention(
        retention,
        merged.has("/retention/tombstone") ? merged.duration("/retention/tombstone") : retention);
  }

  /** What the retry budget needs (contract §5), in whole seconds. */
  static Duration derived(Merged merged, Duration total) {
    return Retention.derived(
        budget(merged),
        total,
        merged.duration("/retention/humanReplayWindow"),
        merged.at("/retention/safetyFactor").asDouble());
  }

  static RetryBudget budget(Merged merged) {
    JsonNode budget = merged.at("/retention/retryBudget");
    BrokenInvariant.require(budget.isObject(), "a retry budget is built in");
    return new RetryBudget(
        budget.path("attempts").asInt(),
        Units.duration(budget.path("firstBackoff").asText()),
        budget.path("multiplier").asDouble(),
        Units.duration(budget.path("maxBackoff").asText()),
        budget.path("jitter").asDouble());
  }
}
