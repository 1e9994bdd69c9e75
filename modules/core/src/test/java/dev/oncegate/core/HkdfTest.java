package dev.oncegate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The test vectors of RFC 5869, appendix A, as far as one block goes. */
class HkdfTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final byte[] INPUT = HEX.parseHex("0b".repeat(22));

  @Test
  void rfc5869_case3_withoutSaltAndInfo() {
    assertThat(HEX.formatHex(Hkdf.derive(INPUT, "", "")))
        .isEqualTo("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d");
  }

  @Test
  void rfc5869_case1_extractAndExpand() {
    byte[] pseudoRandom = Hkdf.hmac(HEX.parseHex("000102030405060708090a0b0c"), INPUT);
    assertThat(HEX.formatHex(pseudoRandom))
        .isEqualTo("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5");
    assertThat(HEX.formatHex(Hkdf.hmac(pseudoRandom, HEX.parseHex("f0f1f2f3f4f5f6f7f8f901"))))
        .isEqualTo("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf");
  }

  @Test
  void derive_putsSaltAndInfoInTheirPlaces() {
    String salt = new String(new char[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    byte[] pseudoRandom = Hkdf.hmac(HEX.parseHex("000102030405060708090a0b0c"), INPUT);
    assertThat(Hkdf.derive(INPUT, salt, "a"))
        .isEqualTo(Hkdf.hmac(pseudoRandom, new byte[] {'a', 1}));
    assertThat(Hkdf.derive(INPUT, "t", "a")).isNotEqualTo(Hkdf.derive(INPUT, "a", "t"));
  }

  @Test
  void purposeOutsideAscii_breaksAnInvariant() {
    assertThatThrownBy(() -> Hkdf.derive(INPUT, "t", "é")).isInstanceOf(BrokenInvariant.class);
  }
}
