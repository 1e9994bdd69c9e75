package dev.oncegate.core;

import dev.oncegate.core.FingerprintPolicy.QuerySelection;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The query as far as it counts: names and values after RFC 3986 §6.2.2 and decoded no further, the
 * order of different names forgotten, the order among equal names kept. {@code ?a=} and {@code ?a}
 * differ (contract §10).
 *
 * <p>What stands between two ampersands is a parameter, even if it is empty. So under {@code all}
 * {@code /x} and {@code /x?} differ, as they do in RFC 3986: to one server they may be one thing,
 * to another not, and a false mismatch harms less than a false replay.
 */
final class QueryProjection {
  private QueryProjection() {}

  /**
   * @param value null where the parameter has no equals sign
   */
  private record Parameter(String name, @Nullable String value) {}

  /**
   * Writes the parameters that count.
   *
   * @param rawQuery what follows the question mark; null without one
   */
  static void write(ProjectionWriter out, QuerySelection selection, @Nullable String rawQuery) {
    for (Parameter parameter : sorted(selection, rawQuery)) {
      out.part("query-name", parameter.name());
      if (parameter.value() != null) {
        out.part("query-value", parameter.value());
      }
    }
  }

  private static List<Parameter> sorted(QuerySelection selection, @Nullable String rawQuery) {
    List<Parameter> parameters = new ArrayList<>();
    if (rawQuery == null || selection instanceof QuerySelection.None) {
      return parameters;
    }
    Set<String> wanted =
        selection instanceof QuerySelection.Names names ? new HashSet<>(names.names()) : null;
    for (String text : rawQuery.split("&", -1)) {
      int equals = text.indexOf('=');
      String name = PathTemplate.normalise(equals < 0 ? text : text.substring(0, equals));
      if (wanted == null || isWanted(name, wanted)) {
        String value = equals < 0 ? null : PathTemplate.normalise(text.substring(equals + 1));
        parameters.add(new Parameter(name, value));
      }
    }
    // A stable sort keeps the order among equal names.
    parameters.sort(Comparator.comparing(Parameter::name));
    return parameters;
  }

  /**
   * A name is chosen as it stands or as a server may read it, {@code filter%5Bx%5D} by {@code
   * filter[x]}: else a client could vary a parameter that counts unseen.
   */
  private static boolean isWanted(String name, Set<String> wanted) {
    if (wanted.contains(name)) {
      return true;
    }
    try {
      return wanted.contains(URLDecoder.decode(name, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException malformed) {
      return false;
    }
  }
}
