package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;

/** Check 14: a client's key is as wide upstream as it is here. */
final class UpstreamKeyChecks {
  private static final String VALUE = "/upstreamKey/value";

  private UpstreamKeyChecks() {}

  static void check(ReadRoute route, Findings findings) {
    Merged merged = route.merged();
    if (!merged.text(VALUE).equals("client") || hasOneKeySpace(route.tenant())) {
      return;
    }
    Position at = merged.written(VALUE).value();
    findings.warning(
        at,
        merged.where(VALUE),
        "client sends equal keys of two principals ("
            + principal(route.tenant()).seenFrom(at)
            + ") as one; use derived");
  }

  private static boolean hasOneKeySpace(ReadTenant tenant) {
    JsonNode principal = tenant.node().path("principal");
    return principal.asText().equals("shared") || principal.has("boundTo");
  }

  /** Where nothing is said, it is the holder of the API key. */
  private static Position principal(ReadTenant tenant) {
    return tenant.at(tenant.has("/principal") ? "/principal" : "/match/0/apiKey");
  }
}
