package dev.oncegate.core;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Which end-to-end headers of an answer are stored and replayed, and which never (contract §4). */
public final class HeaderPolicy {
  /** Belong to one exchange or one client; a replay must not carry them. */
  private static final Set<String> NEVER =
      Set.of("set-cookie", "set-cookie2", "date", "www-authenticate");

  private HeaderPolicy() {}

  /**
   * The headers to store, in their order and multiplicity.
   *
   * @param endToEnd an answer's headers without hop-by-hop ones
   * @param neverStore the route's deny-list; a trailing {@code *} is a prefix
   */
  public static List<HeaderField> stored(List<HeaderField> endToEnd, List<String> neverStore) {
    return endToEnd.stream().filter(h -> isStored(h.name(), neverStore)).toList();
  }

  private static boolean isStored(String name, List<String> neverStore) {
    String lower = name.toLowerCase(Locale.ROOT);
    // Oncegate's own headers describe one answer; an upstream that sends them must not forge ours.
    if (NEVER.contains(lower) || lower.startsWith("proxy-") || isOurs(lower)) {
      return false;
    }
    return neverStore.stream()
        .map(pattern -> pattern.toLowerCase(Locale.ROOT))
        .noneMatch(
            pattern ->
                pattern.endsWith("*")
                    ? lower.startsWith(pattern.substring(0, pattern.length() - 1))
                    : lower.equals(pattern));
  }

  /** Whether a header name (any case) is one that only Oncegate may set on an answer. */
  public static boolean isOurs(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "idempotency-status",
          "idempotency-expires",
          "idempotency-replayed",
          "idempotency-reconstructed" ->
          true;
      default -> false;
    };
  }
}
