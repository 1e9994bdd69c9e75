package dev.oncegate.tenants;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The checks that need the merged policy, other tenants or arithmetic, by topic. */
final class SemanticCheck {
  private SemanticCheck() {}

  /**
   * What the checks found, and the secrets that they resolved on the way.
   *
   * @param secrets by reference
   */
  record Judged(List<Finding> findings, Map<String, String> secrets) {}

  static Judged check(List<ReadTenant> tenants, TenantsLoader.Options options) {
    List<Finding> findings = new ArrayList<>();
    Map<String, String> secrets = new SecretCheck(options, findings).resolve(tenants);
    return new Judged(findings, secrets);
  }
}
