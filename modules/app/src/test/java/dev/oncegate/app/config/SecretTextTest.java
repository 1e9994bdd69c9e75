package dev.oncegate.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.app.config.Fit.Taken;
import dev.oncegate.app.config.Fit.Unfit;
import dev.oncegate.app.config.GatewayConfig.Secret;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class SecretTextTest {
  private static final byte[] BYTES = new byte[33];

  static {
    for (int i = 0; i < BYTES.length; i++) {
      BYTES[i] = (byte) (255 - i * 7);
    }
  }

  @Test
  void hexAndBothBase64Alphabets_areTheSameBytes() {
    String base64 = Base64.getEncoder().encodeToString(BYTES);
    assertThat(base64).containsAnyOf("+", "/");
    for (String text :
        new String[] {
          HexFormat.of().formatHex(BYTES),
          HexFormat.of().withUpperCase().formatHex(BYTES),
          base64,
          Base64.getUrlEncoder().withoutPadding().encodeToString(BYTES),
          base64 + "\n"
        }) {
      assertThat(SecretText.decode(text))
          .isInstanceOfSatisfying(
              Taken.class, taken -> assertThat(((Secret) taken.value()).bytes()).isEqualTo(BYTES));
    }
  }

  @Test
  void wordsAndShortSecrets_areRefusedWithoutRepeatingThem() {
    assertUnfit("correct horse battery", "neither hex nor base64");
    assertUnfit("00".repeat(31), "31 bytes");
  }

  private static void assertUnfit(String text, String problem) {
    assertThat(SecretText.decode(text))
        .isInstanceOfSatisfying(
            Unfit.class,
            unfit ->
                assertThat(unfit.problem() + unfit.remedy())
                    .contains(problem)
                    .doesNotContain(text));
  }
}
