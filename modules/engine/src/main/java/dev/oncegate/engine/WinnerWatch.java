package dev.oncegate.engine;

import java.time.Duration;

/** The winner runs on this very loop: it tells of its end, and has room or not, at once. */
final class WinnerWatch implements WaiterGroup.Watch {
  private final WaiterGroup group;
  private final Winner winner;
  private final String self;
  private final java.util.function.LongSupplier nanos;

  WinnerWatch(WaiterGroup group, Winner winner, IdempotencyEngine.Parts parts) {
    this.group = group;
    this.winner = winner;
    this.self = parts.owner();
    this.nanos = parts.time()::nanos;
    winner.tell(group::ended);
  }

  @Override
  public boolean hasRoom() {
    // Takes no place yet: the tenant's limit may still refuse it.
    return winner.room(self, nanos.getAsLong()) > group.size();
  }

  @Override
  public void resized() {
    seats(group.size(), group.timeLeft());
  }

  private void seats(int wanted, Duration timeLeft) {
    long now = nanos.getAsLong();
    winner.seats(self, wanted, now + timeLeft.toNanos(), now);
  }

  @Override
  public void leave() {
    seats(0, Duration.ZERO);
    stop();
  }

  @Override
  public void stop() {
    winner.tell(ending -> {});
  }
}
