package dev.oncegate.tenants;

import java.time.Duration;

/** Check 23: nobody is told "not applied" while the exchange may still be open, or too late. */
final class QuarantineChecks {
  private static final String QUARANTINE = "/probe/quarantine";
  private static final String GIVE_UP = "/probe/giveUpAfter";

  private static final Duration GIVE_UP_AFTER = ReconciliationBuilder.GIVE_UP_AFTER;

  private final ReadRoute route;
  private final Merged merged;
  private final Findings findings;

  private QuarantineChecks(ReadRoute route, Findings findings) {
    this.route = route;
    this.merged = route.merged();
    this.findings = findings;
  }

  static void check(ReadRoute route, Findings findings) {
    if (route.merged().has("/probe")) {
      QuarantineChecks checks = new QuarantineChecks(route, findings);
      checks.coversTheExchange();
      checks.givesUpInTime();
    }
  }

  private Duration builtIn() {
    return ReconciliationBuilder.builtInQuarantine(merged, ExchangeTimes.of(route.tenant()));
  }

  private Duration quarantine() {
    return merged.has(QUARANTINE) ? merged.duration(QUARANTINE) : builtIn();
  }

  private String quarantineText() {
    return merged.has(QUARANTINE) ? merged.text(QUARANTINE) : Units.written(builtIn());
  }

  private void coversTheExchange() {
    ReadTenant tenant = route.tenant();
    Duration abandon = tenant.timeouts().abandon();
    if (quarantine().compareTo(abandon) >= 0) {
      return;
    }
    Position at = at(QUARANTINE);
    String written = "/upstream/timeouts/abandon";
    String place = tenant.has(written) ? tenant.at(written).seenFrom(at) : "built-in";
    String abandonText =
        tenant.has(written)
            ? tenant.file().at(tenant.pointer() + written).asText()
            : Units.written(abandon);
    findings.error(
        at,
        merged.where(merged.has(QUARANTINE) ? QUARANTINE : "/probe", QUARANTINE),
        (merged.has(QUARANTINE) ? "" : "the built-in ")
            + quarantineText()
            + " ends before upstream.timeouts.abandon "
            + abandonText
            + " ("
            + place
            + "), while the exchange may still be open; use "
            + abandonText
            + " or more"
            + (merged.has(QUARANTINE) && builtIn().compareTo(abandon) >= 0
                ? ", or leave it out for " + Units.written(builtIn())
                : ""));
  }

  private void givesUpInTime() {
    Duration giveUp = merged.has(GIVE_UP) ? merged.duration(GIVE_UP) : GIVE_UP_AFTER;
    String shown =
        merged.has(GIVE_UP) ? merged.text(GIVE_UP) : "the built-in " + Units.written(giveUp);
    Position at = at(GIVE_UP);
    String where = merged.where(merged.has(GIVE_UP) ? GIVE_UP : "/probe", GIVE_UP);
    int order = giveUp.compareTo(quarantine());
    if (order <= 0) {
      boolean enough = GIVE_UP_AFTER.compareTo(quarantine()) > 0;
      findings.error(
          at,
          where,
          shown
              + (order == 0 ? " ends with quarantine " : " ends before quarantine ")
              + quarantineText()
              + " "
              + merged.source(QUARANTINE).map(s -> s.place(at)).orElse("(built-in)")
              + ", so nothing could be released; use more than "
              + quarantineText()
              + ", such as "
              + Units.written(enough ? GIVE_UP_AFTER : quarantine().multipliedBy(2)));
    }
    Duration retention =
        ProtocolBuilder.retention(merged, route.tenant().timeouts().total()).retention();
    if (giveUp.compareTo(retention) > 0) {
      findings.error(
          at,
          where,
          shown
              + " is longer than the retention "
              + Units.text(retention)
              + ", and no client retries then any more; use "
              + Units.written(retention)
              + " or less");
    }
  }

  /** Where a value of the probe stands, or the probe where it is the built-in one. */
  private Position at(String pointer) {
    return merged.has(pointer) ? merged.written(pointer).value() : merged.written("/probe").key();
  }
}
