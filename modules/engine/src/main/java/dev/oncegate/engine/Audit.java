package dev.oncegate.engine;

import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.RecordUpkeep;
import dev.oncegate.engine.port.RecordUpkeep.Book;
import io.vertx.core.Future;
import java.util.List;

/**
 * Balances the books per tenant: claims = completed + released + unknown + running (contract §10).
 * A difference means that a record came or went in a way that is none of ours, or that one of our
 * rules is broken: an alarm, and nothing is mended.
 */
public final class Audit {
  private final RecordUpkeep upkeep;
  private final EngineEvents events;

  public Audit(RecordUpkeep upkeep, EngineEvents events) {
    this.upkeep = upkeep;
    this.events = events;
  }

  /** One look, at one instant. */
  public Future<List<Book>> runOnce() {
    return upkeep
        .books()
        .onSuccess(books -> books.forEach(b -> events.imbalance(b.tenant(), b.imbalance())));
  }
}
