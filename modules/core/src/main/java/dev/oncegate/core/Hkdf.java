package dev.oncegate.core;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HKDF with SHA-256 (RFC 5869), one block: 32 bytes of output are all that we derive. */
public final class Hkdf {
  private Hkdf() {}

  /**
   * A key for one purpose.
   *
   * @param secret at least 32 bytes
   * @param salt what the key belongs to, a tenant's id
   * @param info what it is for
   */
  public static byte[] derive(byte[] secret, String salt, String info) {
    byte[] pseudoRandom = hmac(salt.getBytes(StandardCharsets.UTF_8), secret);
    byte[] block = Arrays.copyOf(info.getBytes(StandardCharsets.UTF_8), info.length() + 1);
    BrokenInvariant.require(info.chars().allMatch(c -> c < 0x80), "purposes are written in ASCII");
    block[info.length()] = 1;
    return hmac(pseudoRandom, block);
  }

  /** HMAC-SHA-256. An empty key stands for 32 zero bytes, as the RFC has it for a missing salt. */
  public static byte[] hmac(byte[] key, byte[] message) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key.length == 0 ? new byte[32] : key, "HmacSHA256"));
      return mac.doFinal(message);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HmacSHA256", e);
    }
  }
}
