package dev.oncegate.bench;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** Durations that were measured; belongs to one thread. */
final class Delays {
  private long[] nanos = new long[256];
  private int count;

  void add(long duration) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = duration;
  }

  int count() {
    return count;
  }

  /** In milliseconds; 0 where there is none. */
  double percentile(double share) {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    int at = (int) Math.min(count - 1L, (long) (share * count));
    return count == 0 ? 0 : sorted[at] / 1e6;
  }

  static Delays together(Collection<Delays> parts) {
    Delays all = new Delays();
    for (Delays part : parts) {
      for (int i = 0; i < part.count; i++) {
        all.add(part.nanos[i]);
      }
    }
    return all;
  }

  /** The median; of an even number the upper one. 0 where there is none. */
  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.isEmpty() ? 0 : sorted.get(sorted.size() / 2);
  }
}
