package dev.oncegate.tenants;

import java.util.List;

/** The checks that need the merged policy, other tenants or arithmetic, by topic. */
final class SemanticCheck {
  private SemanticCheck() {}

  /** What the checks found, and the secrets that they resolved on the way. */
  record Judged(List<Finding> findings, SecretCheck.Resolved secrets) {
    Judged {
      findings = List.copyOf(findings);
    }
  }

  /**
   * Runs every check.
   *
   * @param trees the files that the tenants stand in, the main one first
   */
  static Judged check(
      List<YamlTree> trees, List<ReadTenant> tenants, TenantsLoader.Options options) {
    Findings findings = new Findings();
    trees.forEach(tree -> RangeCheck.check(tree, findings));
    if (findings.refuse()) {
      // Nothing can be computed with numbers that do not fit.
      return new Judged(findings.all(), SecretCheck.Resolved.NONE);
    }
    NameChecks.check(tenants, findings);
    SecretCheck.Resolved secrets = new SecretCheck(options, findings).resolve(trees, tenants);
    new MatchChecks(secrets.texts(), findings).check(tenants);
    for (ReadTenant tenant : tenants) {
      RouteChecks.check(tenant, findings);
      NetworkChecks.check(tenant, findings);
      UpstreamChecks.check(tenant, options.listeners(), findings);
      QuotaChecks.check(trees.get(0), tenant, findings);
      tenant.protectedRoutes().forEach(route -> ofRoute(route, findings));
    }
    AmbiguityChecks.check(tenants, findings);
    KeysetChecks.check(tenants, findings);
    return new Judged(findings.all(), secrets);
  }

  private static void ofRoute(ReadRoute route, Findings findings) {
    KeyChecks.check(route, findings);
    FingerprintChecks.check(route, findings);
    ReferenceChecks.check(route, findings);
    UpstreamKeyChecks.check(route, findings);
    OutcomeChecks.check(route, findings);
    PlaceholderChecks.check(route, findings);
    ProbeRequestChecks.check(route, findings);
    ProbeChecks.check(route, findings);
    LeaseChecks.check(route, findings);
    QuarantineChecks.check(route, findings);
    RetentionChecks.check(route, findings);
    CaptureChecks.check(route, findings);
  }
}
