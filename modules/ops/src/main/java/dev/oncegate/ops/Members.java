package dev.oncegate.ops;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A JSON object in which every member has to be known and of its kind; null counts as absent. */
final class Members {
  private final String name;
  private final JsonObject json;

  private Members(String name, JsonObject json) {
    this.name = name;
    this.json = json;
  }

  /** The body of a request. */
  static Members ofBody(@Nullable Buffer body, Set<String> known) {
    JsonObject json;
    try {
      json = new JsonObject(body == null ? Buffer.buffer() : body);
    } catch (DecodeException | ClassCastException e) {
      // Its message repeats parts of the body, which may be somebody's answer.
      throw OpsProblem.malformed("The body is no JSON object.").refused();
    }
    return new Members("", json).knowing(known);
  }

  /**
   * Any object.
   *
   * @param name where it stands
   */
  static Members of(String name, JsonObject json, Set<String> known) {
    return new Members(name + ".", json).knowing(known);
  }

  private Members knowing(Set<String> known) {
    for (String member : json.fieldNames()) {
      if (!known.contains(member)) {
        throw OpsProblem.malformed(
                "Unknown member '%s%s'; there are: %s."
                    .formatted(name, member, String.join(", ", known.stream().sorted().toList())))
            .refused();
      }
    }
    return this;
  }

  OpsProblem.Refused bad(String member, String why) {
    return Parameters.bad(name + member, why);
  }

  Optional<String> text(String member) {
    return find(member, String.class, "a text");
  }

  boolean truth(String member) {
    return find(member, Boolean.class, "true or false").orElse(false);
  }

  int number(String member, int least, int most) {
    return numberIfGiven(member, least, most).orElseThrow(() -> bad(member, "is missing"));
  }

  Optional<Integer> numberIfGiven(String member, int least, int most) {
    String kind = "a number from " + least + " to " + most;
    Optional<Integer> number = find(member, Integer.class, kind);
    if (number.isPresent() && (number.get() < least || number.get() > most)) {
      throw bad(member, "is not " + kind);
    }
    return number;
  }

  Optional<JsonObject> object(String member) {
    return find(member, JsonObject.class, "an object");
  }

  /** Of any kind. */
  Optional<Object> value(String member) {
    return Optional.ofNullable(json.getValue(member));
  }

  String oneOf(String member, List<String> values) {
    String text = text(member).orElseThrow(() -> bad(member, "is missing"));
    return Parameters.oneOf(name + member, text, values, value -> value);
  }

  private <T> Optional<T> find(String member, Class<T> type, String kind) {
    Object value = json.getValue(member);
    if (value == null) {
      return Optional.empty();
    }
    if (!type.isInstance(value)) {
      throw bad(member, "is not " + kind);
    }
    return Optional.of(type.cast(value));
  }
}
