package dev.oncegate.tenants;

import java.time.Duration;

/** Checks 24 to 26: the retry budget, the promise that follows from it, and the tombstone. */
final class RetentionChecks {
  private static final String BUDGET = "/retention/retryBudget";
  private static final String FIRST = BUDGET + "/firstBackoff";
  private static final String MOST = BUDGET + "/maxBackoff";
  private static final String FIXED = "/retention/fixed";
  private static final String TOMBSTONE = "/retention/tombstone";
  private static final String AFTER = "/retention/afterExpiry";

  private static final Duration LONG_TOMBSTONE = Duration.ofDays(400);

  private final ReadRoute route;
  private final Merged merged;
  private final Findings findings;

  private RetentionChecks(ReadRoute route, Findings findings) {
    this.route = route;
    this.merged = route.merged();
    this.findings = findings;
  }

  static void check(ReadRoute route, Findings findings) {
    RetentionChecks checks = new RetentionChecks(route, findings);
    checks.backoffs();
    checks.assumed();
    checks.longEnough();
    checks.tombstone();
  }

  private void backoffs() {
    if (merged.duration(FIRST).compareTo(merged.duration(MOST)) <= 0) {
      return;
    }
    boolean blameMost = merged.isStronger(MOST, FIRST);
    String blamed = blameMost ? MOST : FIRST;
    String other = blameMost ? FIRST : MOST;
    Position at = merged.written(blamed).value();
    String comparison = blameMost ? " is shorter than " : " is longer than ";
    String remedy =
        blameMost ? " or more, or a smaller firstBackoff" : " or less, or a larger maxBackoff";
    findings.error(
        at,
        merged.where(blamed, BUDGET),
        Pointers.name(blamed)
            + " "
            + merged.text(blamed)
            + comparison
            + Pointers.name(other)
            + " "
            + merged.text(other)
            + " "
            + merged.written(other).place(at)
            + "; use "
            + merged.text(other)
            + remedy);
  }

  private void assumed() {
    for (String assumption :
        DerivedRetention.assumptions(merged, route.tenant().timeouts().total())) {
      findings.note(nearestRetention(), route.label() + " retention", assumption);
    }
  }

  /** The strongest level that says anything of retention, or else the route. */
  private Position nearestRetention() {
    return merged
        .source("/retention")
        .filter(source -> source.level() != Merged.Level.BUILT_IN)
        .map(Merged.Source::key)
        .orElse(route.tenant().file().key(route.pointer()));
  }

  private void longEnough() {
    Duration derived = derived();
    if (derived.toMillis() > Units.LONGEST_MILLIS) {
      findings.error(
          nearestRetention(),
          route.label() + " retention",
          "the retry budget needs more than 36500d; use a smaller budget or humanReplayWindow");
      return;
    }
    if (!merged.has(FIXED) || merged.duration(FIXED).compareTo(derived) >= 0) {
      return;
    }
    boolean builtIn = merged.level(BUDGET) == Merged.Level.BUILT_IN;
    findings.error(
        merged.written(FIXED).value(),
        merged.where(FIXED),
        merged.text(FIXED)
            + " is shorter than the "
            + Units.text(derived)
            + " that the "
            + (builtIn ? "built-in " : "")
            + "retry budget needs ("
            + DerivedRetention.sum(merged, route.tenant().totalText(), "")
            + "); use "
            + Units.written(derived)
            + " or more, or a smaller budget");
  }

  private Duration derived() {
    return ProtocolBuilder.derived(merged, route.tenant().timeouts().total());
  }

  private void tombstone() {
    if (!merged.has(TOMBSTONE)) {
      return;
    }
    Position at = merged.written(TOMBSTONE).value();
    // A route that forgets may well inherit a tombstone: it has taken it back.
    if (merged.text(AFTER).equals("forget") && merged.isStronger(TOMBSTONE, AFTER)) {
      findings.error(
          at,
          merged.where(TOMBSTONE),
          merged.text(TOMBSTONE)
              + " is never used, afterExpiry is forget in "
              + merged.written(AFTER).from(at)
              + "; add \"afterExpiry: refuse\" here, or drop the tombstone");
    } else if (merged.duration(TOMBSTONE).compareTo(LONG_TOMBSTONE) > 0) {
      findings.warning(
          at,
          merged.where(TOMBSTONE),
          merged.text(TOMBSTONE)
              + " is more than 400d, and every key used takes a row for as long; use 400d or less,"
              + " or rely on businessReference, which never expires");
    }
  }
}
