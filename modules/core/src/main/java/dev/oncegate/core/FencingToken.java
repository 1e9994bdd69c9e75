package dev.oncegate.core;

/**
 * Number issued with each claim that only grows for a key, across release, restart and failover.
 * Every write after the claim names it and an older one is refused (Kleppmann, DDIA ch. 8).
 */
public record FencingToken(long value) implements Comparable<FencingToken> {
  public FencingToken {
    BrokenInvariant.require(value > 0, "a token is positive");
  }

  @Override
  public int compareTo(FencingToken other) {
    return Long.compare(value, other.value);
  }
}
