package dev.oncegate.tenants;

import dev.oncegate.core.BrokenInvariant;
import java.util.List;
import java.util.Locale;

/** Check 13: the business reference is in the fingerprint, or one key could stand for two. */
final class ReferenceChecks {
  private static final String PARTS = "/businessReference/parts";
  private static final String INCLUDE = "/fingerprint/body/include";
  private static final String EXCLUDE = "/fingerprint/body/exclude";
  private static final String QUERY = "/fingerprint/query";
  private static final String HEADERS = "/fingerprint/headers";

  private final ReadRoute route;
  private final Merged merged;
  private final Findings findings;

  private ReferenceChecks(ReadRoute route, Findings findings) {
    this.route = route;
    this.merged = route.merged();
    this.findings = findings;
  }

  static void check(ReadRoute route, Findings findings) {
    new ReferenceChecks(route, findings).check();
  }

  private void check() {
    List<String> parts = merged.texts(PARTS);
    for (int i = 0; i < parts.size(); i++) {
      String part = parts.get(i);
      Position at = merged.written(Pointers.child(PARTS, i)).value();
      if (part.startsWith("body:")) {
        body(part.substring("body:".length()), at);
      } else if (part.startsWith("query.")) {
        query(part.substring("query.".length()), at);
      } else if (part.startsWith("header.")) {
        header(part.substring("header.".length()), at);
      } else if (part.startsWith("path.")) {
        path(part.substring("path.".length()), at);
      } else {
        throw new BrokenInvariant("a reference part passed the schema");
      }
    }
  }

  private void body(String pointer, Position at) {
    if (merged.at("/fingerprint/body/raw").asBoolean(false)) {
      return;
    }
    List<String> include = merged.texts(INCLUDE);
    if (!include.isEmpty()
        && include.stream().noneMatch(p -> FingerprintChecks.isWithin(pointer, p))) {
      report(
          at,
          "body:" + pointer + " is not in fingerprint.body.include " + place(INCLUDE, at),
          "add " + Shown.text(pointer) + " there");
    }
    for (String left : merged.texts(EXCLUDE)) {
      // Of a part that holds an excluded one, only the rest would count.
      if (FingerprintChecks.isWithin(pointer, left) || FingerprintChecks.isWithin(left, pointer)) {
        report(
            at,
            "body:"
                + pointer
                + " does not count, fingerprint.body.exclude has "
                + left
                + " "
                + place(EXCLUDE, at),
            "take it out there, or use another part");
      }
    }
  }

  private void query(String name, Position at) {
    if (merged.at(QUERY).isArray()) {
      if (!merged.texts(QUERY).contains(name)) {
        report(
            at,
            "query." + name + " is not in fingerprint.query " + place(QUERY, at),
            "add " + Shown.text(name) + " there");
      }
    } else if (merged.text(QUERY).equals("none")) {
      report(
          at,
          "query." + name + " does not count, fingerprint.query is none " + place(QUERY, at),
          "write \"query: [" + Shown.text(name) + "]\" there, or all");
    }
  }

  private void header(String name, Position at) {
    boolean counts =
        FingerprintChecks.ALWAYS.contains(name.toLowerCase(Locale.ROOT))
            || merged.texts(HEADERS).stream().anyMatch(name::equalsIgnoreCase);
    if (!counts) {
      boolean builtIn = merged.level(HEADERS) == Merged.Level.BUILT_IN;
      report(
          at,
          "header." + name + " is not in fingerprint.headers " + place(HEADERS, at),
          builtIn
              ? "write \"headers: [" + Shown.text(name) + "]\" under fingerprint"
              : "add " + Shown.text(name) + " there");
    }
  }

  private void path(String name, Position at) {
    if (!TemplateShape.of(route.path()).segments().contains("{" + name + "}")) {
      report(
          at,
          "path."
              + name
              + " is no parameter of "
              + route.path()
              + " ("
              + route.pathPosition().seenFrom(at)
              + ")",
          "write {" + name + "} there, or use body:/" + name);
    }
  }

  private String place(String pointer, Position at) {
    return merged.written(pointer).place(at);
  }

  private void report(Position at, String what, String remedy) {
    findings.error(at, merged.where(PARTS), Shown.text(what, 240) + "; " + remedy);
  }
}
