package dev.oncegate.tenants;

import java.time.Duration;

/** Check 22: the lease against its renewals and the upstream's time-out. */
final class LeaseChecks {
  private static final String TTL = "/lease/ttl";
  private static final String RENEW = "/lease/renewEvery";

  private LeaseChecks() {}

  static void check(ReadRoute route, Findings findings) {
    renewals(route.merged(), findings);
    outlives(route, findings);
  }

  private static void renewals(Merged merged, Findings findings) {
    Duration ttl = merged.duration(TTL);
    Duration renewEvery = merged.duration(RENEW);
    if (renewEvery.multipliedBy(3).compareTo(ttl) <= 0) {
      return;
    }
    String third = Units.written(Duration.ofMillis(Math.max(1, ttl.toMillis() / 3)));
    String triple = Units.written(renewEvery.multipliedBy(3));
    if (merged.isStronger(TTL, RENEW)) {
      Position at = merged.written(TTL).value();
      findings.error(
          at,
          merged.where(TTL),
          merged.text(TTL)
              + " is less than three times renewEvery "
              + merged.text(RENEW)
              + " "
              + merged.written(RENEW).place(at)
              + ", one slow renewal would lose the claim; use "
              + triple
              + " or more, or a renewEvery of "
              + third
              + " or less");
      return;
    }
    Position at = merged.written(RENEW).value();
    findings.error(
        at,
        merged.where(RENEW),
        merged.text(RENEW)
            + " is more than a third of ttl "
            + merged.text(TTL)
            + " "
            + merged.written(TTL).place(at)
            + ", one slow renewal would lose the claim; use "
            + third
            + " or less, or a ttl of "
            + triple
            + " or more");
  }

  private static void outlives(ReadRoute route, Findings findings) {
    Merged merged = route.merged();
    ReadTenant tenant = route.tenant();
    Duration total = tenant.timeouts().total();
    if (merged.duration(TTL).compareTo(total) > 0) {
      return;
    }
    String example = Units.written(total.plus(total.dividedBy(2)));
    if (merged.level(TTL) == Merged.Level.BUILT_IN) {
      // Then total is not the built-in one, which is shorter than the built-in lease.
      tenant
          .totalPosition()
          .ifPresent(
              at ->
                  findings.warning(
                      at,
                      tenant.id() + " upstream.timeouts.total",
                      tenant.totalText()
                          + " is not shorter than the built-in lease.ttl "
                          + merged.text(TTL)
                          + "; the claim then lives by its renewals alone; a lease.ttl of more than"
                          + " "
                          + tenant.totalText()
                          + ", such as "
                          + example
                          + ", survives a missed one"));
      return;
    }
    Position at = merged.written(TTL).value();
    String place = tenant.totalPosition().map(p -> p.seenFrom(at)).orElse("built-in");
    findings.warning(
        at,
        merged.where(TTL),
        merged.text(TTL)
            + " is not longer than upstream.timeouts.total "
            + tenant.totalText()
            + " of "
            + tenant.id()
            + " ("
            + place
            + "); the claim then lives by its renewals alone; more than "
            + tenant.totalText()
            + ", such as "
            + example
            + ", survives a missed one");
  }
}
