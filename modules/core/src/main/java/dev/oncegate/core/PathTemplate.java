package dev.oncegate.core;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A route's path: literal segments, {@code {name}} for one non-empty segment, {@code /**} at the
 * end for any rest. Compared with paths normalised by {@link #normalise}; no segment is decoded.
 */
public final class PathTemplate {
  /** Name of the rest of the path among a match's parameters; no parameter can have it. */
  public static final String REST = "/**";

  private final String text;
  private final List<String> segments;
  private final boolean anyRest;

  private PathTemplate(String text, List<String> segments, boolean anyRest) {
    this.text = text;
    this.segments = segments;
    this.anyRest = anyRest;
  }

  /** Parses a template whose shape the schema has checked. */
  public static PathTemplate parse(String text) {
    BrokenInvariant.require(text.startsWith("/"), "a path template starts with a slash");
    boolean anyRest = text.endsWith("/**");
    String fixed = anyRest ? text.substring(0, text.length() - 3) : text;
    List<String> segments = new ArrayList<>();
    for (String segment : split(fixed)) {
      segments.add(isParameter(segment) ? segment : normalise(segment));
    }
    return new PathTemplate(text, List.copyOf(segments), anyRest);
  }

  /**
   * The parameters' values as they stand in the path, or empty where the path does not fit. What
   * {@code /**} stands for is among them as {@link #REST}, since it tells requests apart like any
   * parameter.
   */
  public Optional<Map<String, String>> match(String normalisedPath) {
    if (!normalisedPath.isEmpty() && !normalisedPath.startsWith("/")) {
      return Optional.empty(); // OPTIONS *
    }
    List<String> path = split(normalisedPath);
    if (path.size() < segments.size() || (path.size() > segments.size() && !anyRest)) {
      return Optional.empty();
    }
    Map<String, String> parameters = new LinkedHashMap<>();
    for (int i = 0; i < segments.size(); i++) {
      String wanted = segments.get(i);
      String found = path.get(i);
      if (isParameter(wanted)) {
        if (found.isEmpty()) {
          return Optional.empty();
        }
        parameters.put(wanted.substring(1, wanted.length() - 1), found);
      } else if (!wanted.equals(found)) {
        return Optional.empty();
      }
    }
    if (anyRest) {
      List<String> rest = path.subList(segments.size(), path.size());
      parameters.put(REST, rest.isEmpty() ? "" : "/" + String.join("/", rest));
    }
    return Optional.of(parameters);
  }

  /** Names of the parameters, in order. */
  public List<String> parameterNames() {
    return segments.stream()
        .filter(PathTemplate::isParameter)
        .map(s -> s.substring(1, s.length() - 1))
        .toList();
  }

  /**
   * RFC 3986 §6.2.2 as far as it is safe: hex digits of percent-encodings in upper case, and
   * percent-encoded unreserved characters decoded. Nothing else is touched, and what is normal
   * stays: a hex digit right behind a stray percent sign is not decoded, or {@code %%34%31} would
   * become {@code %41}, which is an A.
   */
  public static String normalise(String path) {
    if (path.indexOf('%') < 0) {
      return path;
    }
    StringBuilder out = new StringBuilder(path.length());
    int stray = -3;
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      int high = c == '%' && i + 2 < path.length() ? hexDigit(path.charAt(i + 1)) : -1;
      int low = high < 0 ? -1 : hexDigit(path.charAt(i + 2));
      if (low < 0) {
        stray = c == '%' ? out.length() : stray;
        out.append(c);
        continue;
      }
      char decoded = (char) (high * 16 + low);
      boolean completesStray = out.length() - stray <= 2 && hexDigit(decoded) >= 0;
      if (isUnreserved(decoded) && !completesStray) {
        out.append(decoded);
      } else {
        out.append('%')
            .append(Character.toUpperCase(path.charAt(i + 1)))
            .append(Character.toUpperCase(path.charAt(i + 2)));
      }
      i += 2;
    }
    return out.toString();
  }

  /** ASCII only: Character.digit takes the digits of every script. */
  private static int hexDigit(char c) {
    return c < 0x80 ? Character.digit(c, 16) : -1;
  }

  /** RFC 3986 §2.3. */
  static boolean isUnreserved(char c) {
    return (c >= 'A' && c <= 'Z')
        || (c >= 'a' && c <= 'z')
        || (c >= '0' && c <= '9')
        || "-._~".indexOf(c) >= 0;
  }

  private static boolean isParameter(String segment) {
    return segment.startsWith("{") && segment.endsWith("}");
  }

  private static List<String> split(String path) {
    return path.isEmpty() ? List.of() : List.of(path.substring(1).split("/", -1));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PathTemplate that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** The template as it was written. */
  @Override
  public String toString() {
    return text;
  }
}
