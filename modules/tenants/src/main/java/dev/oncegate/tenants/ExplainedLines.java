package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A route and its merged policy in the words of the file, each value with its place behind it. The
 * lines are YAML, so that they can be pasted back.
 */
final class ExplainedLines {
  /** What YAML reads as a text without quotes, and a person too. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z/][A-Za-z0-9/._+*-]*");

  /** A number or a word of YAML 1.1 or 1.2 that is no text, or not to every reader. */
  private static final Pattern SPECIAL =
      Pattern.compile("(?i)true|false|null|yes|no|on|off|y|n|\\.nan|\\.inf");

  private static final Pattern AMOUNT = Pattern.compile("[0-9]+[A-Za-z]+");

  private final List<Line> lines = new ArrayList<>();

  private ExplainedLines() {}

  /**
   * A line.
   *
   * @param from where its value was written; empty: nothing to say
   */
  private record Line(String text, String from) {}

  static List<String> of(ReadRoute route) {
    ExplainedLines lines = new ExplainedLines();
    lines.identity(route);
    if (route.isProtected()) {
      lines.policy(route.merged());
      lines.total(route.tenant());
    }
    List<String> all = lines.aligned();
    if (!route.isProtected()) {
      all.add("# streamed through untouched: no policy reaches a passthrough route");
      return all;
    }
    DerivedRetention derived = DerivedRetention.of(route);
    all.add("# " + derived.promise());
    derived.assumptions().forEach(assumption -> all.add("# " + assumption));
    if (route.isKeyed()) {
      EffectiveWay.of(route).lines().forEach(line -> all.add("# " + line));
    }
    return all;
  }

  private void identity(ReadRoute route) {
    YamlTree file = route.tenant().file();
    lines.add(new Line("# " + route.label(), ""));
    lines.add(new Line("id: " + route.id(), route.at("/id").toString()));
    lines.add(new Line("match:", ""));
    for (Map.Entry<String, JsonNode> entry : route.node().path("match").properties()) {
      String at = Pointers.child(route.pointer() + "/match", entry.getKey());
      lines.add(
          new Line(
              "  " + entry.getKey() + ": " + flow(entry.getValue()), file.value(at).toString()));
    }
    lines.add(
        new Line("mode: " + route.node().path("mode").asText(), route.at("/mode").toString()));
  }

  private void policy(Merged merged) {
    merged
        .values()
        .properties()
        .forEach(entry -> value(merged, "/" + entry.getKey(), entry.getValue(), ""));
  }

  private void value(Merged merged, String pointer, JsonNode value, String indent) {
    String key = indent + word(Pointers.name(pointer)) + ":";
    if (value.isObject() && !value.isEmpty()) {
      lines.add(new Line(key, ""));
      value
          .properties()
          .forEach(
              entry ->
                  value(
                      merged,
                      Pointers.child(pointer, entry.getKey()),
                      entry.getValue(),
                      indent + "  "));
      return;
    }
    Merged.Source source = merged.written(pointer);
    String from = source.level() == Merged.Level.BUILT_IN ? "built-in" : source.value().toString();
    lines.add(new Line(key + " " + flow(value), from));
  }

  /** No policy, but what the retention follows from. */
  private void total(ReadTenant tenant) {
    lines.add(
        new Line(
            "# upstream.timeouts.total: " + tenant.totalText(),
            tenant.totalPosition().map(Position::toString).orElse("built-in")));
  }

  private List<String> aligned() {
    int width =
        lines.stream()
            .filter(line -> !line.from.isEmpty())
            .mapToInt(line -> line.text.length())
            .filter(length -> length <= 60)
            .max()
            .orElse(0);
    List<String> all = new ArrayList<>();
    for (Line line : lines) {
      all.add(
          line.from.isEmpty()
              ? line.text
              : line.text
                  + " ".repeat(Math.max(0, width - line.text.length()))
                  + "  # "
                  + line.from);
    }
    return all;
  }

  private static String flow(JsonNode value) {
    if (value.isArray()) {
      List<String> items = new ArrayList<>();
      value.forEach(item -> items.add(flow(item)));
      return "[" + String.join(", ", items) + "]";
    }
    if (value.isObject()) {
      return "{}";
    }
    return value.isTextual() ? word(value.asText()) : value.asText();
  }

  private static String word(String text) {
    boolean bare =
        (PLAIN.matcher(text).matches() && !SPECIAL.matcher(text).matches())
            || AMOUNT.matcher(text).matches();
    return bare ? text : quoted(text);
  }

  /** In double quotes; what a terminal could act on is escaped as YAML and JSON do it. */
  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    text.chars()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                out.append('\\').append((char) c);
              } else if (c < 0x20 || c >= 0x7f) {
                out.append(String.format("\\u%04x", c));
              } else {
                out.append((char) c);
              }
            });
    return out.append('"').toString();
  }
}
