package dev.oncegate.tenants;

import dev.oncegate.core.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Resolves references to secrets, {@code ${env:NAME}} and {@code ${file:/absolute/path}}. */
@FunctionalInterface
public interface SecretResolver {
  /** How a reference to a file begins. */
  String FILE = "${file:";

  /** How a reference to an environment variable begins. */
  String ENV = "${env:";

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

  /** Whether a text names a secret; any other one stands for itself. */
  static boolean isReference(String text) {
    return text.startsWith("${");
  }

  /** The file that a reference names; empty where it names a variable. */
  static Optional<String> path(String reference) {
    return reference.startsWith(FILE)
        ? Optional.of(reference.substring(FILE.length(), reference.length() - 1))
        : Optional.empty();
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
