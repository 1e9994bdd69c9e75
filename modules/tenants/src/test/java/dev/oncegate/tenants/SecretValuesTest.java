package dev.oncegate.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Secrets that need no file; nothing here waits. */
class SecretValuesTest {
  private static final String KEPT = "${file:/etc/oncegate/derive}";
  private static final String LONG = "0123456789abcdef0123456789abcdef";
  private static final Bytes BYTES = bytes(LONG + "\n");

  private final Map<String, String> environment = Map.of("TOKEN", "t0ken", "KEY", LONG);

  @SuppressWarnings("NullAway") // no file is read
  private final SecretValues values =
      new SecretValues(
          null, () -> new KeptSecrets(Map.of(KEPT, BYTES)), new SystemSecrets(environment::get));

  private static Bytes bytes(String text) {
    return Bytes.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void servedSecret_isGivenAsALine_andForDerivationAsItIsKept() {
    assertThat(values.value(KEPT).result()).isEqualTo(LONG);
    assertThat(values.derivation(KEPT)).contains(BYTES);
  }

  @Test
  void variableOfAnArchivedPolicy_isReadFromTheEnvironment() {
    assertThat(values.value("${env:TOKEN}").result()).isEqualTo("t0ken");
    assertThat(values.derivation("${env:KEY}")).contains(bytes(LONG));
  }

  @Test
  void whatIsNotThere_orNoReference_fails_withoutAValue() {
    for (String reference : new String[] {"${env:NONE}", "plain", "${vault:a}"}) {
      assertThat(values.value(reference).failed()).isTrue();
      assertThat(values.value(reference).cause()).hasMessageNotContaining(LONG);
      assertThat(values.derivation(reference)).isEmpty();
    }
  }

  @Test
  void shortKeysAndForeignFiles_deriveNothing() {
    assertThat(values.derivation("${env:TOKEN}")).isEmpty();
    assertThat(values.derivation("${file:/etc/hostname}")).isEmpty();
  }

  @Test
  void secrets_areNeverPrinted() {
    assertThat(new KeptSecrets(Map.of(KEPT, BYTES)).toString()).doesNotContain(LONG);
    TenantsLoader.Loaded loaded = Reads.loaded(Example.unchanged().text());
    assertThat(loaded.toString()).doesNotContain("e3b0c44298");
    assertThat(loaded.secrets().bytes("${env:ACME_PROBE_AUTHORIZATION}")).isPresent();
    assertThat(loaded.secrets().bytes("${file:/etc/oncegate/keys/acme-derive}")).isPresent();
    assertThat(loaded.secrets().bytes("${env:ACME_CHECKOUT_KEY_SHA256}")).isEmpty();
  }
}
