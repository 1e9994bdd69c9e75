package dev.oncegate.engine;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** How many requests wait, per tenant: the one thing about waiting that a node's loops share. */
public final class WaiterCounts {
  private final ConcurrentHashMap<String, AtomicInteger> counts = new ConcurrentHashMap<>();

  /** One more, unless there are {@code most} already. */
  public boolean enter(String tenant, int most) {
    AtomicInteger count = counts.computeIfAbsent(tenant, t -> new AtomicInteger());
    int before = count.get();
    while (before < most) {
      int seen = count.compareAndExchange(before, before + 1);
      if (seen == before) {
        return true;
      }
      before = seen;
    }
    return false;
  }

  /** One less. */
  public void leave(String tenant) {
    AtomicInteger count = counts.get(tenant);
    if (count != null) {
      count.decrementAndGet();
    }
  }

  /** How many wait now. */
  public int waiting(String tenant) {
    AtomicInteger count = counts.get(tenant);
    return count == null ? 0 : count.get();
  }
}
