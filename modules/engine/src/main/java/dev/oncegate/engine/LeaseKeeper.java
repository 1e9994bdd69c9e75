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
    private boolean asked;

    private Held(Renewal renewal, long every) {
      this.renewal = renewal;
      this.every = every;
      this.due = time.nanos() + every;
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

  Held keep(RecordId id, FencingToken token, RoutePolicy.LeasePolicy policy) {
    Held lease = new Held(new Renewal(id, token, policy.ttl()), policy.renewEvery().toNanos());
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
                due.get(i).due = asked + due.get(i).every;
                if (result.result().get(i) instanceof RenewOutcome.Fenced) {
                  fenced.add(due.get(i));
                }
              }
              fenced.forEach(Held::letGo);
            });
  }
}
