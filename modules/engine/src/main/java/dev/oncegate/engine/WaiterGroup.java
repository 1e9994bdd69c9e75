package dev.oncegate.engine;

import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.engine.port.EngineEvents.WokenBy;
import dev.oncegate.engine.port.Hint;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All waiters of this loop for the end of one claim. Whatever wakes them is a hint: the row is read
 * once for all of them, and only the row, or the commit that this very loop has just seen
 * acknowledged, is acted on. Nobody claims here: a release answers everybody.
 */
final class WaiterGroup {
  /** Answered in one turn of the loop: others have their turns between thousands of answers. */
  private static final int IN_ONE_TURN = 256;

  private static final Duration NEXT_TURN = Duration.ofMillis(1);

  private final Parking parking;
  private final Subject subject;
  private final IdempotencyRecord.Claimed claim;

  /** Monotonic time at which the database said that it had been claimed. */
  private final long claimedAt;

  private final Set<Waiter> waiters = new LinkedHashSet<>();
  private final EndLook look;
  private @Nullable Watch watch;
  private long latest;
  private boolean ended;

  /**
   * A group without waiters.
   *
   * @param running how long ago the claim was made
   */
  WaiterGroup(Parking parking, Subject subject, IdempotencyRecord.Claimed claim, Duration running) {
    this.parking = parking;
    this.subject = subject;
    this.claim = claim;
    this.claimedAt = parking.now() - running.toNanos();
    this.look = new EndLook(parking, this);
  }

  Subject subject() {
    return subject;
  }

  IdempotencyRecord.Claimed claim() {
    return claim;
  }

  /** Whether the end of the claim is being looked for; whoever comes meanwhile asks the store. */
  boolean isLooking() {
    return look.isUnderWay();
  }

  /** Everybody has been answered, or is about to be. */
  boolean hasEnded() {
    return ended;
  }

  int size() {
    return waiters.size();
  }

  /** How long until the last of those who came gives up. */
  Duration timeLeft() {
    return Duration.ofNanos(Math.max(0, latest - parking.now()));
  }

  /** Where the end of the claim is learned, and room for waiters is asked for. */
  interface Watch {
    /** Whether one more may wait, as far as this loop can tell. */
    boolean hasRoom();

    /** The number of waiters has changed. */
    void resized();

    /** Nobody waits any more, while the claim may go on. */
    void leave();

    /** The claim has ended. */
    void stop();
  }

  void watchBy(Watch its) {
    if (watch != null) {
      watch.stop();
    }
    watch = its;
  }

  boolean hasRoom() {
    return watch != null && watch.hasRoom();
  }

  /** Adds a request whose payload is the claim's. */
  Future<Answer> add(Patience patience) {
    Waiter waiter = new Waiter(patience, parking.now());
    latest = waiters.isEmpty() ? waiter.until() : Math.max(latest, waiter.until());
    waiters.add(waiter);
    parking.entered(this);
    waiter.wait(parking.time(), () -> timeout(waiter), () -> left(waiter));
    resized();
    return waiter.answer();
  }

  /** At most so many may wait; the last ones to come are answered at once. */
  void shrinkTo(int most) {
    List<Waiter> all = List.copyOf(waiters);
    for (int i = all.size() - 1; i >= Math.max(0, most); i--) {
      end(all.get(i), inFlight(), WokenBy.TIMEOUT);
    }
    leaveIfEmpty();
  }

  private void timeout(Waiter waiter) {
    end(waiter, inFlight(), WokenBy.TIMEOUT);
    resized();
  }

  private void left(Waiter waiter) {
    if (waiters.remove(waiter)) {
      parking.left(this);
      waiter.done(inFlight());
      resized();
    }
  }

  private void resized() {
    if (watch != null && !waiters.isEmpty() && !ended) {
      watch.resized();
    }
    leaveIfEmpty();
  }

  private void leaveIfEmpty() {
    if (waiters.isEmpty() && !ended) {
      leave();
    }
  }

  /** Nobody waits any more, while the claim may go on. */
  private void leave() {
    ended = true;
    parking.end(this);
    if (watch != null) {
      watch.leave();
    }
  }

  Answer inFlight() {
    return parking.inFlight(subject, claim, running());
  }

  /** How long the claim has run. */
  Duration running() {
    return Duration.ofNanos(parking.now() - claimedAt);
  }

  private void end(Waiter waiter, Answer answer, WokenBy by) {
    if (waiters.remove(waiter)) {
      parking.woken(this, by, waiter.waited(parking.now()));
      waiter.done(answer);
    }
  }

  /** Answers everybody: the claim has ended. */
  void answerAll(Supplier<Answer> answer, WokenBy by) {
    ended = true;
    parking.end(this);
    if (watch != null) {
      watch.stop();
    }
    answerSome(answer, by);
  }

  private void answerSome(Supplier<Answer> answer, WokenBy by) {
    waiters.stream()
        .limit(IN_ONE_TURN)
        .toList()
        .forEach(waiter -> parking.guard().run(() -> end(waiter, answer.get(), by)));
    if (!waiters.isEmpty()) {
      parking.time().after(NEXT_TURN, () -> answerSome(answer, by));
    }
  }

  /** Ends all waits with what is stored by now, else as in flight: this process stops. */
  Future<Void> drain() {
    return look(WokenBy.TIMEOUT, Optional.empty())
        .onComplete(
            looked -> {
              if (!ended) {
                leave();
                answerSome(this::inFlight, WokenBy.TIMEOUT);
              }
            });
  }

  /** A commit of this loop's own was acknowledged: what it wrote is what the row says. */
  void ended(Ending ending) {
    if (waiters.isEmpty()) {
      // It was made for somebody who could not wait: nobody would ever stop its watch.
      return;
    }
    if (ending instanceof Ending.Stored stored) {
      Answer answer = parking.answers().of(subject, stored.record());
      answerAll(() -> answer, WokenBy.LOCAL);
    } else if (ending instanceof Ending.Released released) {
      released(Optional.of(released.hint()), WokenBy.LOCAL);
    } else {
      parking.watchFromAfar(this);
    }
  }

  /** Reads the record, once for all. */
  Future<Void> look(WokenBy by, Optional<Hint.Released> released) {
    return look.look(by, released);
  }

  private Answer attemptReleased(Optional<Hint.Released> winner) {
    return parking.answers().attemptReleased(winner, parking.time());
  }

  /** The claim was released, as the row says. */
  void released(Optional<Hint.Released> winner, WokenBy by) {
    answerAll(() -> attemptReleased(winner), by);
  }
}
