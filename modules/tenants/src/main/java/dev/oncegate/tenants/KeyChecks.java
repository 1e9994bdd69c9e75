package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Check 9: the header of the client's key means nothing else. */
final class KeyChecks {
  private static final Set<String> HOP_BY_HOP =
      Set.of(
          "connection",
          "keep-alive",
          "proxy-connection",
          "proxy-authenticate",
          "proxy-authorization",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private static final Set<String> CREDENTIALS = Set.of("authorization", "cookie");

  private static final Set<String> OF_HTTP =
      Set.of("host", "content-length", "content-type", "content-encoding", "expect", "date");

  private KeyChecks() {}

  static void check(ReadRoute route, Findings findings) {
    Merged merged = route.merged();
    Position at = merged.written("/key/header").value();
    taken(route, merged.text("/key/header"), at)
        .ifPresent(
            why ->
                findings.error(
                    at,
                    merged.where("/key/header"),
                    merged.text("/key/header")
                        + " "
                        + why
                        + "; use a header of its own, such as Idempotency-Key"));
  }

  private static Optional<String> taken(ReadRoute route, String header, Position at) {
    String lower = header.toLowerCase(Locale.ROOT);
    if (HOP_BY_HOP.contains(lower)) {
      return Optional.of("is for one hop only and goes no further");
    }
    if (CREDENTIALS.contains(lower)) {
      return Optional.of("already carries the caller's credential");
    }
    if (lower.equals("prefer")) {
      return Optional.of("already says how long the client waits");
    }
    if (OF_HTTP.contains(lower)) {
      return Optional.of("already has a meaning in HTTP");
    }
    return apiKey(route.tenant(), lower)
        .map(place -> "already carries the API key (" + place.seenFrom(at) + ")");
  }

  /** Where a header (in lower case) is named as that of API keys, if it is. */
  static Optional<Position> apiKey(ReadTenant tenant, String header) {
    for (String match : tenant.matches()) {
      JsonNode apiKey = tenant.file().at(tenant.pointer() + match + "/apiKey");
      String name = apiKey.path("header").asText(PolicyBuilder.API_KEY_HEADER);
      if (!apiKey.isMissingNode() && name.toLowerCase(Locale.ROOT).equals(header)) {
        String below = match + "/apiKey" + (apiKey.has("header") ? "/header" : "");
        return Optional.of(tenant.file().key(tenant.pointer() + below))
            .map(key -> apiKey.has("header") ? tenant.at(below) : key);
      }
    }
    return Optional.empty();
  }
}
