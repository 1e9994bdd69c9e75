package dev.oncegate.parking.eventbus;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.Hkdf;
import dev.oncegate.engine.KeyRing.Secret;
import java.security.MessageDigest;
import java.util.List;
import java.util.stream.Stream;

/**
 * The keys under which nodes sign their messages to each other, derived from the installation
 * secret. Hazelcast's open edition and a plain event bus know no peer from a stranger, so each
 * message proves by itself that its sender has the secret.
 */
public final class BusKeys {
  /** Length of a signature, in bytes. */
  static final int TAG = 32;

  private final List<byte[]> keys;

  /**
   * Derives the keys.
   *
   * @param current what this node signs under
   * @param previous what others may still sign under while the secret is being changed
   */
  public BusKeys(Secret current, List<Secret> previous) {
    this.keys =
        Stream.concat(Stream.of(current), previous.stream())
            .map(secret -> Hkdf.derive(secret.bytes().array(), "", "oncegate event bus"))
            .toList();
  }

  Bytes sign(byte[] what) {
    return Bytes.wrap(Hkdf.hmac(keys.get(0), what));
  }

  /** Whether a holder of the current or a previous secret signed it; compared in constant time. */
  boolean signed(byte[] what, byte[] tag) {
    boolean fits = false;
    for (byte[] key : keys) {
      fits |= MessageDigest.isEqual(Hkdf.hmac(key, what), tag);
    }
    return fits;
  }
}
