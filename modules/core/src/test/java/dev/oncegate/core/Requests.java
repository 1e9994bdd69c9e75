package dev.oncegate.core;

import com.fasterxml.jackson.core.JsonPointer;
import dev.oncegate.core.CanonicalProjection.Projected;
import dev.oncegate.core.FingerprintPolicy.BodySelection;
import dev.oncegate.core.FingerprintPolicy.LetterCase;
import dev.oncegate.core.FingerprintPolicy.Numbers;
import dev.oncegate.core.FingerprintPolicy.QuerySelection;
import dev.oncegate.core.FingerprintPolicy.Strings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Requests and policies for tests of the fingerprint. */
final class Requests {
  private Requests() {}

  static FingerprintInput json(String body) {
    return json(body.getBytes(StandardCharsets.UTF_8));
  }

  static FingerprintInput json(byte[] body) {
    return typed("application/json", body);
  }

  static FingerprintInput typed(String mediaType, String body) {
    return typed(mediaType, body.getBytes(StandardCharsets.UTF_8));
  }

  static FingerprintInput typed(String mediaType, byte[] body) {
    return new FingerprintInput(
        "POST",
        "transfer",
        Map.of("id", "7"),
        null,
        List.of(new HeaderField("Content-Type", mediaType)),
        Bytes.wrap(body));
  }

  static FingerprintInput method(FingerprintInput in, String method) {
    return new FingerprintInput(
        method, in.route(), in.pathParameters(), in.rawQuery(), in.headers(), in.body());
  }

  static FingerprintInput route(FingerprintInput in, String route) {
    return new FingerprintInput(
        in.method(), route, in.pathParameters(), in.rawQuery(), in.headers(), in.body());
  }

  static FingerprintInput path(FingerprintInput in, Map<String, String> parameters) {
    return new FingerprintInput(
        in.method(), in.route(), parameters, in.rawQuery(), in.headers(), in.body());
  }

  static FingerprintInput query(FingerprintInput in, String query) {
    return new FingerprintInput(
        in.method(), in.route(), in.pathParameters(), query, in.headers(), in.body());
  }

  /** Adds header lines, each given as {@code Name: value}. */
  static FingerprintInput with(FingerprintInput in, String... lines) {
    List<HeaderField> headers = new ArrayList<>(in.headers());
    for (String line : lines) {
      int colon = line.indexOf(':');
      headers.add(new HeaderField(line.substring(0, colon), line.substring(colon + 2)));
    }
    return new FingerprintInput(
        in.method(), in.route(), in.pathParameters(), in.rawQuery(), headers, in.body());
  }

  static FingerprintPolicy policy(BodySelection body) {
    return policy(body, Numbers.EXACT, Strings.AS_IS, Map.of());
  }

  static FingerprintPolicy policy(
      BodySelection body, Numbers numbers, Strings strings, Map<JsonPointer, LetterCase> cases) {
    return new FingerprintPolicy(
        body, new QuerySelection.All(), List.of(), numbers, strings, cases);
  }

  static FingerprintPolicy policy(QuerySelection query, String... headers) {
    return new FingerprintPolicy(
        new BodySelection.Whole(), query, List.of(headers), Numbers.EXACT, Strings.AS_IS, Map.of());
  }

  static BodySelection include(String... pointers) {
    return new BodySelection.Include(pointers(pointers));
  }

  static BodySelection exclude(String... pointers) {
    return new BodySelection.Exclude(pointers(pointers));
  }

  private static List<JsonPointer> pointers(String... pointers) {
    return Stream.of(pointers).map(JsonPointer::compile).toList();
  }

  static Projected project(FingerprintInput input) {
    return CanonicalProjection.of(FingerprintPolicy.BUILT_IN, input);
  }

  static Projected project(FingerprintPolicy policy, String jsonBody) {
    return CanonicalProjection.of(policy, json(jsonBody));
  }

  static Projected project(String jsonBody) {
    return project(json(jsonBody));
  }
}
