package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says what is wrong with a value, by the name of the rule that it breaks. */
final class SchemaValueMessages {
  private static final Pattern DEFINITION =
      Pattern.compile("/definitions/(\\w+)/(type|pattern|minLength|maxLength)");
  private static final Pattern ZERO = Pattern.compile("0+[A-Za-z]+");

  /** What a value of a named kind is called, and what would be right. */
  private static final Map<String, String> KINDS =
      Map.ofEntries(
          Map.entry("id", "is no id; write lower-case letters, digits and dashes, a letter first"),
          Map.entry("text", "is no text; write one, in quotes if need be"),
          Map.entry("pointer", "is no JSON Pointer; begin it with a slash, such as /amount"),
          Map.entry(
              "referencePart",
              "is no part of a reference; write body:/pointer, path.name, query.name or"
                  + " header.Name"),
          Map.entry("header", "is no header name; use letters, digits and dashes"),
          Map.entry("method", "is no method; write it in capitals, such as POST"),
          Map.entry("cidr", "is no network; write an address and a length, such as 10.0.0.0/8"),
          Map.entry(
              "template",
              "is no path template; write literal segments, {name} for one segment, /** at the end"
                  + " for any rest"),
          Map.entry("upstreamPath", "is no path; begin it with a slash"));

  /** The same for values whose rule has no name of its own. */
  private static final Map<String, String> PLACES =
      Map.of(
          "/definitions/tenantMatch/properties/host/pattern",
          "is no host; write it in lower case, without port",
          "/definitions/tenantMatch/properties/pathPrefix/pattern",
          "is no path prefix; write whole segments without a slash at the end, such as /t/acme",
          "/definitions/upstream/properties/baseUrl/pattern",
          "is no base URL; write http:// or https://, a host and perhaps a path, without user info,"
              + " query or fragment");

  private final JsonNode schema;

  SchemaValueMessages(JsonNode schema) {
    this.schema = schema;
  }

  String message(SchemaCheck.Fault fault, JsonNode value) {
    String rule = fault.rule();
    if (rule.startsWith("/definitions/secret/")) {
      // whatever stands there may be the secret itself
      return "a literal is refused; write ${env:NAME} or ${file:/absolute/path}";
    }
    if (value.isNull()) {
      return "nothing stands here; write a value, or remove the key";
    }
    if (rule.startsWith("/definitions/duration")) {
      return duration(value);
    }
    if (rule.startsWith("/definitions/size")) {
      return size(value);
    }
    if (rule.startsWith("/definitions/terminalStatus/")
        || rule.startsWith("/definitions/anyStatus/")) {
      return status(rule, value);
    }
    if (rule.startsWith("/definitions/fingerprint/properties/query/")) {
      return shown(value) + " chooses no parameters; write all, none or a list of names";
    }
    if (rule.startsWith("/definitions/verdictStatus/")) {
      return shown(value) + " says nothing about the effect; write a status from 200 to 499";
    }
    Matcher named = DEFINITION.matcher(rule);
    if (named.matches() && KINDS.containsKey(named.group(1)) && !value.isContainerNode()) {
      return shown(value) + " " + KINDS.get(named.group(1));
    }
    if (PLACES.containsKey(rule)) {
      return shown(value) + " " + PLACES.get(rule);
    }
    return byKeyword(fault, value);
  }

  private String byKeyword(SchemaCheck.Fault fault, JsonNode value) {
    JsonNode limit = schema.at(fault.rule());
    return switch (fault.keyword()) {
      case "type" -> shown(value) + " " + typeRemedy(limit.asText());
      case "enum" -> choice(fault, value, limit);
      case "const" -> constant(fault, value, limit);
      case "minimum" -> shown(value) + " is too small; write " + limit.asText() + " or more";
      case "exclusiveMinimum" -> shown(value) + " is too small; write more than " + limit.asText();
      case "maximum" -> shown(value) + " is too large; write " + limit.asText() + " or less";
      case "maxLength" ->
          shown(value) + " is too long; use " + limit.asText() + " characters or fewer";
      case "minItems" -> "the list is empty; write at least one entry";
      case "maxItems" ->
          "include, exclude and raw exclude each other; keep one of them, or empty the other list";
      case "not" ->
          shown(value) + " is not for a keyed route; give it a route with mode: passthrough";
      case "contains" -> "deleteGone needs DELETE among the methods; add it, or remove deleteGone";
      default -> shown(value) + " does not fit the format; see tenants.schema.json";
    };
  }

  private static String typeRemedy(String type) {
    return switch (type) {
      case "object" -> "is no map; write keys with values";
      case "array" -> "is no list; write it in [brackets] or with dashes";
      case "boolean" -> "is neither true nor false; write one of them";
      case "integer" -> "is no whole number; write one without quotes or fraction";
      case "number" -> "is no number; write one without quotes";
      default -> "is no text; put it in quotes";
    };
  }

  private static String choice(SchemaCheck.Fault fault, JsonNode value, JsonNode choices) {
    if (fault.rule().startsWith("/definitions/route/allOf/")) {
      return shown(value) + " is not idempotent by itself; natural is for PUT and DELETE only";
    }
    List<String> names = new ArrayList<>();
    choices.forEach(choice -> names.add(choice.asText()));
    String all =
        names.size() == 1
            ? names.get(0)
            : String.join(", ", names.subList(0, names.size() - 1))
                + " or "
                + names.get(names.size() - 1);
    return shown(value) + " is not possible here; write " + all;
  }

  private static String constant(SchemaCheck.Fault fault, JsonNode value, JsonNode constant) {
    if (fault.rule().equals("/properties/version/const")) {
      return "format version " + shown(value) + " is unknown; write version: " + constant.asText();
    }
    return shown(value) + " does not fit the rest of the file here; write " + constant.asText();
  }

  private static String duration(JsonNode value) {
    if (value.isTextual() && ZERO.matcher(value.asText()).matches()) {
      return shown(value) + " is no time at all; write more than zero, such as \"1s\"";
    }
    String example = value.isIntegralNumber() && value.asLong() > 0 ? value.asText() + "s" : "30s";
    return shown(value)
        + " is no duration; write a string with its unit, such as "
        + Shown.quoted(example);
  }

  private static String size(JsonNode value) {
    if (value.isTextual() && ZERO.matcher(value.asText()).matches()) {
      return shown(value) + " is no size at all; write more than zero, such as \"1B\"";
    }
    String example = value.isIntegralNumber() && value.asLong() > 0 ? value.asText() + "B" : "8KiB";
    return shown(value)
        + " is no size; write a string with its unit, such as "
        + Shown.quoted(example);
  }

  private static String status(String rule, JsonNode value) {
    boolean fiveHundreds =
        value.asText().equals("5xx")
            || value.isInt() && value.asInt() >= 500 && value.asInt() <= 599;
    if (rule.startsWith("/definitions/terminalStatus/") && fiveHundreds) {
      return Shown.value(value)
          + " cannot be terminal, no 5xx can; put it under transient or ambiguous";
    }
    return shown(value)
        + " is no status of an answer; write a code from 200 to 599 without quotes, or a class such"
        + " as 4xx";
  }

  /** Texts in quotes, so that "45" and 45 are told apart. */
  private static String shown(JsonNode value) {
    return value.isTextual() ? Shown.quoted(value.asText()) : Shown.value(value);
  }
}
