package dev.oncegate.core;

import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * Bytes with value equality, so that records which hold digests and bodies can be compared. Nobody
 * writes to the array after wrapping it; equality takes constant time for equal lengths, since
 * digests are compared with it.
 */
public final class Bytes {
  /** No bytes. */
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] array;

  private Bytes(byte[] array) {
    this.array = array;
  }

  /** Wraps without copying: the caller gives the array away. */
  public static Bytes wrap(byte[] array) {
    return array.length == 0 ? EMPTY : new Bytes(array);
  }

  /** The wrapped array itself; the caller must not write to it. */
  public byte[] array() {
    return array;
  }

  public int length() {
    return array.length;
  }

  public String hex() {
    return HexFormat.of().formatHex(array);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that && MessageDigest.isEqual(array, that.array);
  }

  @Override
  public int hashCode() {
    return java.util.Arrays.hashCode(array);
  }

  /** The length only: bytes may be a body or a secret and must not reach a log. */
  @Override
  public String toString() {
    return "Bytes[" + array.length + "]";
  }
}
