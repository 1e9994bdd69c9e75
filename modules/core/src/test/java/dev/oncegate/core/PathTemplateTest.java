package dev.oncegate.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathTemplateTest {
  @ParameterizedTest
  @CsvSource({
    "/v1/charges, /v1/charges, true",
    "/v1/charges, /v1/charges/, false",
    "/v1/charges, /v1/Charges, false",
    "/v1/charges, /v1/chargesx, false",
    "/v1/charges/, /v1/charges/, true",
    "/v1/charges, /v1, false",
    "/, /, true",
    "/, '', false",
    "/, *, false",
    "/v1/{id}, /v1/, false",
    "/v1/{id}, /v1/a/b, false",
    "/v1/{id}, /v1/a, true",
    "/v1/**, /v1, true",
    "/v1/**, /v1/, true",
    "/v1/**, /v1/a/b, true",
    "/v1/**, /v10, false",
    "/**, /, true",
    "/**, /a, true",
    "/**, *, false",
    "/v1/%7Ex, /v1/~x, true"
  })
  void match_comparesWholeSegments(String template, String path, boolean fits) {
    assertThat(PathTemplate.parse(template).match(path).isPresent()).isEqualTo(fits);
  }

  @Test
  void match_givesParametersAsTheyStand() {
    PathTemplate template = PathTemplate.parse("/v1/{charge}/refunds/{refund}");
    assertThat(template.match("/v1/a%2Fb/refunds/7"))
        .contains(Map.of("charge", "a%2Fb", "refund", "7"));
    assertThat(template.parameterNames()).containsExactly("charge", "refund");
    assertThat(template).hasToString("/v1/{charge}/refunds/{refund}");
    assertThat(template).isEqualTo(PathTemplate.parse(template.toString()));
  }

  @Test
  void match_tellsRestsApart() {
    PathTemplate template = PathTemplate.parse("/v1/{id}/**");
    assertThat(template.match("/v1/a/b/c")).contains(Map.of("id", "a", PathTemplate.REST, "/b/c"));
    assertThat(template.match("/v1/a/")).contains(Map.of("id", "a", PathTemplate.REST, "/"));
    assertThat(template.match("/v1/a")).contains(Map.of("id", "a", PathTemplate.REST, ""));
    assertThat(template.parameterNames()).containsExactly("id");
  }

  @ParameterizedTest
  @CsvSource({
    "/%41%7e%2d, /A~-",
    "/%2f%2F, /%2F%2F",
    "/%2541, /%2541",
    "/%, /%",
    "/%4, /%4",
    "/%zz, /%zz",
    "/a%20b, /a%20b",
    "/%c3%a9, /%C3%A9",
    "/a+b, /a+b",
    "/%%34%31, /%%341",
    "/%4%31, /%4%31",
    "/%\uFF14\uFF11, /%\uFF14\uFF11",
    "/%25%34%31, /%2541"
  })
  void normalise_decodesUnreservedOnly(String path, String normal) {
    assertThat(PathTemplate.normalise(path)).isEqualTo(normal);
  }

  @Property(tries = 5000)
  void normalise_leavesWhatIsNormal(
      @ForAll @Chars({'%', '3', '4', '1', '2', '5', 'a', 'F', '/'}) String path) {
    String normal = PathTemplate.normalise(path);
    assertThat(PathTemplate.normalise(normal)).isEqualTo(normal);
  }
}
