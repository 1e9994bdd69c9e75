package dev.oncegate.ops;

import dev.oncegate.core.HeaderField;
import dev.oncegate.core.HeaderPolicy;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The headers of an answer that a person gives: as an array of {@code {name, value}}, which keeps
 * order and multiplicity, or as an object. What the gateway would not have stored is dropped, so
 * that an answer can be pasted as it was seen.
 */
final class GivenHeaders {
  private static final int MOST = 200;
  private static final int LONGEST = 32 * 1024;
  private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}");
  private static final Pattern VALUE = Pattern.compile("[\\t\\x20-\\x7E\\x80-\\xFF]*");
  private static final Set<String> FIELD = Set.of("name", "value");

  /** Belong to one connection (RFC 9110 §7.6.1), or are said anew for each answer. */
  private static final Set<String> DROPPED =
      Set.of(
          "connection",
          "keep-alive",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "content-length");

  private GivenHeaders() {}

  static List<HeaderField> parse(Members response) {
    Optional<Object> given = response.value("headers");
    if (given.isEmpty()) {
      return List.of();
    }
    List<HeaderField> fields = new ArrayList<>();
    if (given.get() instanceof JsonArray list) {
      list.forEach(item -> fields.add(field(response, item)));
    } else if (given.get() instanceof JsonObject map) {
      for (Map.Entry<String, Object> entry : map) {
        fields.add(field(response, entry.getKey(), entry.getValue()));
      }
    } else {
      throw response.bad("headers", "is neither an array of {name, value} nor an object");
    }
    int length = fields.stream().mapToInt(f -> f.name().length() + f.value().length()).sum();
    if (fields.size() > MOST || length > LONGEST) {
      throw response.bad("headers", "is more than " + MOST + " lines or 32 KiB");
    }
    return stored(fields);
  }

  private static HeaderField field(Members response, Object item) {
    if (!(item instanceof JsonObject json)) {
      throw response.bad("headers", "has an entry that is no {name, value}");
    }
    Members field = Members.of("response.headers", json, FIELD);
    return field(
        response,
        field.text("name").orElseThrow(() -> field.bad("name", "is missing")),
        field.text("value").orElseThrow(() -> field.bad("value", "is missing")));
  }

  private static HeaderField field(Members response, String name, Object value) {
    if (!NAME.matcher(name).matches()) {
      throw response.bad("headers", "has a name that is no header name");
    }
    // A line break in a value would be a second header, or a second answer.
    if (!(value instanceof String text) || !VALUE.matcher(text).matches()) {
      throw response.bad("headers", "has a value of '" + name + "' that is no header value");
    }
    return new HeaderField(name, text.strip());
  }

  private static List<HeaderField> stored(List<HeaderField> fields) {
    List<HeaderField> endToEnd =
        fields.stream()
            .filter(field -> !DROPPED.contains(field.name().toLowerCase(Locale.ROOT)))
            .filter(field -> fields.stream().noneMatch(other -> names(other, field)))
            .toList();
    return HeaderPolicy.stored(endToEnd, List.of());
  }

  private static boolean names(HeaderField connection, HeaderField field) {
    if (connection.is("Connection")) {
      for (String token : connection.value().split(",", -1)) {
        if (field.is(token.strip())) {
          return true;
        }
      }
    }
    return false;
  }
}
