package dev.oncegate.engine;

import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.port.RecordUpkeep.Due;
import io.vertx.core.Future;

/** One question about one unknown outcome. */
@FunctionalInterface
public interface Interview {
  /** Asks once. Succeeds in every expected case; the question leaves after {@code due.takenAt}. */
  Future<Finding> ask(Due due, RoutePolicy.Protocol protocol, TenantPolicy tenant);

  /** What the answer comes to. */
  sealed interface Finding {
    /** As metrics label it. */
    String verdict();

    /** The effect is there, and this is the answer to replay. */
    record Applied(StoredAnswer answer) implements Finding {
      @Override
      public String verdict() {
        return "applied";
      }
    }

    /** No effect was there when the question arrived. */
    record NotApplied() implements Finding {
      @Override
      public String verdict() {
        return "not_applied";
      }
    }

    /**
     * Neither.
     *
     * @param answered whether there was an answer at all
     * @param why a few words, without content
     */
    record Undecided(boolean answered, String why) implements Finding {
      @Override
      public String verdict() {
        return answered ? "undecided" : "no_answer";
      }
    }
  }
}
