package dev.oncegate.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProbeTemplateTest {
  private static final Map<String, String> VALUES =
      Map.of(
          "id", "a%2Fb+c&d=e;f",
          "upstreamKey", "k/1 ?&é%41",
          "businessReference", "ref-1",
          "empty", "",
          "dots", "..",
          "slash", "a/b",
          "stray", "100%",
          "break", "a\r\nX: y");

  @ParameterizedTest
  @CsvSource({
    "/v1/charges, /v1/charges",
    "/v1/{id}, /v1/a%2Fb+c&d=e;f",
    "/v1/{id}/x?all=1, /v1/a%2Fb+c&d=e;f/x?all=1",
    "/v1?id={id}, /v1?id=a%2Fb%2Bc%26d%3De%3Bf",
    "/keys/{upstreamKey}, /keys/k%2F1%20%3F%26%C3%A9%2541",
    "/keys?k={upstreamKey}&r={businessReference}, /keys?k=k%2F1%20%3F%26%C3%A9%2541&r=ref-1",
    "/{businessReference}{businessReference}, /ref-1ref-1",
    "/a?b=..&c=/../d, /a?b=..&c=/../d"
  })
  void target_isFilledIn(String template, String expected) {
    assertThat(ProbeTemplate.target(template, VALUES)).contains(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/{none}",
        "/v1?a={none}",
        "/v1/{empty}",
        "/v1/{dots}",
        "/v1/{dots}/x",
        "/v1/.{dots}?q={slash}",
        "/v1/{slash}",
        "/v1/{stray}",
        "/v1/{break}",
        "/v1?q={break}",
        "/v1/ä",
        "/v1/{}",
        "/v1/%2e%2E/x",
        "/v1/ {id}"
      })
  void targetThatIsNoQuestion_isNone(String template) {
    assertThat(ProbeTemplate.target(template, VALUES)).isEmpty();
  }

  @Test
  void ownValueThatWouldBeADotSegment_isNone() {
    assertThat(ProbeTemplate.target("/keys/{upstreamKey}", Map.of("upstreamKey", ".."))).isEmpty();
    assertThat(ProbeTemplate.target("/keys/{upstreamKey}", Map.of("upstreamKey", "\ud800")))
        .isEmpty();
  }

  @Test
  void header_hasValuesAsTheyAre() {
    assertThat(ProbeTemplate.header("plain", VALUES)).contains("plain");
    assertThat(ProbeTemplate.header("a {id} b", VALUES)).contains("a a%2Fb+c&d=e;f b");
    assertThat(ProbeTemplate.header("{upstreamKey}", Map.of("upstreamKey", "k \"1\"")))
        .contains("k \"1\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{none}",
        "{empty}",
        "{break}",
        "{upstreamKey}",
        "a {none}",
        " a",
        "a ",
        "",
        "a\tb"
      })
  void headerThatIsNoLineOfVisibleCharacters_isNone(String template) {
    assertThat(ProbeTemplate.header(template, VALUES)).isEmpty();
  }

  /** Whatever a client chose: one line, one path, one parameter of the query. */
  @Property
  void anyValue_staysInItsPlace(@ForAll String value) {
    Map<String, String> values = new HashMap<>();
    values.put("upstreamKey", value);
    values.put("id", value);

    ProbeTemplate.target("/a/{id}/b?q={id}&k={upstreamKey}&z=1", values)
        .ifPresent(
            target ->
                assertThat(target)
                    .matches("/a/[^/?#\\s]+/b\\?q=[^&=+;#\\s/?]+&k=[A-Za-z0-9._~%-]+&z=1")
                    .matches("[\\x21-\\x7E]+"));
    ProbeTemplate.header("x{upstreamKey}x", values)
        .ifPresent(header -> assertThat(header).matches("[\\x20-\\x7E]+"));
  }
}
