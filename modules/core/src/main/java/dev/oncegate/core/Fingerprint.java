package dev.oncegate.core;

/**
 * Keyed digest of a request's canonical projection; tells a retry from another request under the
 * same key.
 *
 * @param version the form of the projection that it was taken over
 * @param digest HMAC-SHA-256, 32 bytes, under the tenant's own key
 */
public record Fingerprint(int version, Bytes digest) {
  public Fingerprint {
    BrokenInvariant.require(version > 0, "fingerprint versions count from 1");
    BrokenInvariant.require(digest.length() == 32, "a fingerprint has 32 bytes");
  }
}
