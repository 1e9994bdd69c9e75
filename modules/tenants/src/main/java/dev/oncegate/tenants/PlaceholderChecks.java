package dev.oncegate.tenants;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Checks 18 and 19: a probe is built from what is known, and asks about one operation. */
final class PlaceholderChecks {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{[^{}]*\\}");
  private static final String REFERENCE = "{businessReference}";
  private static final String KEY = "{upstreamKey}";
  private static final String PROBE_PATH = "/probe/request/path";
  private static final String PROBE_HEADERS = "/probe/request/headers";
  private static final String REAUTHORIZE_PATH = "/reauthorize/request/path";

  private PlaceholderChecks() {}

  static void check(ReadRoute route, Findings findings) {
    Merged merged = route.merged();
    List<String> known = new ArrayList<>();
    TemplateShape.of(route.path()).segments().stream()
        .filter(TemplateShape::isParameter)
        .forEach(known::add);
    if (merged.at("/businessReference/required").asBoolean(false)) {
      known.add(REFERENCE);
    }
    areKnown(merged, REAUTHORIZE_PATH, known, findings);
    if (merged.has("/upstreamKey")) {
      known.add(KEY);
    }
    List<String> places = new ArrayList<>(List.of(PROBE_PATH));
    merged
        .at(PROBE_HEADERS)
        .fieldNames()
        .forEachRemaining(name -> places.add(Pointers.child(PROBE_HEADERS, name)));
    boolean sound = true;
    for (String place : places) {
      sound &= areKnown(merged, place, known, findings);
    }
    if (sound && merged.has(PROBE_PATH)) {
      asksAboutOne(route, places, findings);
    }
  }

  /** References to secrets have braces too, and are no placeholders. */
  private static List<String> placeholders(Merged merged, String pointer) {
    String text = merged.text(pointer);
    return SecretResolver.isReference(text)
        ? List.of()
        : PLACEHOLDER.matcher(text).results().map(MatchResult::group).toList();
  }

  private static boolean areKnown(
      Merged merged, String pointer, List<String> known, Findings findings) {
    List<String> unknown =
        placeholders(merged, pointer).stream().filter(p -> !known.contains(p)).distinct().toList();
    for (String placeholder : unknown) {
      findings.error(
          merged.written(pointer).value(),
          merged.where(pointer),
          Shown.text(placeholder)
              + " is unknown; known here: "
              + (known.isEmpty() ? "none" : String.join(", ", known)));
    }
    return unknown.isEmpty();
  }

  private static void asksAboutOne(ReadRoute route, List<String> places, Findings findings) {
    Merged merged = route.merged();
    boolean posts = false;
    for (var method : route.node().path("match").path("methods")) {
      posts |= method.asText().equals("POST");
    }
    boolean one =
        places.stream()
            .flatMap(place -> placeholders(merged, place).stream())
            .anyMatch(p -> p.equals(REFERENCE) || p.equals(KEY));
    if (posts && !one) {
      findings.error(
          merged.written(PROBE_PATH).value(),
          merged.where(PROBE_PATH),
          Shown.text(merged.text(PROBE_PATH))
              + " is the same question for every key; add "
              + REFERENCE
              + " or "
              + KEY);
    }
  }
}
