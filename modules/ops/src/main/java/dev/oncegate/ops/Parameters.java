package dev.oncegate.ops;

import io.vertx.core.MultiMap;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The query of a request, in which every name and value has to be meant. */
final class Parameters {
  private static final int LAST_YEAR = 9999;

  private final MultiMap query;

  private Parameters(MultiMap query) {
    this.query = query;
  }

  /** Refuses unknown names and those that stand twice. */
  static Parameters of(MultiMap query, Set<String> known) {
    for (String name : query.names()) {
      if (!known.contains(name)) {
        throw OpsProblem.malformed(
                "Unknown parameter '%s'; there are: %s."
                    .formatted(name, String.join(", ", known.stream().sorted().toList())))
            .refused();
      }
      if (query.getAll(name).size() > 1) {
        throw bad(name, "stands more than once");
      }
    }
    return new Parameters(query);
  }

  /** The text as it stands; an empty one counts as given. */
  Optional<String> text(String name) {
    return Optional.ofNullable(query.get(name));
  }

  /** A text of at least one character. */
  Optional<String> filled(String name) {
    Optional<String> text = text(name);
    if (text.isPresent() && text.get().isEmpty()) {
      throw bad(name, "is empty");
    }
    return text;
  }

  int number(String name, int least, int most, int otherwise) {
    Optional<String> text = text(name);
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(text.get());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below, as what is out of range is.
    }
    throw bad(name, "is no number from " + least + " to " + most);
  }

  Optional<Instant> time(String name) {
    return text(name).map(text -> time(name, text));
  }

  /** A point in time as RFC 3339 writes it. */
  static Instant time(String name, String text) {
    try {
      OffsetDateTime time = OffsetDateTime.parse(text);
      if (time.getYear() > 0 && time.getYear() <= LAST_YEAR) {
        return time.toInstant();
      }
    } catch (DateTimeException e) {
      // Told below, as a year out of range is.
    }
    throw bad(
        name,
        "is no RFC 3339 time such as 2026-01-31T08:00:00Z"
            + (text.indexOf(' ') >= 0 ? "; a plus in a query is written %2B" : ""));
  }

  static OpsProblem.Refused bad(String name, String why) {
    return OpsProblem.malformed("'" + name + "' " + why + ".").refused();
  }

  static <T> T oneOf(
      String name, String text, List<T> values, java.util.function.Function<T, String> label) {
    return values.stream()
        .filter(value -> label.apply(value).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                bad(name, "is none of " + String.join(", ", values.stream().map(label).toList())));
  }
}
