package dev.oncegate.parking.eventbus;

import io.vertx.core.eventbus.Message;
import org.jspecify.annotations.Nullable;

/** Bodies as they come off the wire, from whomever. */
final class Bodies {
  private Bodies() {}

  /** The body; null where there is none, or none that can be read. */
  static @Nullable Object of(Message<?> message) {
    try {
      // Read from the wire only now, by a codec that the sender has chosen.
      return message.body();
    } catch (RuntimeException e) {
      return null;
    }
  }
}
