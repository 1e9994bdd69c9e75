package dev.oncegate.tenants;

import dev.oncegate.core.Bytes;
import java.nio.charset.StandardCharsets;

/** Resolves references to secrets, {@code ${env:NAME}} and {@code ${file:/absolute/path}}. */
@FunctionalInterface
public interface SecretResolver {
  /**
   * Resolves one reference whose form the schema has checked.
   *
   * @return the secret, or why there is none; never an exception
   */
  Resolved resolve(String reference);

  /** Reads a file of certificates, which are no secret and may be many. */
  default Resolved certificates(String path) {
    return resolve("${file:" + path + "}");
  }

  /** The environment of this process and the file system. */
  static SecretResolver system() {
    return new SystemSecrets(System::getenv);
  }

  /** What became of a reference. */
  sealed interface Resolved {}

  /**
   * A secret.
   *
   * @param bytes all of it as it is kept; a variable's in UTF-8
   * @param caution what is unsafe about where it is kept, with what would be right; empty if
   *     nothing
   */
  record Found(Bytes bytes, String caution) implements Resolved {
    public Found(String secret) {
      this(Bytes.wrap(secret.getBytes(StandardCharsets.UTF_8)), "");
    }

    /** The secret as a text, without white space at its end: editors add a line end. */
    public String secret() {
      return new String(bytes.array(), StandardCharsets.UTF_8).stripTrailing();
    }

    @Override
    public String toString() {
      return "Found[hidden]";
    }
  }

  /**
   * Why there is no secret; names the reference, never a value.
   *
   * @param why what is wrong
   * @param remedy what would be right; empty: create the file, with what the place asks for
   */
  record Missing(String why, String remedy) implements Resolved {}
}
