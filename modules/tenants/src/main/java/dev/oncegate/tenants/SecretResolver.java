package dev.oncegate.tenants;

/** Resolves references to secrets, {@code ${env:NAME}} and {@code ${file:/absolute/path}}. */
@FunctionalInterface
public interface SecretResolver {
  /**
   * Resolves one reference whose form the schema has checked.
   *
   * @return the secret, or why there is none; never an exception
   */
  Resolved resolve(String reference);

  /** The environment of this process and the file system. */
  static SecretResolver system() {
    return new SystemSecrets(System::getenv);
  }

  /** What became of a reference. */
  sealed interface Resolved {}

  /**
   * The secret's text, without a line end at its end.
   *
   * @param caution what is unsafe about where it is kept, with what would be right; empty if
   *     nothing
   */
  record Found(String secret, String caution) implements Resolved {
    public Found(String secret) {
      this(secret, "");
    }

    @Override
    public String toString() {
      return "Found[hidden]";
    }
  }

  /** Why there is no secret, with what would be right; names the reference, never a value. */
  record Missing(String why) implements Resolved {}
}
