package dev.oncegate.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oncegate.app.StartFailure;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretTextTest {
  private static final byte[] BYTES = new byte[32];

  static {
    for (int i = 0; i < BYTES.length; i++) {
      BYTES[i] = (byte) (250 - i * 3);
    }
  }

  @Test
  void hex_inEitherCase_isDecoded() {
    String hex = java.util.HexFormat.of().formatHex(BYTES);
    assertThat(SecretText.decode("S", hex)).isEqualTo(BYTES);
    assertThat(SecretText.decode("S", hex.toUpperCase(java.util.Locale.ROOT) + "\n"))
        .isEqualTo(BYTES);
  }

  @Test
  void base64_inEitherAlphabet_paddedOrNot_isDecoded() {
    assertThat(SecretText.decode("S", Base64.getEncoder().encodeToString(BYTES))).isEqualTo(BYTES);
    assertThat(
            SecretText.decode("S", Base64.getUrlEncoder().withoutPadding().encodeToString(BYTES)))
        .isEqualTo(BYTES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"correct horse battery staple and more", "c2hvcnQ=", "00ff"})
  void wordsAndShortSecrets_areRefused_withoutRepeatingThem(String text) {
    assertThatExceptionOfType(StartFailure.class)
        .isThrownBy(() -> SecretText.decode("ONCEGATE_SECRET", text))
        .withMessageContaining("ONCEGATE_SECRET")
        .matches(failure -> !failure.line().contains(text));
  }
}
