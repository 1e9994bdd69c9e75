package dev.oncegate.parking.eventbus;

import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.RunningWinners;
import dev.oncegate.engine.port.Waiting;
import dev.oncegate.parking.eventbus.BusMessage.Attach;
import dev.oncegate.parking.eventbus.BusMessage.HintReply;
import dev.oncegate.parking.eventbus.BusMessage.Pong;
import dev.oncegate.parking.eventbus.BusMessage.Question;
import dev.oncegate.parking.eventbus.BusMessage.Reply;
import dev.oncegate.parking.eventbus.BusMessage.Seats;
import dev.oncegate.parking.eventbus.BusMessage.SeatsReply;
import dev.oncegate.parking.eventbus.LocalOwners.Owner;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers what comes from other processes for one owner, on the owner's own loop. Attached waiters
 * are bounded: beyond the bound they are told to look again, and poll.
 */
final class Coordinator {
  /** Attached loops of other processes: some hundred bytes each. */
  static final int MOST = 8192;

  private final Owner owner;

  /**
   * The timers that end them, since an attach that was replaced never completes. Belongs to the
   * owner's loop.
   */
  private final Map<Place, Long> attached = new HashMap<>();

  Coordinator(Owner owner) {
    this.owner = owner;
  }

  /** A loop attaches once to a claim: attaching again takes the earlier place. */
  private record Place(RecordId id, FencingToken token, String loop) {}

  Owner owner() {
    return owner;
  }

  /** The reply, on any thread; null where the question is not for owners. */
  @Nullable Future<Reply> asked(Question question) {
    if (question instanceof Attach attach) {
      Waiting waiting = attach.waiting();
      return owner
          .ask(winners -> attach(winners, waiting))
          // A loop that has ended runs no claims.
          .otherwise(new Hint.LookAgain())
          .map(hint -> new HintReply(waiting.id(), waiting.token(), hint));
    }
    if (question instanceof Seats seats) {
      Waiting waiting = seats.waiting();
      return owner
          .ask(winners -> winners.seats(waiting, seats.wanted()))
          .map(granted -> new SeatsReply(waiting.id(), waiting.token(), granted));
    }
    return question instanceof BusMessage.Ping ? Future.succeededFuture(new Pong()) : null;
  }

  private Future<Hint> attach(RunningWinners winners, Waiting waiting) {
    Place place = new Place(waiting.id(), waiting.token(), waiting.loop());
    Long before = attached.get(place);
    if (before == null && attached.size() >= MOST) {
      return Future.succeededFuture(new Hint.LookAgain());
    }
    if (before != null) {
      owner.loop().owner().cancelTimer(before);
    }
    long timer =
        owner
            .loop()
            .owner()
            .setTimer(EventBusWaiterBus.millis(waiting.timeLeft()), id -> leave(place, id));
    attached.put(place, timer);
    return winners.attach(waiting).onComplete(hint -> leave(place, timer));
  }

  private void leave(Place place, long timer) {
    if (attached.remove(place, timer)) {
      owner.loop().owner().cancelTimer(timer);
    }
  }
}
