package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9110 §12.5.3. */
class AcceptEncodingTest {
  @Test
  void withoutTheHeader_everythingIsTaken() {
    AcceptEncoding accept = AcceptEncoding.parse(List.of());
    assertThat(accept.takes("gzip")).isTrue();
    assertThat(accept.takesIdentity()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gzip",
        "GZip",
        "x-gzip",
        "br, gzip;q=0.1",
        "gzip ; Q=1",
        "*",
        "br;q=0, *;q=0.001",
        "gzip;q=nonsense",
        "gzip;q=0, gzip"
      })
  void gzip_isTaken(String line) {
    assertThat(AcceptEncoding.parse(List.of(line)).takes("gzip")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "identity", "br", "gzip;q=0", "gzip;q=0.000", "*;q=0", "*, gzip;q=0"})
  void gzip_isNotTaken(String line) {
    assertThat(AcceptEncoding.parse(List.of(line)).takes("gzip")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "gzip", "*", "*;q=0, identity;q=0.1", "identity"})
  void identity_isTaken(String line) {
    assertThat(AcceptEncoding.parse(List.of(line)).takesIdentity()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"identity;q=0", "*;q=0", "br, *;q=0", "identity;q=0.0, *"})
  void identity_isRuledOut(String line) {
    assertThat(AcceptEncoding.parse(List.of(line)).takesIdentity()).isFalse();
  }

  @Test
  void linesJoin() {
    assertThat(AcceptEncoding.parse(List.of("br", "gzip")).takes("gzip")).isTrue();
  }
}
