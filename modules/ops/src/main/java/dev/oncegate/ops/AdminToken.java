package dev.oncegate.ops;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/**
 * The bearer token of the ops API (contract §9): the configured one, or a random one that is told
 * once. There is no built-in one.
 */
public final class AdminToken {
  /** Beyond any guessing; as text 43 characters. */
  private static final int RANDOM_BYTES = 32;

  private final byte[] digest;
  private final Optional<String> made;

  private AdminToken(byte[] token, Optional<String> made) {
    this.digest = digest(token);
    this.made = made;
  }

  /** A token that somebody has configured; it is never shown. */
  public static AdminToken given(byte[] token) {
    return new AdminToken(token, Optional.empty());
  }

  /** A new one, where none is configured: the ops API is never open. */
  public static AdminToken random(SecureRandom random) {
    byte[] bytes = new byte[RANDOM_BYTES];
    random.nextBytes(bytes);
    String text = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    return new AdminToken(text.getBytes(StandardCharsets.US_ASCII), Optional.of(text));
  }

  /** The random one, to be told to whoever started the process; empty where one was configured. */
  public Optional<String> made() {
    return made;
  }

  /** Whether it is the token. Digests are compared, so that not even its length can be timed. */
  boolean fits(String presented) {
    return MessageDigest.isEqual(digest, digest(presented.getBytes(StandardCharsets.ISO_8859_1)));
  }

  @Override
  public String toString() {
    return "***";
  }

  private static byte[] digest(byte[] token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
