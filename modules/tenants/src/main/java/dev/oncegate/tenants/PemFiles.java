package dev.oncegate.tenants;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What stands in PEM files: certificates, and private keys in the clear (RFC 7468). */
final class PemFiles {
  /** PKCS #8 itself, and the forms of one algorithm that OpenSSL writes. */
  private static final Pattern KEY =
      Pattern.compile(
          "-----BEGIN ((?:RSA |EC )?)PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)"
              + "-----END \\1PRIVATE KEY-----");

  private PemFiles() {}

  /** The first certificate of a file, if all of it are certificates. */
  static Optional<Certificate> certificate(String pem) {
    try {
      Collection<? extends Certificate> all =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)));
      return all.stream().findFirst().map(first -> first);
    } catch (CertificateException e) {
      return Optional.empty();
    }
  }

  static boolean isPrivateKey(String pem) {
    return KEY.matcher(pem).find();
  }

  /** Whether what the key signs can be checked with the certificate. */
  static boolean belongs(String key, Certificate certificate) {
    PublicKey open = certificate.getPublicKey();
    try {
      PrivateKey secret =
          KeyFactory.getInstance(open.getAlgorithm())
              .generatePrivate(new PKCS8EncodedKeySpec(pkcs8(key, open)));
      byte[] said = "oncegate".getBytes(StandardCharsets.US_ASCII);
      Signature signature = Signature.getInstance(signing(open.getAlgorithm()));
      signature.initSign(secret);
      signature.update(said);
      byte[] signed = signature.sign();
      signature.initVerify(open);
      signature.update(said);
      return signature.verify(signed);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return false;
    }
  }

  private static String signing(String algorithm) {
    return switch (algorithm) {
      case "RSA" -> "SHA256withRSA";
      case "EC" -> "SHA256withECDSA";
      default -> algorithm;
    };
  }

  /**
   * A key as PKCS #8. The older forms lack the algorithm around them; it is that of the certificate
   * if the key belongs to it, and if not they do not fit anyway.
   */
  private static byte[] pkcs8(String pem, PublicKey open) {
    Matcher key = KEY.matcher(pem);
    if (!key.find()) {
      throw new IllegalArgumentException("no private key");
    }
    byte[] der = Base64.getMimeDecoder().decode(key.group(2));
    if (key.group(1).isEmpty()) {
      return der;
    }
    byte[] version = {0x02, 0x01, 0x00};
    byte[] content = concat(version, algorithm(open.getEncoded()), element(0x04, der));
    return element(0x30, content);
  }

  /** The first element of a SubjectPublicKeyInfo, itself a sequence. */
  private static byte[] algorithm(byte[] publicKeyInfo) {
    int start = 1 + lengthOctets(publicKeyInfo, 1);
    int header = 1 + lengthOctets(publicKeyInfo, start + 1);
    // An algorithm with its parameters is far shorter than 128 bytes: its length is one octet.
    return Arrays.copyOfRange(
        publicKeyInfo, start, start + header + (publicKeyInfo[start + 1] & 0x7f));
  }

  private static int lengthOctets(byte[] der, int at) {
    return (der[at] & 0x80) == 0 ? 1 : 1 + (der[at] & 0x7f);
  }

  private static byte[] element(int tag, byte[] content) {
    int length = content.length;
    byte[] head;
    if (length < 0x80) {
      head = new byte[] {(byte) tag, (byte) length};
    } else if (length < 0x100) {
      head = new byte[] {(byte) tag, (byte) 0x81, (byte) length};
    } else {
      head = new byte[] {(byte) tag, (byte) 0x82, (byte) (length >> 8), (byte) length};
    }
    return concat(head, content);
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
