package dev.oncegate.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyTextTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      value = {"abc, abc", "'\"abc\"', abc", "'\"a,b\"', 'a,b'", "'\"a\\\"b\\\\\"', 'a\"b\\'"})
  void bareAndQuoted_areTheSameKey(String text, String key) {
    assertThat(KeyText.parse(text).value()).isEqualTo(key);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\"\"", "\"", "\"abc", "\"a\"b\"", "\"a\\b\"", "\"a\\\"", "a b", "é"})
  void whatIsNoKey_isRefused_withoutBeingRepeated(String text) {
    assertThatExceptionOfType(OpsProblem.Refused.class)
        .isThrownBy(() -> KeyText.parse(text))
        .withMessageStartingWith("'key' ");
  }

  @Test
  void keyOf1025Characters_isRefused() {
    assertThat(KeyText.parse("k".repeat(1024)).value()).hasSize(1024);
    assertThatExceptionOfType(OpsProblem.Refused.class)
        .isThrownBy(() -> KeyText.parse("k".repeat(1025)));
  }
}
