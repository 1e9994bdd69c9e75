package dev.oncegate.core;

/**
 * A client's key that passed the grammar: 1 to 1,024 characters of 0x21–0x7E, case-sensitive. Never
 * logged and never a label: {@link #toString()} hides it.
 */
public record IdempotencyKey(String value) {
  /** Highest {@code key.maxLength} that the format allows. */
  public static final int LONGEST = 1024;

  public IdempotencyKey {
    BrokenInvariant.require(
        !value.isEmpty() && value.length() <= LONGEST, "key length out of range");
    BrokenInvariant.require(
        value.chars().allMatch(c -> c >= 0x21 && c <= 0x7E), "key with a foreign character");
  }

  @Override
  public String toString() {
    return "IdempotencyKey[hidden]";
  }
}
