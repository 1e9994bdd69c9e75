package dev.oncegate.core;

import java.util.Map;

/**
 * What each status means. Built from the lists of tenants.yaml: an exact code beats its class.
 *
 * @param exact by status code
 * @param byClass by first digit, 2 to 5; complete
 */
public record OutcomePolicy(Map<Integer, Outcome> exact, Map<Integer, Outcome> byClass) {
  /** Contract §4: 2xx, 3xx and 4xx terminal; refusals for now transient; 502 and 504 ambiguous. */
  public static final OutcomePolicy BUILT_IN =
      new OutcomePolicy(
          Map.of(
              401, Outcome.TRANSIENT,
              407, Outcome.TRANSIENT,
              408, Outcome.TRANSIENT,
              423, Outcome.TRANSIENT,
              425, Outcome.TRANSIENT,
              429, Outcome.TRANSIENT,
              502, Outcome.AMBIGUOUS,
              504, Outcome.AMBIGUOUS),
          Map.of(
              2, Outcome.TERMINAL,
              3, Outcome.TERMINAL,
              4, Outcome.TERMINAL,
              5, Outcome.TRANSIENT));

  public OutcomePolicy {
    exact = Map.copyOf(exact);
    byClass = Map.copyOf(byClass);
    BrokenInvariant.require(
        byClass.keySet().containsAll(java.util.Set.of(2, 3, 4, 5)),
        "every class of statuses has an outcome");
    BrokenInvariant.require(
        byClass.get(5) != Outcome.TERMINAL
            && exact.entrySet().stream()
                .noneMatch(e -> e.getKey() >= 500 && e.getValue() == Outcome.TERMINAL),
        "no 5xx is terminal");
  }

  /**
   * The meaning of a final status. A status outside 200 to 599 is no answer that HTTP knows, so
   * nothing can be said of the effect.
   */
  public Outcome of(int status) {
    Outcome exactly = exact.get(status);
    if (exactly != null) {
      return exactly;
    }
    return byClass.getOrDefault(status / 100, Outcome.AMBIGUOUS);
  }
}
