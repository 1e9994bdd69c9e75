package dev.oncegate.engine;

import dev.oncegate.engine.port.EngineEvents.WokenBy;
import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.engine.port.Time;
import dev.oncegate.engine.port.WaiterBus;
import dev.oncegate.engine.port.Waiting;
import io.vertx.core.AsyncResult;
import java.time.Duration;
import java.util.Optional;

/**
 * Learns of the end of a claim that another loop owns: by one attach, whose reply is a hint, and by
 * a poll of its own, so that no message is needed for anything but speed. Also says how many wait,
 * since the owner counts them over all nodes; while it cannot be asked, this loop's own limit
 * holds.
 */
final class ClaimWatch implements WaiterGroup.Watch {
  /** First poll, and every one while the owner is not attached to. */
  private static final Duration FIRST = Duration.ofMillis(500);

  /** While hints are expected to come. */
  private static final Duration LONGEST = Duration.ofSeconds(5);

  /** While messages are believed to get lost. */
  private static final Duration DEGRADED = Duration.ofMillis(100);

  private final WaiterGroup group;
  private final WaiterBus bus;
  private final RecordStore store;
  private final Time time;
  private final String self;
  private Duration interval = FIRST;
  private Time.Timer poll = () -> {};
  private boolean attached;
  private int asked;
  private boolean asking;
  private boolean started;
  private boolean stopped;
  private boolean left;

  ClaimWatch(WaiterGroup group, IdempotencyEngine.Parts parts) {
    this.group = group;
    this.bus = parts.bus();
    this.store = parts.store();
    this.time = parts.time();
    this.self = parts.owner();
  }

  @Override
  public boolean hasRoom() {
    return group.size() < group.subject().route().park().maxWaitersPerKey();
  }

  @Override
  public void stop() {
    stopped = true;
    poll.cancel();
  }

  @Override
  public void leave() {
    stop();
    left = true;
    giveBack();
  }

  private void giveBack() {
    if (!asking) {
      bus.seats(owner(), waiting(), 0);
    }
  }

  private String owner() {
    return group.claim().facts().owner();
  }

  private Waiting waiting() {
    return new Waiting(group.subject().id(), group.claim().facts().token(), self, group.timeLeft());
  }

  private void attach() {
    attached = true;
    long since = time.nanos();
    bus.attach(owner(), waiting()).onComplete(hint -> hinted(hint, since));
  }

  private void hinted(AsyncResult<Hint> hint, long since) {
    attached = false;
    if (stopped) {
      return;
    }
    // Nobody will tell of the end any more: from now on the polls have to find it.
    interval = FIRST;
    schedule();
    if (hint.failed()) {
      if (time.nanos() - since >= FIRST.toNanos()) {
        // It has only ended with the waiters of that time; an owner that is not there fails at
        // once.
        attach();
      }
      return;
    }
    Optional<Hint.Released> released =
        hint.result() instanceof Hint.Released said ? Optional.of(said) : Optional.empty();
    group.look(bus.isLocal(owner()) ? WokenBy.LOCAL : WokenBy.BUS, released);
  }

  /**
   * With the first waiter the watch begins: it attaches, says how many wait, and looks at the store
   * once both have been said. Later on one question is asked at a time, and the latest number
   * counts.
   */
  @Override
  public void resized() {
    if (!started) {
      started = true;
      attach();
      schedule();
    }
    int waiters = group.size();
    if (stopped || asking || waiters == asked) {
      return;
    }
    boolean first = asked == 0;
    asking = true;
    asked = waiters;
    bus.seats(owner(), waiting(), waiters)
        .onComplete(
            granted -> {
              asking = false;
              if (left) {
                giveBack();
              }
              if (stopped) {
                return;
              }
              if (granted.succeeded() && granted.result() < waiters) {
                asked = granted.result();
                group.shrinkTo(granted.result());
              }
              if (first && !stopped) {
                // Closes the gap between the claim that met its rival, and the attach.
                poll();
              }
              if (!stopped) {
                resized();
              }
            });
  }

  private void schedule() {
    if (stopped) {
      // An owner of this very loop answers at once, and that may have been the end.
      return;
    }
    if (!bus.healthy()) {
      interval = DEGRADED;
    }
    poll.cancel();
    poll = time.after(Jitter.around(time, interval), this::tick);
    Duration doubled = interval.multipliedBy(2);
    boolean rely = attached && bus.healthy();
    interval = !rely ? FIRST : doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
  }

  private void tick() {
    if (!attached) {
      attach();
    }
    schedule();
    poll();
  }

  private void poll() {
    store
        .standing(group.subject().id(), group.claim().facts().token())
        .onSuccess(
            standing -> {
              if (!standing && !stopped) {
                group.look(WokenBy.POLL, Optional.empty());
              }
            });
  }
}
