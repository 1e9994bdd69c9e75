package dev.oncegate.testkit.sim;

/**
 * What happened, in the order in which it did: the newest entries to read, and a digest of all of
 * them, by which two runs of one seed are compared.
 */
final class Trace {
  private static final int KEPT = 512;
  private static final long PRIME = 0x100000001b3L;

  private final long[] at = new long[KEPT];
  private final String[] what = new String[KEPT];
  private final long[] numbers = new long[KEPT * 3];
  private long count;
  private long digest = 0xcbf29ce484222325L;

  /**
   * An entry; -1 stands for a number that it does not have.
   *
   * @param what a constant: it is made no matter whether anybody will read it
   */
  void add(long now, String what, int node, int key, long detail) {
    int i = (int) (count++ % KEPT);
    at[i] = now;
    this.what[i] = what;
    numbers[i * 3] = node;
    numbers[i * 3 + 1] = key;
    numbers[i * 3 + 2] = detail;
    mix(now);
    mix(what.hashCode());
    mix(node * 31L + key);
    mix(detail);
  }

  private void mix(long value) {
    digest = (digest ^ value) * PRIME;
    digest ^= digest >>> 29;
  }

  long digest() {
    return digest;
  }

  /** The newest entries, oldest first, one a line. */
  String tail() {
    StringBuilder out = new StringBuilder();
    for (long i = Math.max(0, count - KEPT); i < count; i++) {
      int slot = (int) (i % KEPT);
      out.append(String.format("%11.4f s", at[slot] / 1e9));
      number(out, " node ", numbers[slot * 3]);
      number(out, " key ", numbers[slot * 3 + 1]);
      out.append(' ').append(what[slot]);
      number(out, " #", numbers[slot * 3 + 2]);
      out.append('\n');
    }
    return out.toString();
  }

  private static void number(StringBuilder out, String label, long number) {
    if (number >= 0) {
      out.append(label).append(number);
    }
  }
}
