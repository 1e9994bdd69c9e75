package dev.oncegate.parking.eventbus;

import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.Waiting;
import java.util.List;

/** What nodes say to each other; {@link BusCodec} has the wire form. */
sealed interface BusMessage {
  /** Asks for a reply. */
  sealed interface Question extends BusMessage {}

  /** Answers one question, and no other. */
  sealed interface Reply extends BusMessage {}

  /** Tell me of the end of this claim. */
  record Attach(Waiting waiting) implements Question {}

  /** Room for so many of my waiters. */
  record Seats(Waiting waiting, int wanted) implements Question {}

  /** Are you there? */
  record Ping() implements Question {}

  /** Do you reach these addresses of mine? */
  record Check(List<String> addresses) implements Question {
    public Check {
      addresses = List.copyOf(addresses);
    }
  }

  /** What happened to the claim: to {@link Attach}. */
  record HintReply(RecordId id, FencingToken token, Hint hint) implements Reply {}

  /** How many may wait: to {@link Seats}. */
  record SeatsReply(RecordId id, FencingToken token, int granted) implements Reply {}

  /** To {@link Ping}. */
  record Pong() implements Reply {}

  /** Those that were not reached: to {@link Check}. */
  record Checked(List<String> lost) implements Reply {
    public Checked {
      lost = List.copyOf(lost);
    }
  }
}
