package dev.oncegate.tenants;

import java.util.ArrayList;
import java.util.List;

/** Check 20: no answer to a probe is both verdicts. */
final class ProbeChecks {
  private static final String APPLIED = "/probe/applied";
  private static final String NOT_APPLIED = "/probe/notApplied";
  private static final String POINTER = APPLIED + "/pointer";
  private static final String EMPTY = NOT_APPLIED + "/emptyArray";

  private ProbeChecks() {}

  static void check(ReadRoute route, Findings findings) {
    Merged merged = route.merged();
    if (!merged.has("/probe") || exclusiveByArray(merged)) {
      return;
    }
    List<String> shared = new ArrayList<>(merged.texts(APPLIED + "/status"));
    shared.retainAll(merged.texts(NOT_APPLIED + "/status"));
    if (shared.isEmpty()) {
      return;
    }
    Position at = merged.written(NOT_APPLIED).key();
    List<String> conditions = new ArrayList<>();
    if (merged.has(POINTER)) {
      conditions.add(Shown.text(merged.text(POINTER)));
    }
    if (merged.has(EMPTY)) {
      conditions.add("an empty " + Shown.text(merged.text(EMPTY)));
    }
    findings.error(
        at,
        merged.where("/probe"),
        "a "
            + shared.get(0)
            + (conditions.isEmpty() ? "" : " with " + String.join(" and ", conditions))
            + " is applied ("
            + merged.written(APPLIED).key().seenFrom(at)
            + ") and notApplied at once; use "
            + (merged.has(POINTER)
                ? "emptyArray: " + Shown.text(array(merged.text(POINTER))) + ", or other statuses"
                : "other statuses"));
  }

  /** An array that is empty has nothing that a pointer could lead to. */
  private static boolean exclusiveByArray(Merged merged) {
    return merged.has(POINTER)
        && merged.has(EMPTY)
        && merged.text(POINTER).startsWith(merged.text(EMPTY) + "/");
  }

  /** The innermost array that a pointer leads into, as far as its indexes tell. */
  private static String array(String pointer) {
    for (String at = pointer; !at.isEmpty(); at = Pointers.parent(at)) {
      if (Pointers.name(at).matches("[0-9]+")) {
        return Pointers.parent(at);
      }
    }
    return Pointers.parent(pointer);
  }
}
