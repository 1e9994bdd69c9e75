package dev.oncegate.testkit.sim;

import dev.oncegate.engine.port.Time;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The one queue of a world: by true time, then by order of entry, so that a seed has one history.
 */
final class Agenda {
  private final PriorityQueue<Entry> entries = new PriorityQueue<>(256);
  private long now;
  private long order;
  private long events;

  /** An entry that has been cancelled stays where it is and is skipped: cheaper than a removal. */
  private static final class Entry implements Comparable<Entry>, Time.Timer {
    private final long at;
    private final long order;
    private @Nullable Runnable run;

    Entry(long at, long order, Runnable run) {
      this.at = at;
      this.order = order;
      this.run = run;
    }

    @Override
    public void cancel() {
      run = null;
    }

    @Override
    public int compareTo(Entry other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  /** True time in nanoseconds since the world began; no node and no database sees it. */
  long now() {
    return now;
  }

  /** How many entries have run. */
  long events() {
    return events;
  }

  /** Runs something once. */
  Time.Timer in(long delay, Runnable run) {
    Entry entry = new Entry(now + Math.max(0, delay), order++, run);
    entries.add(entry);
    return entry;
  }

  /** Runs the next entry; false where none is due until then, and then it is that time. */
  boolean next(long until) {
    for (Entry entry = entries.peek(); entry != null; entry = entries.peek()) {
      if (entry.run != null && entry.at > until) {
        break;
      }
      entries.poll();
      Runnable run = entry.run;
      if (run != null) {
        now = entry.at;
        events++;
        entry.run = null;
        run.run();
        return true;
      }
    }
    now = until;
    return false;
  }
}
