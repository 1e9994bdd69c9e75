package dev.oncegate.store.postgres;

/** Words of people and of upstreams, before they become values of a statement. */
final class Texts {
  /** Longest reason or note, in characters; it is meant for a line on a page. */
  static final int LONGEST = 500;

  private Texts() {}

  /** No longer than {@link #LONGEST}, and such as Postgres takes. */
  static String bounded(String text) {
    String stored = storable(text);
    return stored.length() <= LONGEST
        ? stored
        : stored.substring(0, stored.offsetByCodePoints(0, LONGEST - 1)) + "…";
  }

  /**
   * Postgres keeps no NUL in a text, and refuses the statement that brings one. What replaces it
   * equals no name of ours.
   */
  static String storable(String text) {
    return text.replace('\0', '\uFFFD');
  }
}
