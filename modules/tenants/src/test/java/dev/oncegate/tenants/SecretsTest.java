package dev.oncegate.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.Bytes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Check 30 on certificates, keys and the content of secrets. */
class SecretsTest {
  private static String pem(String name) {
    return Reads.resource("/dev/oncegate/tenants/pem/" + name);
  }

  /** Certificate and key of the example; the certificate as the CA too. */
  private static List<String> findings(String certificate, String key) {
    SecretResolver secrets =
        new SecretResolver() {
          @Override
          public Resolved resolve(String reference) {
            return reference.endsWith(".key}") ? new Found(key) : Reads.SECRETS.resolve(reference);
          }

          @Override
          public Resolved certificates(String path) {
            return new Found(certificate);
          }
        };
    return Reads.findings(
        Reads.read(
            Example.unchanged().text(),
            new TenantsLoader.Options(TenantsLoader.Mode.SERVE, secrets, List.of())));
  }

  @ParameterizedTest
  @CsvSource({"ec.crt,ec.pem", "ec.crt,ec.sec1.pem", "rsa.crt,rsa.pkcs1.pem"})
  void keyThatBelongsToItsCertificate_isTaken(String certificate, String key) {
    assertThat(findings(pem(certificate), pem(key))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"ec.crt,other.pem", "ec.crt,rsa.pkcs1.pem", "rsa.crt,ec.sec1.pem"})
  void keyOfAnotherCertificate_isRefused(String certificate, String key) {
    assertThat(findings(pem(certificate), pem(key)))
        .containsExactly(
            "tenants.yaml:107:20: acme-payments upstream.tls.clientKey:"
                + " ${file:/etc/oncegate/tls/acme.key} is not the key of clientCert"
                + " /etc/oncegate/tls/acme.crt (106:21); store the key that belongs to it");
  }

  @Test
  void contentOfAnotherKind_isRefused_andNeverPrinted() {
    assertThat(findings("hunter2", "hunter2"))
        .containsExactly(
            "tenants.yaml:105:13: acme-payments upstream.tls.ca: file /etc/oncegate/tls/acme-ca.pem"
                + " holds no certificates as PEM; store them there",
            "tenants.yaml:106:21: acme-payments upstream.tls.clientCert: file"
                + " /etc/oncegate/tls/acme.crt holds no certificates as PEM; store them there",
            "tenants.yaml:107:20: acme-payments upstream.tls.clientKey:"
                + " ${file:/etc/oncegate/tls/acme.key} holds no private key as PEM in the clear;"
                + " store one, such as PKCS #8");
  }

  @Test
  void fileSecret_ofAnyBytes_isReadWhole(@TempDir Path folder) throws Exception {
    byte[] random = {(byte) 0xff, 0, 10, (byte) 0x80, 10};
    Path secret = Files.write(folder.resolve("derive"), random);

    assertThat(new SystemSecrets(name -> null).resolve("${file:" + secret + "}"))
        .isEqualTo(new SecretResolver.Found(Bytes.wrap(random), ""));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void deviceWithoutAnEnd_isNotReadWhole() {
    assertThat(new SystemSecrets(name -> null).resolve("${file:/dev/zero}"))
        .isEqualTo(
            new SecretResolver.Missing(
                "file /dev/zero cannot be read (it is larger than 64KiB)", ""));
  }

  @Test
  void certificateBundle_mayBeLargerThanASecret(@TempDir Path folder) throws Exception {
    Path bundle = Files.write(folder.resolve("ca.pem"), new byte[200_000]);
    SecretResolver secrets = new SystemSecrets(name -> null);

    assertThat(secrets.certificates(bundle.toString())).isInstanceOf(SecretResolver.Found.class);
    assertThat(secrets.resolve("${file:" + bundle + "}"))
        .isEqualTo(
            new SecretResolver.Missing(
                "file " + bundle + " cannot be read (it is larger than 64KiB)", ""));
  }
}
