package dev.oncegate.engine;

import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.RenewOutcome;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.engine.port.RecordStore.Renewal;
import dev.oncegate.engine.port.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Renews every running lease of this event loop, all that are due in one statement. A renewal that
 * fails is asked again at the next tick: with {@code renewEvery} at most a third of the lease, one
 * that is missed does no harm. A fenced lease is not renewed any more; the exchange learns it when
 * it settles.
 */
final class LeaseKeeper {
  /** Fine enough for the shortest useful lease (1 s), and nothing runs while no lease is held. */
  private static final Duration TICK = Duration.ofMillis(100);

  /** Part of a lease that a send may not come into: two clocks drift less than that (A5). */
  private static final long SEND_MARGIN = 10;

  private final RecordStore store;
  private final Time time;
  private final EngineEvents events;
  private final Set<Held> held = new LinkedHashSet<>();
  private Time.@Nullable Timer timer;

  LeaseKeeper(RecordStore store, Time time, EngineEvents events) {
    this.store = store;
    this.time = time;
    this.events = events;
  }

  /** A lease that is being renewed, until it is let go. */
  final class Held {
    private final Renewal renewal;
    private final long every;
    private long due;
    private final long margin;
    private boolean asked;
    private boolean fenced;
    private Runnable whenFenced = () -> {};

    /** Monotonic; the lease lasts at least until then, since its clock started later. */
    private long validUntil;

    private Held(Renewal renewal, long every, long askedAt) {
      this.renewal = renewal;
      this.every = every;
      this.due = time.nanos() + every;
      this.margin = renewal.ttl().toNanos() / SEND_MARGIN;
      this.validUntil = askedAt + renewal.ttl().toNanos();
    }

    /** Whether the lease surely stands, and will for a moment (reliability S8, A5). */
    boolean maySend() {
      return !fenced && validUntil - margin - time.nanos() > 0;
    }

    /** Whether the lease can still be the record's, as far as this loop knows. */
    boolean stands() {
      return !fenced && validUntil - time.nanos() > 0;
    }

    /** Runs once, where a renewal was refused. */
    void whenFenced(Runnable told) {
      whenFenced = told;
    }

    /** Stops renewing. */
    void letGo() {
      held.remove(this);
      if (held.isEmpty() && timer != null) {
        timer.cancel();
        timer = null;
      }
    }
  }

  /**
   * Renews a lease until it is let go.
   *
   * @param asked monotonic time just before the claim left
   */
  Held keep(RecordId id, FencingToken token, RoutePolicy.LeasePolicy policy, long asked) {
    Held lease =
        new Held(new Renewal(id, token, policy.ttl()), policy.renewEvery().toNanos(), asked);
    held.add(lease);
    if (timer == null) {
      timer = time.after(TICK, this::tick);
    }
    return lease;
  }

  private void tick() {
    timer = held.isEmpty() ? null : time.after(TICK, this::tick);
    long now = time.nanos();
    List<Held> due = held.stream().filter(h -> !h.asked && now - h.due >= 0).toList();
    if (!due.isEmpty()) {
      renew(due);
    }
  }

  private void renew(List<Held> due) {
    long asked = time.nanos();
    due.forEach(h -> h.asked = true);
    store
        .renew(due.stream().map(h -> h.renewal).toList())
        .onComplete(
            result -> {
              due.forEach(h -> h.asked = false);
              if (result.failed()) {
                events.storeFailed("renew", result.cause());
                return;
              }
              List<Held> fenced = new ArrayList<>();
              for (int i = 0; i < due.size(); i++) {
                Held lease = due.get(i);
                lease.due = asked + lease.every;
                if (result.result().get(i) instanceof RenewOutcome.Fenced) {
                  lease.fenced = true;
                  fenced.add(lease);
                } else {
                  lease.validUntil = asked + lease.renewal.ttl().toNanos();
                }
              }
              fenced.forEach(Held::letGo);
              fenced.forEach(lease -> lease.whenFenced.run());
            });
  }
}
