package dev.oncegate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordIdTest {
  private static final String[] PARTS = {"a", "b", "ab", "aa", "ba", "aab", "é", "\u0000\u0000"};

  private static RecordId id(List<String> parts, String key) {
    return RecordId.of(
        new Scope(parts.get(0), parts.get(1), parts.get(2)), new IdempotencyKey(key));
  }

  @Property(tries = 3000)
  void scopeAndKey_neverShift(@ForAll long seed) {
    Random random = new Random(seed);
    List<String> one = List.of(pick(random), pick(random), pick(random));
    List<String> other = List.of(pick(random), one.get(1), pick(random));
    String key = random.nextBoolean() ? "a" : "ab";
    assertThat(id(one, "a").equals(id(other, key))).isEqualTo(one.equals(other) && key.equals("a"));
  }

  private static String pick(Random random) {
    return PARTS[random.nextInt(PARTS.length)];
  }

  @Test
  void id_isSha256OfLengthsAndParts_andLogsSayEightDigitsOfIt() {
    RecordId id = id(List.of("t", "r", Scope.SHARED), "k");
    // printf '\0\0\0\1t\0\0\0\1r\0\0\0\0\0\0\0\1k' | sha256sum
    assertThat(id.hex())
        .isEqualTo("4f2c5969301ae792a4fb0f945148790e6366115120e15f0ce08cd7f9b3c23792");
    assertThat(id.prefix()).isEqualTo(id.hex().substring(0, 8));
    assertThat(id).hasToString(id.prefix());
  }

  @Test
  void keys_areCaseSensitiveAndHidden() {
    assertThat(id(List.of("t", "r", ""), "K")).isNotEqualTo(id(List.of("t", "r", ""), "k"));
    assertThat(new IdempotencyKey("secret-key").toString()).doesNotContain("secret-key");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "\u007F", "é", "a\n"})
  void keyOutsideTheGrammar_breaksAnInvariant(String key) {
    assertThatThrownBy(() -> new IdempotencyKey(key)).isInstanceOf(BrokenInvariant.class);
  }

  @Test
  void keyLength_isBounded() {
    assertThat(new IdempotencyKey("!~".repeat(512)).value()).hasSize(1024);
    String tooLong = "k".repeat(1025);
    assertThatThrownBy(() -> new IdempotencyKey(tooLong)).isInstanceOf(BrokenInvariant.class);
  }
}
