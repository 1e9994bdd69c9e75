package dev.oncegate.testkit.history;

/**
 * Status and body of an answer.
 *
 * @param digest of the body's bytes; empty where the bytes were not kept or are not known, which
 *     agrees with all
 */
public record Answer(int status, String digest) {
  /** Whether both can be the same answer. */
  boolean agrees(Answer other) {
    return status == other.status
        && (digest.equals(other.digest) || digest.isEmpty() || other.digest.isEmpty());
  }
}
