package dev.oncegate.tenants;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Beside checks 18 and 19: what a probe is built from can be sent as it is meant. A question that
 * is not the one that was meant could be answered with "not applied".
 */
final class ProbeRequestChecks {
  private static final String PATH = "/probe/request/path";
  private static final String HEADERS = "/probe/request/headers";

  /** Names that mean the record's own values in a probe, whatever the route's template says. */
  private static final Set<String> OWN = Set.of("{upstreamKey}", "{businessReference}");

  /** Written by the gateway itself, for each request anew. */
  private static final Set<String> REBUILT = Set.of("host", "content-length", "expect");

  private ProbeRequestChecks() {}

  static void check(ReadRoute route, Findings findings) {
    Merged merged = route.merged();
    if (!merged.has("/probe")) {
      return;
    }
    TemplateShape.of(route.path()).segments().stream()
        .filter(OWN::contains)
        .forEach(
            parameter ->
                findings.error(
                    route.pathPosition(),
                    route.label() + " match.path",
                    parameter + " means something else in the probe; rename the parameter"));
    if (!isVisible(merged.text(PATH))) {
      findings.error(
          merged.written(PATH).value(),
          merged.where(PATH),
          "a path has visible ASCII characters only; percent-encode the others");
    }
    merged
        .at(HEADERS)
        .properties()
        .forEach(
            header ->
                header(
                    merged,
                    Map.entry(header.getKey(), header.getValue().asText()),
                    Pointers.child(HEADERS, header.getKey()),
                    findings));
  }

  private static void header(
      Merged merged, Map.Entry<String, String> header, String pointer, Findings findings) {
    String name = header.getKey().toLowerCase(Locale.ROOT);
    if (KeyChecks.HOP_BY_HOP.contains(name) || REBUILT.contains(name)) {
      findings.error(
          merged.written(pointer).key(),
          merged.where(pointer),
          "is written by Oncegate itself; leave it out");
    } else if (!SecretResolver.isReference(header.getValue())
        && !isVisible(header.getValue().replace(' ', '_'))) {
      findings.error(
          merged.written(pointer).value(),
          merged.where(pointer),
          "a header has visible ASCII characters only; leave the others out");
    }
  }

  private static boolean isVisible(String text) {
    return text.chars().allMatch(c -> c > 0x20 && c < 0x7f);
  }
}
