package dev.oncegate.engine;

import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.port.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How many questions a node asks a tenant's API: at a rate, and few at a time, since an API with
 * unknown outcomes has just been in trouble. Lives on one event loop.
 */
public final class ProbeLimits {
  /** Questions to one tenant at a time. */
  private static final int MOST_AT_A_TIME = 8;

  /** Whoever is put off for longer than this comes back to be put off again. */
  private static final Duration LONGEST = Duration.ofSeconds(30);

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

    /** Questions that were put off and whose turn has not come yet, by the rate. */
    private double waiting;
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
      double filled = (now - bucket.filledAt) / NANOS * rate;
      bucket.tokens = Math.min(most, bucket.tokens + filled);
      bucket.waiting = Math.max(0, bucket.waiting - filled);
    }
    bucket.filledAt = now;
    if (bucket.tokens < 1 || bucket.running >= MOST_AT_A_TIME) {
      return false;
    }
    bucket.tokens--;
    bucket.running++;
    return true;
  }

  /** When one more question finds room behind those that were put off before it. */
  Duration room(TenantPolicy tenant) {
    Bucket bucket = buckets.get(tenant.id());
    if (bucket == null) {
      return Duration.ZERO;
    }
    bucket.waiting++;
    double seconds = Math.max(1, bucket.waiting) / tenant.upstream().probesPerSecond();
    return Duration.ofNanos((long) Math.min(seconds * NANOS, LONGEST.toNanos()));
  }

  /** The question has been answered, or not. */
  void giveBack(TenantPolicy tenant) {
    Bucket bucket = buckets.get(tenant.id());
    if (bucket != null) {
      bucket.running--;
    }
  }
}
