package dev.oncegate.engine;

import dev.oncegate.core.RecordId;
import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.RunningWinners;
import dev.oncegate.engine.port.Time;
import dev.oncegate.engine.port.Waiting;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The winners of this loop, and the claims that it has asked for and not been told of yet: another
 * loop can see a claim's row before its own winner learns that it has won.
 */
final class Winners implements RunningWinners {
  private final Time time;
  private final Map<RecordId, Winner> running = new HashMap<>();
  private final Guard guard;
  private final Map<RecordId, List<Next>> asked = new HashMap<>();

  Winners(Time time, Guard guard) {
    this.time = time;
    this.guard = guard;
  }

  /** What waits for the outcome of a claim that is under way. */
  @FunctionalInterface
  interface Next {
    /**
     * Goes on.
     *
     * @param failure null where the store has told what the claim found
     */
    void run(@Nullable Throwable failure);
  }

  /** The claim of that record which runs here and can be relied on. */
  Optional<Winner> find(RecordId id) {
    return Optional.ofNullable(running.get(id)).filter(Winner::holds);
  }

  void started(Winner winner) {
    running.put(winner.record().facts().id(), winner);
  }

  void ended(Winner winner) {
    running.remove(winner.record().facts().id(), winner);
  }

  /** Whether a claim of that record is under way. */
  boolean isAsked(RecordId id) {
    return asked.containsKey(id);
  }

  /** A claim leaves for the store. */
  void ask(RecordId id) {
    asked.put(id, new ArrayList<>());
  }

  /** Runs once the claim that is under way has its outcome; at once where none is. */
  void whenTold(RecordId id, Next next) {
    List<Next> waiting = asked.get(id);
    if (waiting == null) {
      next.run(null);
    } else {
      waiting.add(next);
    }
  }

  /**
   * The claim has its outcome, and what follows from it for the winner has been done.
   *
   * @param failure where the store could not tell
   */
  void told(RecordId id, @Nullable Throwable failure) {
    List<Next> waiting = asked.remove(id);
    if (waiting != null) {
      waiting.forEach(next -> guard.run(() -> next.run(failure)));
    }
  }

  @Override
  public Future<Hint> attach(Waiting waiting) {
    return Future.future(
        hint ->
            whenTold(
                waiting.id(),
                unused ->
                    find(waiting)
                        .map(winner -> winner.attach(waiting))
                        .orElseGet(() -> Future.succeededFuture(new Hint.LookAgain()))
                        .onComplete(hint)));
  }

  @Override
  public Future<Integer> seats(Waiting waiting, int wanted) {
    return Future.future(
        granted ->
            whenTold(
                waiting.id(),
                unused -> {
                  long now = time.nanos();
                  long until = now + waiting.timeLeft().toNanos();
                  granted.complete(
                      find(waiting)
                          .map(winner -> winner.seats(waiting.loop(), wanted, until, now))
                          .orElse(wanted));
                }));
  }

  private Optional<Winner> find(Waiting waiting) {
    return find(waiting.id()).filter(winner -> winner.token().equals(waiting.token()));
  }
}
