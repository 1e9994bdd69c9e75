package dev.oncegate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.core.JsonPointer;
import dev.oncegate.core.Reconciliation.Probe;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Only a declared verdict counts; whatever is in doubt stays unknown (reliability, row 56). */
class ProbeVerdictsTest {
  /** The list of the example: one item is applied, none is not. */
  private static final Probe LIST = probe("GET", Set.of(200), "/data/0", "/data/0", "/data");

  /** By status only. */
  private static final Probe STATUS = probe("GET", Set.of(404), null, null, null);

  static Probe probe(
      String method, Set<Integer> notApplied, String pointer, String part, String array) {
    return new Probe(
        method,
        "/",
        List.of(),
        new Reconciliation.Applied(Set.of(200), pointer(pointer), 201, pointer(part)),
        new Reconciliation.NotApplied(notApplied, pointer(array)),
        Duration.ofSeconds(5),
        Duration.ofMinutes(15),
        false);
  }

  private static Optional<JsonPointer> pointer(String text) {
    return Optional.ofNullable(text).map(JsonPointer::compile);
  }

  private static Bytes utf8(String text) {
    return Bytes.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static ProbeVerdicts.Result applied(String body) {
    return new ProbeVerdicts.Applied(utf8(body));
  }

  private static ProbeVerdicts.Result notApplied() {
    return new ProbeVerdicts.NotApplied();
  }

  private static ProbeVerdicts.Result undecided(String reason) {
    return new ProbeVerdicts.Undecided(reason);
  }

  @ParameterizedTest(name = "{1} {2}")
  @MethodSource({"lists", "statuses", "parts", "hostile"})
  void answer_isJudgedByDeclaredVerdictsOnly(
      Probe probe, int status, String body, ProbeVerdicts.Result expected) {
    assertThat(ProbeVerdicts.of(probe, status, utf8(body), true)).isEqualTo(expected);
  }

  static Stream<Arguments> lists() {
    ProbeVerdicts.Result neither = undecided("neither verdict");
    return Stream.of(
        arguments(LIST, 200, "{\"data\":[{\"id\":1}]}", applied("{\"id\":1}")),
        arguments(LIST, 200, "{\"data\":[]}", notApplied()),
        arguments(LIST, 200, "{\"data\": [ ] }", notApplied()),
        arguments(LIST, 200, "{\"data\":[null]}", neither),
        arguments(LIST, 200, "{\"data\":null}", neither),
        arguments(LIST, 200, "{\"data\":{}}", neither),
        arguments(LIST, 200, "{\"data\":\"\"}", neither),
        arguments(LIST, 200, "{}", neither),
        arguments(LIST, 200, "[]", neither),
        arguments(LIST, 200, "null", neither),
        arguments(LIST, 200, "{\"data\":{\"0\":false}}", applied("false")),
        arguments(LIST, 404, "{\"data\":[]}", undecided("status 404 is no verdict")),
        arguments(LIST, 500, "{\"data\":[]}", undecided("status 500 is no verdict")));
  }

  static Stream<Arguments> statuses() {
    Probe both = probe("GET", Set.of(200), "/id", null, "/errors");
    return Stream.of(
        arguments(STATUS, 200, "", applied("")),
        arguments(STATUS, 200, "any\nthing", applied("any\nthing")),
        arguments(STATUS, 404, "", notApplied()),
        arguments(STATUS, 302, "", undecided("status 302 is no verdict")),
        arguments(STATUS, 410, "", undecided("status 410 is no verdict")),
        arguments(both, 200, "{\"id\":1,\"errors\":[]}", undecided("both verdicts at once")),
        arguments(both, 200, "{\"id\":1,\"errors\":[2]}", applied("{\"id\":1,\"errors\":[2]}")),
        arguments(both, 200, "{\"errors\":[]}", notApplied()),
        // The array of a verdict that its status rules out is not looked for.
        arguments(probe("GET", Set.of(404), null, null, "/a"), 200, "no json", applied("no json")),
        arguments(
            probe("GET", Set.of(404), "/a", null, null), 404, "no json at all", notApplied()));
  }

  static Stream<Arguments> parts() {
    Probe part = probe("GET", Set.of(404), null, "/a/1", null);
    ProbeVerdicts.Result missing = undecided("the part to replay is missing");
    return Stream.of(
        arguments(part, 200, "{\"a\":[0, { \"b\" : [ ] } , 2]}", applied("{ \"b\" : [ ] }")),
        arguments(
            part, 200, "\uFEFF{\"é\":\"😀\",\"a\":[0,\"ü😀\\u0041\"]}", applied("\"ü😀\\u0041\"")),
        arguments(part, 200, "{\"a\":[0,1.50e2 ]}", applied("1.50e2")),
        arguments(part, 200, "{\"a\":[0,-7]}", applied("-7")),
        arguments(part, 200, "{\"a\":[0,null]}", applied("null")),
        arguments(part, 200, "{\"a\":[0,\"\"]}", applied("\"\"")),
        arguments(part, 200, "{\"a\":{\"1\":[1,\n2]}}", applied("[1,\n2]")),
        arguments(part, 200, "{\"a\":[0]}", missing),
        arguments(part, 200, "{\"a\":1}", missing),
        arguments(part, 200, "{\"b\":{\"a\":[0,1]}}", missing),
        arguments(probe("GET", Set.of(404), "/a", "/b", null), 200, "{\"a\":1}", missing),
        arguments(
            probe("GET", Set.of(404), "/a", "/b", null),
            200,
            "{\"b\":1}",
            undecided("neither verdict")),
        arguments(probe("GET", Set.of(404), null, "/a/01", null), 200, "{\"a\":[0,1]}", missing),
        arguments(probe("GET", Set.of(404), null, "/a/-", null), 200, "{\"a\":[0,1]}", missing),
        arguments(
            probe("GET", Set.of(404), null, "/a/99999999999", null), 200, "{\"a\":[0]}", missing),
        arguments(
            probe("GET", Set.of(404), null, "/m~1n/", null),
            200,
            "{\"m/n\":{\"\":3}}",
            applied("3")));
  }

  static Stream<Arguments> hostile() {
    ProbeVerdicts.Result unreadable = undecided("no readable JSON");
    return Stream.of(
        arguments(LIST, 200, "", unreadable),
        arguments(LIST, 200, "<html>", unreadable),
        arguments(LIST, 200, "{\"data\":[]", unreadable),
        arguments(LIST, 200, "{\"data\":[]}{}", unreadable),
        arguments(LIST, 200, "{\"data\":[],\"data\":[1]}", unreadable),
        arguments(LIST, 200, "{\"data\":[1],\"data\":[]}", unreadable),
        arguments(
            LIST, 200, "{\"data\":[],\"x\":" + "[".repeat(100) + "]".repeat(100) + "}", unreadable),
        arguments(LIST, 200, "[".repeat(100_000), unreadable));
  }

  @Test
  void bytesThatAreNoUtf8_areUndecided() {
    Bytes latin1 = Bytes.wrap("{\"data\":[],\"n\":\"é\"}".getBytes(StandardCharsets.ISO_8859_1));

    assertThat(ProbeVerdicts.of(LIST, 200, latin1, true)).isEqualTo(undecided("no readable JSON"));
  }

  @Test
  void otherMediaType_isUndecided_whereAPointerAsks() {
    Bytes body = utf8("{\"data\":[]}");

    assertThat(ProbeVerdicts.of(LIST, 200, body, false)).isEqualTo(undecided("not JSON"));
    assertThat(ProbeVerdicts.of(STATUS, 404, body, false)).isEqualTo(notApplied());
    assertThat(ProbeVerdicts.of(STATUS, 200, body, false)).isEqualTo(applied("{\"data\":[]}"));
  }

  @Test
  void head_replaysNoBody() {
    Probe head = probe("HEAD", Set.of(404), null, null, null);

    assertThat(ProbeVerdicts.of(head, 200, utf8("stray"), true)).isEqualTo(applied(""));
    assertThat(ProbeVerdicts.of(head, 404, Bytes.EMPTY, false)).isEqualTo(notApplied());
  }
}
