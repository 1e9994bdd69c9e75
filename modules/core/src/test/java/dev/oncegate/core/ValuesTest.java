package dev.oncegate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the small values refuse and hide. */
class ValuesTest {
  private static final Bytes DIGEST = Bytes.wrap(new byte[32]);

  private static StoredAnswer answer(int status, Bytes digest) {
    return new StoredAnswer(status, Bytes.EMPTY, new StoredBody.NotKept(), digest, false);
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 199, 500, 502, 599, 0})
  void storedAnswer_isNever5xxNorInterim(int status) {
    assertThatThrownBy(() -> answer(status, DIGEST)).isInstanceOf(BrokenInvariant.class);
  }

  @Test
  void storedAnswer_takesFinalStatusesWithAFullDigest() {
    assertThat(answer(200, DIGEST)).isEqualTo(answer(200, Bytes.wrap(new byte[32])));
    assertThat(answer(499, DIGEST).status()).isEqualTo(499);
    assertThatThrownBy(() -> answer(200, Bytes.EMPTY)).isInstanceOf(BrokenInvariant.class);
  }

  @Test
  void bytes_areEqualByValueAndShowNothing() {
    assertThat(Bytes.wrap(new byte[] {1, 2})).isEqualTo(Bytes.wrap(new byte[] {1, 2}));
    assertThat(Bytes.wrap(new byte[] {1, 2})).isNotEqualTo(Bytes.wrap(new byte[] {1, 3}));
    assertThat(Bytes.wrap(new byte[0])).isSameAs(Bytes.EMPTY);
    assertThat(Bytes.wrap(new byte[] {(byte) 0xAB})).hasToString("Bytes[1]");
    assertThat(Bytes.wrap(new byte[] {(byte) 0xAB}).hex()).isEqualTo("ab");
  }

  @Test
  void tokensAndFingerprintVersions_countFromOne() {
    assertThat(new FencingToken(2)).isGreaterThan(new FencingToken(1));
    assertThatThrownBy(() -> new FencingToken(0)).isInstanceOf(BrokenInvariant.class);
    assertThatThrownBy(() -> new Fingerprint(0, DIGEST)).isInstanceOf(BrokenInvariant.class);
    assertThatThrownBy(() -> new Fingerprint(1, Bytes.EMPTY)).isInstanceOf(BrokenInvariant.class);
  }

  @Test
  void fallbackReasons_areTheContractsLabels() {
    assertThat(FallbackReason.values())
        .extracting(FallbackReason::label)
        .containsExactly("invalid", "duplicate_member", "limits", "empty_projection", "not_json");
  }
}
