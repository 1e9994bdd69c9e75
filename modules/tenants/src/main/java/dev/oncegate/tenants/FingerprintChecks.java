package dev.oncegate.tenants;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Checks 10 to 12: one selection of the body, and a fingerprint that survives a retry. */
final class FingerprintChecks {
  private static final String BODY = "/fingerprint/body";
  private static final String INCLUDE = BODY + "/include";
  private static final String EXCLUDE = BODY + "/exclude";
  private static final String RAW = BODY + "/raw";
  private static final String HEADERS = "/fingerprint/headers";
  private static final String CASE = "/fingerprint/case";

  private static final Set<String> CREDENTIALS =
      Set.of("authorization", "proxy-authorization", "cookie");
  private static final Set<String> CHANGING =
      Set.of("date", "traceparent", "tracestate", "x-request-id");

  /** What counts without being named. */
  static final Set<String> ALWAYS =
      Set.of("content-type", "if-match", "if-none-match", "if-unmodified-since");

  private FingerprintChecks() {}

  static void check(ReadRoute route, Findings findings) {
    Merged merged = route.merged();
    boolean include = !merged.at(INCLUDE).isEmpty();
    boolean exclude = !merged.at(EXCLUDE).isEmpty();
    boolean raw = merged.at(RAW).asBoolean(false);
    if (include && exclude) {
      exclusive(merged, INCLUDE, EXCLUDE, findings);
    }
    if (raw && include) {
      exclusive(merged, RAW, INCLUDE, findings);
    }
    if (raw && exclude) {
      exclusive(merged, RAW, EXCLUDE, findings);
    }
    headers(route, findings);
    if (!(include && exclude)) {
      letterCase(merged, raw, findings);
    }
  }

  private static void exclusive(Merged merged, String one, String other, Findings findings) {
    String blamed = merged.isStronger(other, one) ? other : one;
    String met = blamed.equals(one) ? other : one;
    Position at = merged.written(blamed).key();
    String value = met.equals(RAW) ? " true" : " " + list(merged.texts(met));
    findings.error(
        at,
        merged.where(blamed, BODY),
        Pointers.name(blamed)
            + " meets "
            + Pointers.name(met)
            + value
            + " of "
            + merged.written(met).from(at)
            + "; add \""
            + Pointers.name(met)
            + (met.equals(RAW) ? ": false" : ": []")
            + "\" here to take it back");
  }

  private static String list(List<String> items) {
    return "[" + Shown.text(String.join(", ", items)) + "]";
  }

  private static void headers(ReadRoute route, Findings findings) {
    Merged merged = route.merged();
    List<String> names = merged.texts(HEADERS);
    for (int i = 0; i < names.size(); i++) {
      String lower = names.get(i).toLowerCase(Locale.ROOT);
      Position at = merged.written(Pointers.child(HEADERS, i)).value();
      boolean credential =
          CREDENTIALS.contains(lower)
              || KeyChecks.apiKey(route.tenant(), lower).isPresent()
              || KeyChecks.credential(route.tenant(), lower).isPresent();
      if (ALWAYS.contains(lower)) {
        findings.warning(at, merged.where(HEADERS), names.get(i) + " counts anyway; leave it out");
      } else if (lower.equals(merged.text("/key/header").toLowerCase(Locale.ROOT))) {
        findings.error(
            at,
            merged.where(HEADERS),
            names.get(i) + " carries the key, which is compared already; leave it out");
      } else if (credential || CHANGING.contains(lower)) {
        findings.error(
            at,
            merged.where(HEADERS),
            names.get(i)
                + " changes while a client retries, and each change would be 422; leave it out"
                + (credential ? ", the principal already separates callers" : ""));
      }
    }
  }

  private static void letterCase(Merged merged, boolean raw, Findings findings) {
    merged.at(CASE).fieldNames().forEachRemaining(name -> onePart(merged, name, raw, findings));
  }

  private static void onePart(Merged merged, String name, boolean raw, Findings findings) {
    String pointer = Pointers.child(CASE, name);
    Position at = merged.written(pointer).key();
    String where = merged.where(pointer, CASE);
    if (raw) {
      findings.error(
          at,
          where,
          Shown.text(name)
              + " has no effect, raw is true "
              + merged.written(RAW).place(at)
              + "; remove one of them");
      return;
    }
    List<String> include = merged.texts(INCLUDE);
    if (!include.isEmpty() && include.stream().noneMatch(part -> isWithin(name, part))) {
      findings.error(
          at,
          where,
          Shown.text(name)
              + " is not in include "
              + merged.written(INCLUDE).place(at)
              + "; "
              + Spelling.nearest(name, include)
                  .map(near -> "did you mean " + Shown.text(near) + "?")
                  .orElse("add it there"));
    }
    if (merged.texts(EXCLUDE).stream().anyMatch(part -> isWithin(name, part))) {
      findings.error(
          at,
          where,
          Shown.text(name)
              + " is in exclude "
              + merged.written(EXCLUDE).place(at)
              + " and does not count; remove one of them");
    }
  }

  /** Whether a pointer is a part or lies inside it. */
  static boolean isWithin(String pointer, String part) {
    return pointer.equals(part) || pointer.startsWith(part + "/");
  }
}
