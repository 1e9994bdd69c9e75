package dev.oncegate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.ClaimFacts;
import dev.oncegate.core.HeaderField;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.StoredBody;
import dev.oncegate.core.StoredResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AnswerCipherTest {
  private static final List<HeaderField> HEADERS =
      List.of(
          new HeaderField("Link", "<a>"),
          new HeaderField("link", "<b>"),
          new HeaderField("X-Empty", ""),
          new HeaderField("X-Latin", "caf\u00e9\u00ff"));
  private static final Bytes BODY = bytes("a secret body");

  private final EngineBench bench = new EngineBench();
  private final AnswerCipher cipher = new AnswerCipher(bench.keys, bench.time);

  @Test
  void sealedAnswer_comesBackWholeAndInOrder() {
    StoredAnswer stored = seal();
    assertThat(open(stored))
        .isEqualTo(
            new AnswerCipher.Opened.Plain(new StoredResponse(201, HEADERS, Optional.of(BODY))));
  }

  @Test
  void sealedAnswer_showsNothingOfItsContent() {
    StoredAnswer stored = seal();
    assertThat(text(stored.head())).doesNotContain("Link");
    assertThat(text(((StoredBody.Inline) stored.body()).bytes())).doesNotContain("secret");
    assertThat(seal().digest()).as("no two are alike").isNotEqualTo(stored.digest());
  }

  @Test
  void c18_changedBytes_areDamage() {
    StoredAnswer stored = seal();
    Bytes cut = Bytes.wrap(java.util.Arrays.copyOf(stored.head().array(), 10));
    StoredBody other = new StoredBody.Inline(bytes("x"));
    for (StoredAnswer damaged :
        List.of(
            new StoredAnswer(201, cut, stored.body(), stored.digest(), true),
            new StoredAnswer(201, stored.head(), other, stored.digest(), true),
            new StoredAnswer(200, stored.head(), stored.body(), stored.digest(), true),
            new StoredAnswer(
                201, stored.head(), new StoredBody.NotKept(), stored.digest(), true))) {
      assertThat(open(damaged)).isInstanceOf(AnswerCipher.Opened.Damaged.class);
    }
  }

  @Test
  void sealedBytesOfAnotherRecord_areDamage() {
    ClaimFacts stranger = facts("k2");
    assertThat(cipher.open(stranger, seal())).isInstanceOf(AnswerCipher.Opened.Damaged.class);
  }

  @Test
  void rotatedSecret_keepsOlderAnswersReadable_andALostOneIsDamage() {
    KeyRing.Secret next = KeyRing.Secret.of(new byte[32]);
    AnswerCipher rotated =
        new AnswerCipher(new KeyRing(next, List.of(EngineBench.SECRET)), bench.time);
    AnswerCipher lost = new AnswerCipher(new KeyRing(next, List.of()), bench.time);
    StoredAnswer stored = seal();
    ClaimFacts facts = facts("k");
    assertThat(rotated.open(facts, stored)).isInstanceOf(AnswerCipher.Opened.Plain.class);
    assertThat(lost.open(facts, stored)).isInstanceOf(AnswerCipher.Opened.Damaged.class);
  }

  private StoredAnswer seal() {
    return cipher.seal(bench.admission("k", "A"), 201, HEADERS, Optional.of(BODY));
  }

  private AnswerCipher.Opened open(StoredAnswer stored) {
    return cipher.open(facts("k"), stored);
  }

  private ClaimFacts facts(String key) {
    bench.send(key, "A");
    return bench.record(key).map(IdempotencyRecord::facts).orElseThrow();
  }

  private static Bytes bytes(String text) {
    return Bytes.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(Bytes bytes) {
    return new String(bytes.array(), StandardCharsets.ISO_8859_1);
  }
}
