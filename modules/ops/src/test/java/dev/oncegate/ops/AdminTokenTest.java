package dev.oncegate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class AdminTokenTest {
  @Test
  void randomOne_has32Bytes_andIsAnotherEachTime() {
    SecureRandom random = new SecureRandom();
    AdminToken token = AdminToken.random(random);
    String text = token.made().orElseThrow();
    assertThat(Base64.getUrlDecoder().decode(text)).hasSize(32);
    assertThat(token.fits(text)).isTrue();
    assertThat(AdminToken.random(random).fits(text)).isFalse();
    assertThat(token.toString()).doesNotContain(text);
  }

  @Test
  void configuredOne_fitsItselfAlone_andIsNeverTold() {
    AdminToken token = AdminToken.given("0123456789abcdef".getBytes(StandardCharsets.UTF_8));
    assertThat(token.fits("0123456789abcdef")).isTrue();
    assertThat(token.fits("0123456789abcde")).isFalse();
    assertThat(token.fits("0123456789abcdef0")).isFalse();
    assertThat(token.fits("")).isFalse();
    assertThat(token.made()).isEmpty();
  }
}
