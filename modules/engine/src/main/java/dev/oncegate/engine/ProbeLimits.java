package dev.oncegate.engine;

import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.port.Time;
import java.util.HashMap;
import java.util.Map;

/**
 * How many questions a node asks a tenant's API: at a rate, and few at a time, since an API with
 * unknown outcomes has just been in trouble. Lives on one event loop.
 */
public final class ProbeLimits {
  /** Questions to one tenant at a time. */
  private static final int MOST_AT_A_TIME = 8;

  private static final double NANOS = 1e9;

  private final Time time;
  private final Map<String, Bucket> buckets = new HashMap<>();

  public ProbeLimits(Time time) {
    this.time = time;
  }

  /** A token bucket that holds one second's worth, and at least one. */
  private static final class Bucket {
    private double tokens;
    private long filledAt;
    private int running;
  }

  /** Whether one more question may be asked now; then {@link #giveBack} has to follow. */
  boolean take(TenantPolicy tenant) {
    double rate = tenant.upstream().probesPerSecond();
    double most = Math.max(1, rate);
    long now = time.nanos();
    Bucket bucket = buckets.get(tenant.id());
    if (bucket == null) {
      bucket = new Bucket();
      bucket.tokens = most;
      buckets.put(tenant.id(), bucket);
    } else {
      bucket.tokens = Math.min(most, bucket.tokens + (now - bucket.filledAt) / NANOS * rate);
    }
    bucket.filledAt = now;
    if (bucket.tokens < 1 || bucket.running >= MOST_AT_A_TIME) {
      return false;
    }
    bucket.tokens--;
    bucket.running++;
    return true;
  }

  /** The question has been answered, or not. */
  void giveBack(TenantPolicy tenant) {
    Bucket bucket = buckets.get(tenant.id());
    if (bucket != null) {
      bucket.running--;
    }
  }
}
