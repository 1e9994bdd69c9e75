package dev.oncegate.engine;

import java.time.Duration;

/**
 * How long one client lets itself be kept waiting for another request's outcome, and whether it is
 * still there. Belongs to one event loop.
 */
public final class Patience {
  private final Duration limit;
  private Runnable whenGone = () -> {};
  private boolean gone;
  private boolean counted;

  /**
   * A client's patience.
   *
   * @param limit zero: it does not wait
   */
  public Patience(Duration limit) {
    this.limit = limit;
  }

  public Duration limit() {
    return limit;
  }

  /** The client has gone: its wait ends, and nobody is answered. */
  public void leave() {
    if (!gone) {
      gone = true;
      whenGone.run();
    }
  }

  /** Whether the limit had a say: the request waited, or would have. */
  public boolean counted() {
    return counted;
  }

  void count() {
    counted = true;
  }

  boolean gone() {
    return gone;
  }

  void whenGone(Runnable leave) {
    whenGone = leave;
  }
}
