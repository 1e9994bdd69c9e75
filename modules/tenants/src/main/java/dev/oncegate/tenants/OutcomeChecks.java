package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import dev.oncegate.core.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks 15 and 16: every status stands in exactly one list, and in a sensible one. */
final class OutcomeChecks {
  private static final String OUTCOME = "/outcome";

  private final Merged merged;
  private final Findings findings;

  /** The places of each code and class, as pointers of list items. */
  private final Map<String, List<String>> places = new HashMap<>();

  private OutcomeChecks(Merged merged, Findings findings) {
    this.merged = merged;
    this.findings = findings;
  }

  static void check(ReadRoute route, Findings findings) {
    new OutcomeChecks(route.merged(), findings).check();
  }

  private void check() {
    for (Outcome outcome : Outcome.values()) {
      JsonNode list = merged.at(list(outcome));
      for (int i = 0; i < list.size(); i++) {
        places
            .computeIfAbsent(list.get(i).asText(), status -> new ArrayList<>())
            .add(Pointers.child(list(outcome), i));
      }
    }
    for (String statuses : List.of("2xx", "3xx", "4xx", "5xx")) {
      if (!places.containsKey(statuses)) {
        uncovered(statuses);
      }
    }
    places.forEach(
        (status, where) -> {
          if (where.size() > 1) {
            twice(status, where.get(0), where.get(1));
          }
        });
    transientSuccesses();
    silentGateways();
  }

  private static String list(Outcome outcome) {
    return OUTCOME + "/" + OutcomeLists.name(outcome);
  }

  /** Blames the list that took the place of one in which the class stood. */
  private void uncovered(String statuses) {
    for (Outcome outcome : Outcome.values()) {
      String list = list(outcome);
      for (Merged.Source before : merged.replaced().getOrDefault(list, List.of())) {
        boolean had = false;
        for (JsonNode item : before.tree().at(before.pointer())) {
          had |= item.asText().equals(statuses);
        }
        if (had) {
          Position at = merged.written(list).value();
          findings.error(
              at,
              merged.where(list, OUTCOME),
              statuses
                  + " is in no list, since this one replaces the one of "
                  + before.from(at)
                  + "; add "
                  + statuses
                  + " to "
                  + (statuses.equals("5xx") ? "" : "terminal, ")
                  + "transient or ambiguous");
          return;
        }
      }
    }
  }

  private void twice(String status, String one, String other) {
    String first = Pointers.parent(one);
    String second = Pointers.parent(other);
    String blamed = merged.isStronger(first, second) ? one : other;
    String met = blamed.equals(one) ? other : one;
    String metList = Pointers.parent(met);
    Position at = merged.written(blamed).value();
    String here = Pointers.name(Pointers.parent(blamed));
    if (merged.level(metList) == merged.level(Pointers.parent(blamed))) {
      findings.error(
          at,
          merged.where(blamed, OUTCOME),
          status
              + " is "
              + here
              + " here and "
              + Pointers.name(metList)
              + " as well "
              + merged.written(met).place(at)
              + "; remove one");
      return;
    }
    List<String> rest = new ArrayList<>(merged.texts(metList));
    rest.remove(status);
    findings.error(
        at,
        merged.where(blamed, OUTCOME),
        status
            + " is "
            + here
            + " here and "
            + Pointers.name(metList)
            + " in "
            + merged.written(met).from(at)
            + "; write \""
            + Pointers.name(metList)
            + ": ["
            + String.join(", ", rest)
            + "]\" here as well");
  }

  private void transientSuccesses() {
    String list = list(Outcome.TRANSIENT);
    List<String> statuses = merged.texts(list);
    for (int i = 0; i < statuses.size(); i++) {
      String status = statuses.get(i);
      if (status.startsWith("2") || status.startsWith("3")) {
        findings.warning(
            merged.written(Pointers.child(list, i)).value(),
            merged.where(list),
            "after a "
                + status
                + " the next try executes again; put "
                + status
                + " under ambiguous, or leave it terminal");
      }
    }
  }

  /** A list of ambiguous statuses that replaced the inherited one may have lost 502 and 504. */
  private void silentGateways() {
    List<String> lost =
        List.of("502", "504").stream().filter(status -> !places.containsKey(status)).toList();
    String ambiguous = list(Outcome.AMBIGUOUS);
    List<String> fallback = places.getOrDefault("5xx", List.of());
    if (lost.isEmpty()
        || merged.level(ambiguous) == Merged.Level.BUILT_IN
        || fallback.stream().noneMatch(p -> p.startsWith(list(Outcome.TRANSIENT) + "/"))) {
      return;
    }
    Position at = merged.written(ambiguous).value();
    String it = lost.size() > 1 ? "them" : "it";
    findings.warning(
        at,
        merged.where(ambiguous),
        "this list leaves "
            + String.join(" and ", lost)
            + " to 5xx under transient "
            + merged.written(fallback.get(0)).place(at)
            + ", though a gateway that got no answer says nothing about the effect; name "
            + it
            + " here, or under transient if that is meant");
  }
}
