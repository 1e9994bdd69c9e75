package dev.oncegate.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A media type as far as it counts (contract §10): letter case of type, subtype and parameter names
 * does not, the order of parameters and the quotes around a value do not, {@code charset=utf-8}
 * does not; every other parameter does.
 *
 * @param essence type and subtype, in lower case
 * @param parameters without {@code charset=utf-8}, sorted by name; values unquoted, in lower case
 *     for {@code charset} only
 */
record MediaType(String essence, List<Parameter> parameters) {
  private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";

  /** One parameter. */
  record Parameter(String name, String value) {}

  /** Whether a body of this type is JSON (contract §10), whatever its charset. */
  boolean isJson() {
    return essence.equals("application/json") || essence.endsWith("+json");
  }

  /**
   * Whether a charset other than UTF-8 is declared. Such a body is not read as JSON even where its
   * bytes could be: in ISO 8859-1 the bytes of a UTF-8 é are two other characters.
   */
  boolean hasForeignCharset() {
    return parameters.stream()
        .anyMatch(p -> p.name().equals("charset") && !p.value().equals("us-ascii"));
  }

  /** Reads a Content-Type value (RFC 9110 §8.3.1); null where it does not follow the grammar. */
  static @Nullable MediaType parse(String value) {
    int semicolon = value.indexOf(';');
    String essence =
        Blanks.trimmed(semicolon < 0 ? value : value.substring(0, semicolon))
            .toLowerCase(Locale.ROOT);
    int slash = essence.indexOf('/');
    if (slash < 0
        || !isToken(essence.substring(0, slash))
        || !isToken(essence.substring(slash + 1))) {
      return null;
    }
    List<Parameter> parameters = parameters(semicolon < 0 ? "" : value.substring(semicolon));
    if (parameters == null) {
      return null;
    }
    parameters.removeIf(p -> p.name().equals("charset") && p.value().equals("utf-8"));
    // A stable sort: among equal names the order stays, and counts.
    parameters.sort(Comparator.comparing(Parameter::name));
    return new MediaType(essence, List.copyOf(parameters));
  }

  private static @Nullable List<Parameter> parameters(String text) {
    List<Parameter> parameters = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      int end = endOfParameter(text, at + 1);
      String parameter = Blanks.trimmed(text.substring(at + 1, end));
      at = end;
      if (parameter.isEmpty()) {
        continue; // RFC 9110 §5.6.6 allows stray semicolons.
      }
      int equals = parameter.indexOf('=');
      String name = equals < 0 ? "" : parameter.substring(0, equals).toLowerCase(Locale.ROOT);
      String value = equals < 0 ? null : unquoted(parameter.substring(equals + 1));
      if (value == null || !isToken(name)) {
        return null;
      }
      parameters.add(
          new Parameter(name, name.equals("charset") ? value.toLowerCase(Locale.ROOT) : value));
    }
    return parameters;
  }

  /** The next semicolon outside quotes, or the end. */
  private static int endOfParameter(String text, int from) {
    boolean quoted = false;
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted && c == '\\') {
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == ';' && !quoted) {
        return i;
      }
    }
    return text.length();
  }

  private static @Nullable String unquoted(String value) {
    if (!value.startsWith("\"")) {
      return isToken(value) ? value : null;
    }
    StringBuilder out = new StringBuilder();
    for (int i = 1; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"') {
        return i == value.length() - 1 ? out.toString() : null;
      }
      if (c == '\\') {
        i++;
        if (i == value.length()) {
          return null;
        }
        c = value.charAt(i);
      }
      out.append(c);
    }
    return null;
  }

  private static boolean isToken(String text) {
    return !text.isEmpty()
        && text.chars()
            .allMatch(
                c ->
                    (c >= 'a' && c <= 'z')
                        || (c >= 'A' && c <= 'Z')
                        || (c >= '0' && c <= '9')
                        || TOKEN_MARKS.indexOf(c) >= 0);
  }
}
