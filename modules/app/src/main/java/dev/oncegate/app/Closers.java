package dev.oncegate.app;

import java.util.concurrent.ConcurrentLinkedDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has been started, to be stopped in the opposite order: after a failed start by the thread
 * that started, after a signal by the one that the signal brings. Each step is stopped once.
 */
final class Closers {
  private static final Logger LOG = LoggerFactory.getLogger(Closers.class);

  private final ConcurrentLinkedDeque<Step> steps = new ConcurrentLinkedDeque<>();

  private record Step(String name, AutoCloseable close) {}

  /** To be called as soon as the thing runs. */
  void add(String name, AutoCloseable close) {
    steps.addLast(new Step(name, close));
  }

  /** Stops everything; a step that fails does not keep the ones below it running. */
  void closeAll() {
    for (Step step = steps.pollLast(); step != null; step = steps.pollLast()) {
      try {
        step.close().close();
      } catch (Exception e) {
        LOG.atWarn().addKeyValue("step", step.name()).setCause(e).log("did not stop cleanly");
      }
    }
  }
}
