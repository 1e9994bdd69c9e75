package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One route as it stands in a file, with its merged policy.
 *
 * @param pointer the route in its file
 */
record ReadRoute(ReadTenant tenant, String pointer, Merged merged) {
  JsonNode node() {
    return tenant.file().at(pointer);
  }

  String id() {
    return node().path("id").asText();
  }

  /** {@code tenant/route}. */
  String label() {
    return merged.label();
  }

  String path() {
    return node().path("match").path("path").asText();
  }

  Position pathPosition() {
    return at("/match/path");
  }

  boolean isKeyed() {
    return node().path("mode").asText().equals("idempotency-key");
  }

  /** Whether the route has a policy: a passthrough one has none. */
  boolean isProtected() {
    return !node().path("mode").asText().equals("passthrough");
  }

  /** Where a value of the route starts. */
  Position at(String below) {
    return tenant.file().value(pointer + below);
  }
}
