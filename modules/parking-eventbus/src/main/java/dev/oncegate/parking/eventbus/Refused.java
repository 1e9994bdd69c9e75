package dev.oncegate.parking.eventbus;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Messages that are none of ours: counted, and told once a minute at most. */
final class Refused {
  private static final Logger LOG = LoggerFactory.getLogger(Refused.class);
  private static final long QUIET_NANOS = 60_000_000_000L;

  private final AtomicLong count = new AtomicLong();
  private final AtomicLong loudAgain = new AtomicLong(System.nanoTime());

  /** One more. */
  void add() {
    long all = count.incrementAndGet();
    long now = System.nanoTime();
    long from = loudAgain.get();
    if (now - from >= 0 && loudAgain.compareAndSet(from, now + QUIET_NANOS)) {
      LOG.atWarn()
          .addKeyValue("refused", all)
          .log("messages on the bus that no node of this installation has signed");
    }
  }

  /** How many since the start. */
  long count() {
    return count.get();
  }
}
