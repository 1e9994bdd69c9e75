package dev.oncegate.core;

import java.time.Instant;

/**
 * One thing out of the ordinary that happened to a record (contract §6); outlives it.
 *
 * @param at database time
 * @param token of the claim that it concerns
 * @param by {@code owner}, {@code sweeper}, {@code reconciler}, {@code policy}, or a person's name
 * @param text a few words, without key, content or credential
 */
public record TimelineEntry(Instant at, FencingToken token, Kind kind, String by, String text) {
  /** What happened. */
  public enum Kind {
    /** The outcome cannot be told. */
    UNKNOWN,
    /** The tenant's API was asked and said something new. */
    PROBED,
    /** A late owner's write was refused. */
    FENCED,
    /** Nobody will ask any more: a person has to decide. */
    GAVE_UP,
    /** A verdict completed or released the record. */
    RESOLVED;

    /** As the store and the ops API write it. */
    public String label() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * Who says something and why, before the store puts a time to it.
   *
   * @param by see {@link TimelineEntry}
   */
  public record Note(Kind kind, String by, String text) {}
}
