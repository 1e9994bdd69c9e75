package dev.oncegate.tenants;

import dev.oncegate.core.PathTemplate;
import java.util.List;
import java.util.stream.Stream;

/**
 * A path template as a set of paths. Names of parameters do not tell templates apart.
 *
 * @param segments normalised literals, and parameters with their braces
 * @param anyRest whether any further segments fit
 */
record TemplateShape(List<String> segments, boolean anyRest) {
  static TemplateShape of(String template) {
    boolean anyRest = template.endsWith("/**");
    String fixed = anyRest ? template.substring(0, template.length() - 3) : template;
    List<String> segments =
        fixed.isEmpty()
            ? List.of()
            : Stream.of(fixed.substring(1).split("/", -1)).map(PathTemplate::normalise).toList();
    return new TemplateShape(segments, anyRest);
  }

  /** Whether every path that fits the other template fits this one. */
  boolean covers(TemplateShape other) {
    if (other.anyRest && !anyRest || other.segments.size() < segments.size()) {
      return false;
    }
    if (!anyRest && other.segments.size() > segments.size()) {
      return false;
    }
    for (int i = 0; i < segments.size(); i++) {
      String mine = segments.get(i);
      String theirs = other.segments.get(i);
      boolean fits = isParameter(mine) ? !theirs.isEmpty() : mine.equals(theirs);
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  static boolean isParameter(String segment) {
    return segment.startsWith("{");
  }
}
