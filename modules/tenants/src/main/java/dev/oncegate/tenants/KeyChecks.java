package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Check 9: the headers of the keys, the client's and the upstream's, mean nothing else. */
final class KeyChecks {
  static final Set<String> HOP_BY_HOP =
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

  private static final String KEY = "/key/header";
  private static final String UPSTREAM = "/upstreamKey/header";
  private static final String TOKEN = "/upstreamKey/tokenHeader";

  private KeyChecks() {}

  static void check(ReadRoute route, Findings findings) {
    Merged merged = route.merged();
    if (!free(route, KEY, "Idempotency-Key", findings) || !merged.has("/upstreamKey")) {
      return;
    }
    free(route, UPSTREAM, "Idempotency-Key", findings);
    if (merged.has(TOKEN) && free(route, TOKEN, "X-Fencing-Token", findings)) {
      for (String other : List.of(KEY, UPSTREAM)) {
        if (merged.text(TOKEN).equalsIgnoreCase(merged.text(other))) {
          Position at = merged.written(TOKEN).value();
          findings.error(
              at,
              merged.where(TOKEN),
              Shown.text(merged.text(TOKEN))
                  + " already carries the key "
                  + merged.written(other).place(at)
                  + "; use a header of its own, such as X-Fencing-Token");
          return;
        }
      }
    }
  }

  private static boolean free(ReadRoute route, String header, String example, Findings findings) {
    Merged merged = route.merged();
    Position at = merged.written(header).value();
    Optional<String> taken = taken(route, merged.text(header), at);
    taken.ifPresent(
        why ->
            findings.error(
                at,
                merged.where(header),
                Shown.text(merged.text(header))
                    + " "
                    + why
                    + "; use a header of its own, such as "
                    + example));
    return taken.isEmpty();
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
    ReadTenant tenant = route.tenant();
    return apiKey(tenant, lower)
        .map(place -> "already carries the API key (" + place.seenFrom(at) + ")")
        .or(
            () ->
                credential(tenant, lower)
                    .map(
                        place ->
                            "already carries the caller's credential (" + place.seenFrom(at) + ")"))
        .or(
            () ->
                named(tenant, "/principal/header", lower)
                    .map(place -> "already names the principal (" + place.seenFrom(at) + ")"))
        .or(
            () ->
                tenant.matches().stream()
                    .flatMap(match -> named(tenant, match + "/header/name", lower).stream())
                    .findFirst()
                    .map(place -> "already names the tenant (" + place.seenFrom(at) + ")"));
  }

  /** Where a header (in lower case) is named as that of a credential of the principal, if it is. */
  static Optional<Position> credential(ReadTenant tenant, String header) {
    return named(tenant, "/principal/boundTo", header)
        .or(() -> named(tenant, "/principal/jwt/header", header));
  }

  private static Optional<Position> named(ReadTenant tenant, String below, String header) {
    return tenant.has(below)
            && tenant
                .file()
                .at(tenant.pointer() + below)
                .asText()
                .toLowerCase(Locale.ROOT)
                .equals(header)
        ? Optional.of(tenant.at(below))
        : Optional.empty();
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
