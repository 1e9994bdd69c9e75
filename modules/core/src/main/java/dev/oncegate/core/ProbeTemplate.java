package dev.oncegate.core;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Fills in the placeholders of a probe's path and headers (contract §6). Values come from clients:
 * each is put where it can only be the value that it is, or the question cannot be asked.
 */
public final class ProbeTemplate {
  /** The key that the upstream saw, as it was sent. */
  public static final String UPSTREAM_KEY = "upstreamKey";

  /** The business reference, as it was claimed. */
  public static final String BUSINESS_REFERENCE = "businessReference";

  /** What comes as it is; any other value is a path parameter, percent-encoded by the client. */
  private static final Set<String> RAW = Set.of(UPSTREAM_KEY, BUSINESS_REFERENCE);

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}]*)\\}");

  /** RFC 3986 §3.3: what one segment of a path may hold. */
  private static final Pattern SEGMENT =
      Pattern.compile("(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+");

  private static final Pattern VISIBLE = Pattern.compile("[\\x21-\\x7E]+");
  private static final Pattern HEADER =
      Pattern.compile("[\\x21-\\x7E](?:[\\x20-\\x7E]*[\\x21-\\x7E])?");

  private ProbeTemplate() {}

  /**
   * A path and query. A path parameter stays as the client encoded it; within the query the
   * characters that divide one are encoded as well. The record's own values are percent-encoded.
   *
   * @param template below the upstream's base path
   * @param values by the names of placeholders; names that the template does not have do no harm
   * @return empty where a placeholder has no value, or one that cannot stand in a path
   */
  public static Optional<String> target(String template, Map<String, String> values) {
    int query = template.indexOf('?');
    String path = query < 0 ? template : template.substring(0, query);
    String rest = query < 0 ? "" : template.substring(query);
    return expand(path, values, ProbeTemplate::inPath)
        .filter(expanded -> !hasDotSegment(expanded))
        .flatMap(expanded -> expand(rest, values, ProbeTemplate::inQuery).map(expanded::concat))
        .filter(target -> VISIBLE.matcher(target).matches());
  }

  /**
   * A header's value, with values as they are.
   *
   * @return empty where a placeholder has no value, or the whole is not one line of visible ASCII
   */
  public static Optional<String> header(String template, Map<String, String> values) {
    return expand(template, values, (name, value) -> Optional.of(value))
        .filter(value -> HEADER.matcher(value).matches());
  }

  /** Puts a value in its place; empty where it must not stand there. */
  @FunctionalInterface
  private interface Placing {
    Optional<String> place(String name, String value);
  }

  private static Optional<String> expand(
      String template, Map<String, String> values, Placing placing) {
    StringBuilder out = new StringBuilder();
    int from = 0;
    for (MatchResult found : PLACEHOLDER.matcher(template).results().toList()) {
      String name = found.group(1);
      Optional<String> placed =
          Optional.ofNullable(values.get(name))
              .filter(value -> !value.isEmpty())
              .flatMap(value -> placing.place(name, value));
      if (placed.isEmpty()) {
        return Optional.empty();
      }
      out.append(template, from, found.start()).append(placed.get());
      from = found.end();
    }
    return Optional.of(out.append(template, from, template.length()).toString());
  }

  private static Optional<String> inPath(String name, String value) {
    if (RAW.contains(name)) {
      return JsonText.isWellFormed(value) ? Optional.of(encoded(value, "")) : Optional.empty();
    }
    return Optional.of(value).filter(v -> SEGMENT.matcher(v).matches());
  }

  /** A segment may hold {@code &}, {@code =} and {@code +}, which mean something else there. */
  private static Optional<String> inQuery(String name, String value) {
    return inPath(name, value).map(placed -> encoded(placed, "%"));
  }

  /**
   * Percent-encodes all but the unreserved characters (RFC 3986 §2.3).
   *
   * @param besides further characters that stay
   */
  private static String encoded(String value, String besides) {
    StringBuilder out = new StringBuilder();
    for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      if (PathTemplate.isUnreserved(c) || besides.indexOf(c) >= 0) {
        out.append(c);
      } else {
        out.append(String.format(Locale.ROOT, "%%%02X", (int) c));
      }
    }
    return out.toString();
  }

  /** What a server would take away, and another path would be left. */
  private static boolean hasDotSegment(String path) {
    return Stream.of(PathTemplate.normalise(path).split("/", -1))
        .anyMatch(segment -> segment.equals(".") || segment.equals(".."));
  }
}
