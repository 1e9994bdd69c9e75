package dev.oncegate.tenants;

/** Says why a key that the format knows may not stand where it was written. */
final class SchemaForbidden {
  private SchemaForbidden() {}

  static String message(String rule, String pointer) {
    String key = Pointers.name(pointer);
    if (rule.startsWith("/definitions/route/allOf/0/")) {
      return "a passthrough route has no key protocol; remove " + key + ", or use another mode";
    }
    if (rule.startsWith("/definitions/route/allOf/")) {
      return key
          + " is for mode "
          + switch (key) {
            case "conditional" -> "conditional";
            case "deleteGone" -> "natural";
            default -> "idempotency-key";
          }
          + "; remove it, or use that mode";
    }
    if (rule.startsWith("/definitions/routePark/")) {
      return "this is a limit of the tenant; move it to the tenant's defaults";
    }
    if (rule.startsWith("/definitions/retention/")) {
      return "a forgotten key leaves no tombstone; remove it, or use afterExpiry: refuse";
    }
    if (rule.startsWith("/definitions/upstream/")) {
      return "baseUrl is plain http; remove tls, or use https";
    }
    if (rule.startsWith("/definitions/upstreamKey/")) {
      return "the client's own key is derived from nothing; remove secret, or use value: derived";
    }
    if (rule.contains("/probe/")) {
      return "an answer to HEAD has no body; remove " + key + ", or use method: GET";
    }
    return key + " may not stand here; remove it";
  }
}
