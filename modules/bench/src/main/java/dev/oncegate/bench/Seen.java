package dev.oncegate.bench;

import dev.oncegate.core.RecordId;
import dev.oncegate.engine.port.EngineEvents;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts who waits and what ends it, and logs what should not happen under load. */
final class Seen implements EngineEvents {
  private static final Logger LOG = LoggerFactory.getLogger(Seen.class);

  private final AtomicInteger waiting = new AtomicInteger();
  private final Map<WokenBy, AtomicLong> woken = new EnumMap<>(WokenBy.class);

  Seen() {
    for (WokenBy by : WokenBy.values()) {
      woken.put(by, new AtomicLong());
    }
  }

  /** How many wait now. */
  int waiting() {
    return waiting.get();
  }

  /** How often something ended a wait so far. */
  long woken(WokenBy by) {
    AtomicLong count = woken.get(by);
    return count == null ? 0 : count.get();
  }

  @Override
  public void parked(String tenant) {
    waiting.incrementAndGet();
  }

  @Override
  public void woken(String tenant, WokenBy by, Duration waited) {
    waiting.decrementAndGet();
    AtomicLong count = woken.get(by);
    if (count != null) {
      count.incrementAndGet();
    }
  }

  @Override
  public void left(String tenant) {
    waiting.decrementAndGet();
  }

  @Override
  public void storeFailed(String operation, Throwable cause) {
    LOG.warn("the store failed to {}: {}", operation, cause.toString());
  }

  @Override
  public void markedUnknown(String tenant, String route, RecordId id, String reason) {
    LOG.warn("marked unknown: {}", reason);
  }

  @Override
  public void broken(String tenant, String route, Throwable cause) {
    LOG.warn("broken", cause);
  }
}
