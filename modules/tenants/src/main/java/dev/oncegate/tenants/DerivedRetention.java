package dev.oncegate.tenants;

import dev.oncegate.core.Retention;
import dev.oncegate.core.RetryBudget;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How long a route's answers are promised, for a person to read (contract §5).
 *
 * @param route {@code tenant/route}
 * @param retention from completion to the retry deadline
 * @param arithmetic how the retry budget leads to it, or to the least that a fixed one may be
 * @param isFixed whether the file gives the retention itself
 * @param tombstone how long a late retry is refused after that; empty where it is not
 * @param assumptions what no level says, and which retries are therefore not covered
 */
public record DerivedRetention(
    String route,
    String retention,
    String arithmetic,
    boolean isFixed,
    String tombstone,
    List<String> assumptions) {
  private static final String BUDGET = "/retention/retryBudget";
  private static final String WINDOW = "/retention/humanReplayWindow";

  public DerivedRetention {
    assumptions = List.copyOf(assumptions);
  }

  static DerivedRetention of(ReadRoute route) {
    Merged merged = route.merged();
    Duration total = route.tenant().timeouts().total();
    Retention kept = ProtocolBuilder.retention(merged, total);
    // What conditional and natural routes remember leaves no tombstone.
    boolean leavesOne = route.isKeyed() && !kept.tombstone().isZero();
    return new DerivedRetention(
        route.label(),
        Units.text(kept.retention()),
        sum(merged, route.tenant().totalText(), "waits ")
            + " = "
            + Units.text(ProtocolBuilder.derived(merged, total)),
        merged.has("/retention/fixed"),
        leavesOne ? tombstone(merged, kept) : "",
        assumptions(merged, total));
  }

  /** As it was written, since nobody counts days in hours. */
  private static String tombstone(Merged merged, Retention kept) {
    String written = "/retention/tombstone";
    return merged.has(written) ? merged.text(written) : Units.text(kept.tombstone());
  }

  /** {@code 1.25 x (600ms + 3 x 8s + 0s)}, with a word before the sum of the waits. */
  static String sum(Merged merged, String total, String word) {
    RetryBudget budget = ProtocolBuilder.budget(merged);
    return number(merged.at("/retention/safetyFactor").asDouble())
        + " x ("
        + word
        + Units.text(budget.longestWaits())
        + " + "
        + budget.attempts()
        + " x "
        + total
        + " + "
        + merged.text(WINDOW)
        + ")";
  }

  /** What is built in because nothing was said, and what that does not cover (check 24). */
  static List<String> assumptions(Merged merged, Duration total) {
    List<String> assumptions = new ArrayList<>();
    String hence = ", hence " + Units.text(ProtocolBuilder.derived(merged, total));
    if (merged.level(BUDGET) == Merged.Level.BUILT_IN) {
      assumptions.add(
          "no retryBudget on any level; assumed: "
              + budgetText(ProtocolBuilder.budget(merged))
              + hence
              + ". A client that tries more often or a queue that delivers again later is not"
              + " covered; give retryBudget");
    }
    if (merged.level(WINDOW) == Merged.Level.BUILT_IN) {
      assumptions.add(
          "no humanReplayWindow on any level; assumed: "
              + merged.text(WINDOW)
              + hence
              + ". A person who sends the request again later is not covered; give"
              + " humanReplayWindow");
    }
    return assumptions;
  }

  private static String budgetText(RetryBudget budget) {
    return budget.attempts()
        + " attempts, "
        + Units.written(budget.firstBackoff())
        + (budget.multiplier() == 2 ? " doubling" : " times " + number(budget.multiplier()))
        + " to "
        + Units.written(budget.maxBackoff())
        + ", jitter "
        + number(budget.jitter());
  }

  private static String number(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  /** All but the route and the assumptions. */
  String promise() {
    return "retention "
        + retention
        + (isFixed ? " (fixed; the retry budget needs " : " (")
        + arithmetic
        + "), "
        + (tombstone.isEmpty() ? "no tombstone" : "tombstone " + tombstone);
  }

  /** One line for {@code validate}. */
  @Override
  public String toString() {
    return route + ": " + promise();
  }
}
