package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.oncegate.core.RoutePolicy.KeyPolicy.Syntax;
import dev.oncegate.gateway.http.KeyHeader.Parsed;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Whatever stands in the key header: a key of the grammar, or none. */
class KeyHeaderFuzzTest {
  private static final int LONGEST = 255;

  @FuzzTest(maxDuration = "60s")
  void anyValue_isAKeyOrIsRefused(byte[] data) {
    String value = new String(data, StandardCharsets.ISO_8859_1);
    Parsed lenient = KeyHeader.parse(List.of(value), Syntax.LENIENT, LONGEST);
    Parsed strict = KeyHeader.parse(List.of(value), Syntax.STRICT, LONGEST);
    assertThat(lenient).isNotInstanceOf(Parsed.Missing.class);
    if (strict instanceof Parsed.Accepted) {
      assertThat(lenient).isEqualTo(strict);
    }
    if (lenient instanceof Parsed.Malformed malformed && value.length() > 12) {
      assertThat(malformed.detail()).doesNotContain(value);
    }
    if (lenient instanceof Parsed.Accepted accepted) {
      String key = accepted.key().value();
      assertThat(key).hasSizeBetween(1, LONGEST).matches("[\\x21-\\x7E]+");
      String quoted = '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
      assertThat(KeyHeader.parse(List.of(quoted), Syntax.STRICT, LONGEST)).isEqualTo(accepted);
    }
  }
}
