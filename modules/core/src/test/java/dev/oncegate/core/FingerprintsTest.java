package dev.oncegate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FingerprintsTest {
  private static final FingerprintPolicy POLICY = FingerprintPolicy.BUILT_IN;
  private static final FingerprintInput INPUT =
      new FingerprintInput(
          "POST",
          "create-charge",
          Map.of(),
          null,
          List.of(),
          Bytes.wrap("A".getBytes(StandardCharsets.US_ASCII)));
  private static final Fingerprints.Form BODY_ONLY =
      (policy, input) ->
          new CanonicalProjection.Projected(input.body(), Optional.of(FallbackReason.NOT_JSON));

  private final byte[] key = new byte[32];

  @Test
  void fingerprint_isKeyedAndVersioned() {
    Fingerprints production = Fingerprints.production();
    Fingerprints.Taken taken = production.take(key, POLICY, INPUT);

    assertThat(production.current()).isEqualTo(1);
    assertThat(taken.fingerprint())
        .isEqualTo(
            new Fingerprint(
                1,
                Bytes.wrap(Hkdf.hmac(key, CanonicalProjection.of(POLICY, INPUT).bytes().array()))));
    key[0] = 1;
    assertThat(production.take(key, POLICY, INPUT)).isNotEqualTo(taken);
  }

  @Test
  void eachVersion_hasItsOwnForm_andNewRecordsGetTheCurrentOne() {
    Fingerprints both = new Fingerprints(2, Map.of(1, CanonicalProjection::of, 2, BODY_ONLY));

    assertThat(both.take(key, POLICY, INPUT).fingerprint())
        .isEqualTo(new Fingerprint(2, Bytes.wrap(Hkdf.hmac(key, INPUT.body().array()))));
    assertThat(both.take(key, POLICY, INPUT).fallback()).contains(FallbackReason.NOT_JSON);
    assertThat(both.take(1, key, POLICY, INPUT))
        .contains(Fingerprints.production().take(key, POLICY, INPUT));
  }

  @Test
  void unknownVersion_isNoFingerprint() {
    assertThat(Fingerprints.production().take(2, key, POLICY, INPUT)).isEmpty();
  }

  @Test
  void currentVersionWithoutAForm_isRefused() {
    assertThatThrownBy(() -> new Fingerprints(2, Map.of(1, CanonicalProjection::of)))
        .isInstanceOf(BrokenInvariant.class);
  }
}
