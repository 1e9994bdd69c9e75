package dev.oncegate.tenants;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.regex.Pattern;

/** What a place of the file asks of the secret that it refers to. */
enum SecretKind {
  /** SHA-256 of an API key. */
  DIGEST(
      "holds no hex SHA-256; store the 64 hex digits of the key's digest",
      "create it, readable for this process, with the 64 hex digits of the key's digest"),
  /** The private key of a client certificate. */
  PRIVATE_KEY(
      "holds no private key as PEM in the clear; store one, such as PKCS #8",
      "create it, readable for this process, with the key of clientCert as PEM"),
  /** A tenant's own data keys. */
  KEYSET(
      "holds no keyset; store a JSON object there",
      "create it with a keyset, readable for this process"),
  /** What other keys are derived from. */
  DERIVATION(
      "holds fewer than 32 bytes, which can be guessed; store 32 random bytes or more",
      "create it with 32 random bytes or more, or leave secret out"),
  /** The whole value of a header. */
  HEADER_VALUE(
      "holds no header value; store one line of visible characters",
      "create it with the header's whole value, readable for this process");

  private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]{64}");
  private static final Pattern VISIBLE =
      Pattern.compile("[\\x21-\\x7E]([\\x20-\\x7E]*[\\x21-\\x7E])?");
  private static final int LEAST_DERIVATION = 32;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String unfit;
  private final String remedy;

  SecretKind(String unfit, String remedy) {
    this.unfit = unfit;
    this.remedy = remedy;
  }

  /** What is wrong with a secret that does not fit, and what would be right. */
  String unfit() {
    return unfit;
  }

  /** What would be right where the file is not there. */
  String remedy() {
    return remedy;
  }

  boolean fits(SecretResolver.Found found) {
    return switch (this) {
      case DIGEST -> HEX.matcher(found.secret()).matches();
      case PRIVATE_KEY -> PemFiles.isPrivateKey(found.secret());
      case KEYSET -> isObject(found.bytes().array());
      case DERIVATION -> found.bytes().length() >= LEAST_DERIVATION;
      case HEADER_VALUE -> VISIBLE.matcher(found.secret()).matches();
    };
  }

  private static boolean isObject(byte[] text) {
    try {
      JsonNode read = JSON.readTree(text);
      return read != null && read.isObject();
    } catch (IOException e) {
      return false;
    }
  }
}
