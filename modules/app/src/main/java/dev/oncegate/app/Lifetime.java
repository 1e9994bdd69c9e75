package dev.oncegate.app;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends the process in order when SIGTERM or SIGINT comes, with exit code 0: Java's own would be
 * 143, which supervisors take for a failure.
 */
final class Lifetime {
  private final AtomicBoolean abandoned = new AtomicBoolean();

  private Lifetime() {}

  /** From now on a signal stops what is in {@code closers}, drain first. */
  static Lifetime begin(Closers closers) {
    Lifetime lifetime = new Lifetime();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> lifetime.end(closers), "oncegate-stop"));
    return lifetime;
  }

  /** The start has failed; whoever started says with which code the process ends. */
  void abandon() {
    abandoned.set(true);
  }

  private void end(Closers closers) {
    if (abandoned.get()) {
      return;
    }
    closers.closeAll();
    Runtime.getRuntime().halt(0);
  }
}
