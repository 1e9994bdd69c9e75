package dev.oncegate.core;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Identity of a record everywhere: SHA-256 over scope and key. Logs carry its first 8 hex digits.
 */
public record RecordId(Bytes digest) {
  /** Length in bytes. */
  public static final int LENGTH = 32;

  public RecordId {
    BrokenInvariant.require(digest.length() == LENGTH, "a record id has 32 bytes");
  }

  /** The id of a key in its scope. Each part is preceded by its length, so that none can shift. */
  public static RecordId of(Scope scope, IdempotencyKey key) {
    MessageDigest sha = sha256();
    for (String part :
        new String[] {scope.tenant(), scope.route(), scope.principal(), key.value()}) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      sha.update(ByteBuffer.allocate(4).putInt(bytes.length).array());
      sha.update(bytes);
    }
    return new RecordId(Bytes.wrap(sha.digest()));
  }

  /** The id in 64 hex digits, as the ops API shows it. */
  public String hex() {
    return digest.hex();
  }

  /** The first 8 hex digits: all that a log says of a key. */
  public String prefix() {
    return HexFormat.of().formatHex(digest.array(), 0, 4);
  }

  @Override
  public String toString() {
    return prefix();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
