package dev.oncegate.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderPolicyTest {
  private static List<HeaderField> fields(String... names) {
    return Stream.of(names).map(name -> new HeaderField(name, "v")).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Set-Cookie",
        "SET-COOKIE2",
        "date",
        "WWW-Authenticate",
        "Proxy-Authenticate",
        "proxy-anything",
        "Idempotency-Status",
        "Idempotency-Expires",
        "idempotency-replayed",
        "IDEMPOTENCY-RECONSTRUCTED"
      })
  void neverStored(String name) {
    assertThat(HeaderPolicy.stored(fields(name), List.of())).isEmpty();
  }

  @Test
  void stored_keepsOrderMultiplicityAndCase() {
    List<HeaderField> answer =
        List.of(
            new HeaderField("Link", "2"),
            new HeaderField("Date", "x"),
            new HeaderField("ETag", "\"e\""),
            new HeaderField("LINK", "1"),
            new HeaderField("Link", "2"));
    assertThat(HeaderPolicy.stored(answer, List.of()))
        .containsExactly(answer.get(0), answer.get(2), answer.get(3), answer.get(4));
  }

  @Test
  void denyList_namesHeadersOrPrefixes() {
    List<HeaderField> answer =
        fields("X-Request-Cost", "X-Request-Costs", "X-Acme-Trace-Id", "x-acme-trace-", "X-Acme");
    assertThat(HeaderPolicy.stored(answer, List.of("x-request-cost", "X-Acme-Trace-*")))
        .isEqualTo(fields("X-Request-Costs", "X-Acme"));
  }

  @Test
  void isOurs_isOnlyWhatOncegateSays() {
    assertThat(HeaderPolicy.isOurs("Idempotency-STATUS")).isTrue();
    assertThat(HeaderPolicy.isOurs("Idempotency-Key")).isFalse();
  }
}
