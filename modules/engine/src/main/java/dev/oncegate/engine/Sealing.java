package dev.oncegate.engine;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.RecordId;
import dev.oncegate.engine.port.Time;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * AES-256-GCM (NIST SP 800-38D) under a key of the tenant's own, bound to the record id and to
 * which part of the record it is, so that no row can lend its bytes to another.
 */
final class Sealing {
  private static final int NONCE = 12;
  private static final int TAG_BITS = 128;

  private final Time time;

  Sealing(Time time) {
    this.time = time;
  }

  Bytes seal(KeyRing.TenantKeys keys, RecordId id, String part, Bytes plain) {
    byte[] nonce = time.randomBytes(NONCE);
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, keys, nonce, id, part);
      byte[] out = new byte[NONCE + cipher.getOutputSize(plain.length())];
      System.arraycopy(nonce, 0, out, 0, NONCE);
      cipher.doFinal(plain.array(), 0, plain.length(), out, NONCE);
      return Bytes.wrap(out);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM could not seal", e);
    }
  }

  /** The plain bytes; null where they cannot be opened. */
  static @Nullable Bytes open(KeyRing.TenantKeys keys, RecordId id, String part, Bytes sealed) {
    if (sealed.length() < NONCE + TAG_BITS / 8) {
      return null;
    }
    try {
      byte[] nonce = Arrays.copyOf(sealed.array(), NONCE);
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, keys, nonce, id, part);
      return Bytes.wrap(cipher.doFinal(sealed.array(), NONCE, sealed.length() - NONCE));
    } catch (GeneralSecurityException e) {
      return null;
    }
  }

  private static Cipher cipher(
      int mode, KeyRing.TenantKeys keys, byte[] nonce, RecordId id, String part)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    SecretKeySpec key = new SecretKeySpec(keys.answers().array(), "AES");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(id.digest().array());
    cipher.updateAAD(part.getBytes(StandardCharsets.US_ASCII));
    return cipher;
  }
}
