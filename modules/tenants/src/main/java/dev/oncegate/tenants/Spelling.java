package dev.oncegate.tenants;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the word that somebody probably meant. */
public final class Spelling {
  private Spelling() {}

  /** The nearest candidate, if it is near enough to be a slip: a third of its length at most. */
  public static Optional<String> nearest(String written, Collection<String> candidates) {
    return candidates.stream()
        .filter(candidate -> distance(written, candidate) <= Math.max(1, candidate.length() / 3))
        .min(
            Comparator.comparingInt((String candidate) -> distance(written, candidate))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** Edits between two words: insert, delete, replace, or swap two neighbours. */
  static int distance(String a, String b) {
    if (Math.abs(a.length() - b.length()) > 32) {
      return Integer.MAX_VALUE;
    }
    int[][] edits = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          edits[i][j] = i + j;
          continue;
        }
        int replace = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int fewest =
            Math.min(edits[i - 1][j - 1] + replace, Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        edits[i][j] = swapped ? Math.min(fewest, edits[i - 2][j - 2] + 1) : fewest;
      }
    }
    return edits[a.length()][b.length()];
  }
}
