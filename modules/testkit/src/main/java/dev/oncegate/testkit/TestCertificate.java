package dev.oncegate.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A self-signed certificate with its key, as PEM files.
 *
 * @param store the same as PKCS #12, as keytool made it
 */
public record TestCertificate(Path certificate, Path key, Path store) {
  private static final String PASSWORD = "for-tests-only";

  /**
   * Makes one with the JDK's keytool.
   *
   * @param names subject alternative names, such as {@code dns:localhost,ip:127.0.0.1}
   */
  public static TestCertificate make(Path directory, String file, String names) throws Exception {
    Path store = directory.resolve(file + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + file,
                "-ext",
                "san=" + names,
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-alias",
                "test",
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes());
    if (keytool.waitFor() != 0) {
      throw new IllegalStateException("keytool: " + said);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    Path certificate = directory.resolve(file + ".crt");
    Path key = directory.resolve(file + ".key");
    write(certificate, "CERTIFICATE", keys.getCertificate("test").getEncoded());
    write(key, "PRIVATE KEY", keys.getKey("test", PASSWORD.toCharArray()).getEncoded());
    return new TestCertificate(certificate, key, store);
  }

  private static void write(Path file, String kind, byte[] der) throws IOException {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    Files.writeString(
        file, "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n");
  }

  /** The private key, PEM. */
  public String keyText() throws IOException {
    return Files.readString(key);
  }

  /** For a client of the JDK that trusts this certificate alone. */
  public SSLContext trusting() throws GeneralSecurityException, IOException {
    KeyStore own = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      own.load(in, PASSWORD.toCharArray());
    }
    KeyStore anchors = KeyStore.getInstance("PKCS12");
    anchors.load(null, null);
    anchors.setCertificateEntry("test", own.getCertificate("test"));
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(anchors);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    return tls;
  }
}
