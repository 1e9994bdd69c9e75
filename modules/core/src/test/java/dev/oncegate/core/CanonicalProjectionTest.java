package dev.oncegate.core;

import static dev.oncegate.core.Requests.json;
import static dev.oncegate.core.Requests.method;
import static dev.oncegate.core.Requests.path;
import static dev.oncegate.core.Requests.policy;
import static dev.oncegate.core.Requests.project;
import static dev.oncegate.core.Requests.query;
import static dev.oncegate.core.Requests.route;
import static dev.oncegate.core.Requests.typed;
import static dev.oncegate.core.Requests.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.CanonicalProjection.Projected;
import dev.oncegate.core.FingerprintPolicy.QuerySelection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalProjectionTest {
  private static final FingerprintInput A = json("{\"a\":1}");

  @Test
  void c41_methodRoutePathParametersAndQuery_count() {
    Projected first = project(query(A, "to=a"));
    assertThat(project(query(A, "to=a"))).isEqualTo(first);
    assertThat(project(query(A, "to=b"))).isNotEqualTo(first);
    assertThat(project(A)).isNotEqualTo(first);
    assertThat(project(method(query(A, "to=a"), "PUT"))).isNotEqualTo(first);
    assertThat(project(route(query(A, "to=a"), "other"))).isNotEqualTo(first);
    assertThat(project(path(query(A, "to=a"), Map.of("id", "8")))).isNotEqualTo(first);
    assertThat(project(path(query(A, "to=a"), Map.of("di", "7")))).isNotEqualTo(first);
  }

  @Test
  void pathParameters_compareAfterNormalisation() {
    assertThat(project(path(A, Map.of("id", "%41%2f"))))
        .isEqualTo(project(path(A, Map.of("id", "A%2F"))))
        .isNotEqualTo(project(path(A, Map.of("id", "a%2F"))));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {
        "a=1&b=2, b=2&a=1, true",
        "a=1&a=2, a=2&a=1, false",
        "a=1&b=3&a=2, b=3&a=1&a=2, true",
        "a=, a, false",
        "a, a, true",
        "%61=%7e, a=~, true",
        "a=%2f, a=%2F, true",
        "a=%2F, a=/, false",
        "a=+, a=%20, false",
        "A=1, a=1, false",
        "a=b=c, a=b%3Dc, false",
        "none, '', false",
        "'', &, false",
        "a=1, a=1&, false",
        "a=1&b, a=1%26b, false",
        "a=%, a=%, true",
        "a=%%34%31, a=A, false",
        "a==, a=, false"
      })
  void c41_queries_compareAfterNormalisationOnly(String one, String other, boolean same) {
    assertThat(project(query(A, one)).equals(project(query(A, other)))).isEqualTo(same);
  }

  @Test
  void querySelection_choosesNames() {
    FingerprintPolicy none = policy(new QuerySelection.None());
    assertThat(of(none, query(A, "a=1"))).isEqualTo(of(none, A));
    FingerprintPolicy some = policy(new QuerySelection.Names(List.of("expand", "filter[x]")));
    assertThat(of(some, query(A, "t=1&expand=a"))).isEqualTo(of(some, query(A, "expand=a&t=2")));
    assertThat(of(some, query(A, "expand=a"))).isNotEqualTo(of(some, query(A, "expand=b")));
    assertThat(of(some, query(A, "expand"))).isNotEqualTo(of(some, A));
    assertThat(of(some, query(A, "filter%5Bx%5D=1"))).isNotEqualTo(of(some, A));
    assertThat(of(some, query(A, "%=1"))).isEqualTo(of(some, A));
  }

  @ParameterizedTest
  @CsvSource({
    "application/json, APPLICATION/Json, true",
    "application/json, application/json; charset=utf-8, true",
    "application/json, application/json;CharSet=\"UTF-8\", true",
    "application/json, application/json ;; , true",
    "application/json, application/problem+json, false",
    "application/json, text/plain, false",
    "application/json, application/json; v=1, false",
    "application/json; v=1, application/json; V=\"1\", true",
    "application/json; v=1, application/json; v=2, false",
    "application/json; v=a, application/json; v=A, false",
    "application/json; v=1; w=2, application/json;w=2;charset=utf-8;v=1, true",
    "application/json; v=1; v=2, application/json; v=2; v=1, false",
    "text/plain; charset=ISO-8859-1, text/plain; charset=iso-8859-1, true",
    "text/plain; charset=utf-8, text/plain; charset=utf-16, false",
    "'a/b; c=\"d;e\"', 'a/b; c=\"d\"; e=f', false",
    "'a/b; c=\"d\\\"e\"', 'a/b; c=\"d\\\"\\e\"', true",
    "'a/b; c=\"', 'a/b; c', false"
  })
  void c41_mediaTypes_compareWithoutCaseAndUtf8(String one, String other, boolean same) {
    assertThat(project(typed(one, "{}")).equals(project(typed(other, "{}")))).isEqualTo(same);
  }

  @ParameterizedTest
  @CsvSource({
    "application",
    "/json",
    "application/",
    "application json/x",
    "application/json; =x",
    "'application/json, text/plain'",
    "application/json; charset",
    "'application/json; v=\"x'",
    "'application/json; v=\"x\"y'",
    "'application/json; v=\"x\\'",
    "application/json; v = 1"
  })
  void mediaTypesOutsideTheGrammar_areNotJson_andCountAsTheyStand(String type) {
    Projected projected = project(typed(type, "{\"a\":1}"));
    assertThat(projected.fallback()).contains(FallbackReason.NOT_JSON);
    assertThat(project(typed(type + "x", "{\"a\":1}"))).isNotEqualTo(projected);
  }

  @Test
  void contentTypeLines_missingOrDoubled_areNotJson() {
    FingerprintInput none = new FingerprintInput("POST", "r", Map.of(), null, List.of(), A.body());
    FingerprintInput twice =
        with(none, "Content-Type: application/json", "content-type: application/json");
    assertThat(project(none).fallback()).contains(FallbackReason.NOT_JSON);
    assertThat(project(twice).fallback()).contains(FallbackReason.NOT_JSON);
    assertThat(project(none)).isNotEqualTo(project(twice));
  }

  @ParameterizedTest
  @CsvSource({"If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range"})
  void preconditions_alwaysCount(String name) {
    Projected one = project(with(A, name + ": \"x\""));
    assertThat(project(with(A, name.toUpperCase(java.util.Locale.ROOT) + ":  \"x\" ")))
        .isEqualTo(one);
    assertThat(project(A)).isNotEqualTo(one);
    assertThat(project(with(A, name + ": \"y\""))).isNotEqualTo(one);
    assertThat(project(with(A, name + ": \"x\"", name + ": \"x\""))).isNotEqualTo(one);
  }

  @Test
  void chosenHeaders_countWithAllValuesInOrder_othersDoNot() {
    FingerprintPolicy version = policy(new QuerySelection.All(), "Acme-Version");
    Projected one = of(version, with(A, "acme-version: 1", "ACME-Version: 2"));
    assertThat(of(version, with(A, "Acme-Version: 1", "X: y", "acme-version: 2"))).isEqualTo(one);
    assertThat(of(version, with(A, "Acme-Version: 2", "Acme-Version: 1"))).isNotEqualTo(one);
    assertThat(of(version, with(A, "Acme-Version: 1, 2"))).isNotEqualTo(one);
    assertThat(of(version, with(A, "Acme-Version: "))).isNotEqualTo(of(version, A));
    assertThat(of(version, with(A, "Idempotency-Key: k", "Date: d"))).isEqualTo(of(version, A));
  }

  @Test
  void projection_isReadable() {
    FingerprintInput request =
        with(query(json("{ \"b\":1.50, \"a\":[] }"), "to=a"), "If-Match: \"v\"");
    assertThat(new String(project(request).bytes().array(), StandardCharsets.UTF_8))
        .isEqualTo(
            """
            version 1 1
            method 4 POST
            route 8 transfer
            path-name 2 id
            path-value 1 7
            query-name 2 to
            query-value 1 a
            media-type 16 application/json
            header 8 if-match
            header-value 3 "v"
            json 18 {"a":[],"b":15e-1}
            """);
  }

  private static final String[] TRICKY = {
    "", "a", "b", "a\n", "1 a", "\nquery-name 1 a", "query-value", "header 1 a\n", "=", " "
  };

  /** What a request is made of, in a form whose equality nobody can doubt. */
  private record Parts(
      String method,
      String route,
      Map<String, String> path,
      List<String> query,
      List<String> x,
      List<String> ifMatch,
      String body) {
    static Parts random(Random random) {
      Map<String, String> path = new HashMap<>();
      list(random).forEach(name -> path.put(name, pick(random)));
      return new Parts(
          pick(random), pick(random), path, list(random), list(random), list(random), pick(random));
    }

    /** One part drawn anew; sometimes as it was. */
    Parts redrawn(Random random) {
      Parts r = random(random);
      return switch (random.nextInt(7)) {
        case 0 -> new Parts(r.method, route, path, query, x, ifMatch, body);
        case 1 -> new Parts(method, r.route, path, query, x, ifMatch, body);
        case 2 -> new Parts(method, route, r.path, query, x, ifMatch, body);
        case 3 -> new Parts(method, route, path, r.query, x, ifMatch, body);
        case 4 -> new Parts(method, route, path, query, r.x, ifMatch, body);
        case 5 -> new Parts(method, route, path, query, r.x, x, body);
        default -> new Parts(route, method, path, query, ifMatch, x, r.body);
      };
    }

    FingerprintInput request() {
      List<HeaderField> headers = new ArrayList<>();
      // A mark in front keeps the blanks that a header line would lose at its ends.
      x.forEach(value -> headers.add(new HeaderField("X", "|" + value + "|")));
      ifMatch.forEach(value -> headers.add(new HeaderField("If-Match", "|" + value + "|")));
      headers.add(new HeaderField("Content-Type", "text/plain"));
      String rawQuery = query.isEmpty() ? null : String.join("&", query);
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      return new FingerprintInput(method, route, path, rawQuery, headers, Bytes.wrap(bytes));
    }

    /** Queries of different names may change places: sorted, these one-name lists are equal. */
    Parts comparable() {
      List<String> sorted = new ArrayList<>(query);
      sorted.sort(
          java.util.Comparator.comparing(
              p -> p.contains("=") ? p.substring(0, p.indexOf('=')) : p));
      return new Parts(method, route, path, sorted, x, ifMatch, body);
    }

    private static List<String> list(Random random) {
      List<String> list = new ArrayList<>();
      while (random.nextInt(5) < 2) {
        list.add(pick(random));
      }
      return list;
    }

    private static String pick(Random random) {
      return TRICKY[random.nextInt(TRICKY.length)];
    }
  }

  @Property(tries = 5000)
  void nothingShiftsFromOnePartIntoAnother(@ForAll long seed) {
    Random random = new Random(seed);
    FingerprintPolicy x = policy(new QuerySelection.All(), "X");
    Parts one = Parts.random(random);
    Parts other = one.redrawn(random);
    assertThat(of(x, one.request()).equals(of(x, other.request())))
        .as("%s and %s", one, other)
        .isEqualTo(one.comparable().equals(other.comparable()));
  }

  private static Projected of(FingerprintPolicy policy, FingerprintInput input) {
    return CanonicalProjection.of(policy, input);
  }
}
