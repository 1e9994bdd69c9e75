package dev.oncegate.engine;

import io.vertx.core.Future;
import java.util.function.Supplier;

/**
 * A record cannot be compared yet: what it takes has to be fetched or made first, and the
 * comparison stands in the middle of a claim, where nothing can wait. The claim is asked again
 * afterwards.
 */
public final class NotAtHand extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Supplier<Future<Void>> provide;

  NotAtHand(String what, Supplier<Future<Void>> provide) {
    super(what, null, false, false);
    this.provide = provide;
  }

  /** Brings it to hand. */
  Future<Void> provide() {
    return provide.get();
  }
}
