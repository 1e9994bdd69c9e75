package dev.oncegate.testkit;

import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.Time;
import dev.oncegate.engine.port.WaiterBus;
import dev.oncegate.engine.port.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/**
 * A bus that drops, repeats, delays (and so reorders) and forges, by dice: row 41 of the fault
 * table. Whatever it does, only delay may come of it.
 */
public final class HostileWaiterBus implements WaiterBus {
  /** How long a question for seats waits for its answer. */
  static final Duration SEATS_LIMIT = Duration.ofMillis(500);

  private final WaiterBus honest;
  private final Time time;
  private final Random dice;
  private final Odds odds;
  private final Map<Act, Integer> done = new EnumMap<>(Act.class);

  /**
   * The bus.
   *
   * @param honest carries what is let through
   */
  public HostileWaiterBus(WaiterBus honest, Time time, Random dice, Odds odds) {
    this.honest = honest;
    this.time = time;
    this.dice = dice;
    this.odds = odds;
  }

  /** What can happen to a message. */
  public enum Act {
    /** The question is never delivered. */
    QUESTION_LOST,
    /** The owner's answer is never delivered. */
    ANSWER_LOST,
    /** The question is delivered twice. */
    REPEATED,
    /** The question or the answer comes late; later ones may overtake it. */
    LATE,
    /** Somebody else answers, without having been asked, as he likes. */
    FORGED
  }

  /**
   * How often each happens, from 0 to 1, and how late is late.
   *
   * @param latest of a delay, more than zero
   */
  public record Odds(double lost, double repeated, double late, double forged, Duration latest) {
    /** Everything is lost: a dead bus that does not know it. */
    public static final Odds DEAD = new Odds(1, 0, 0, 0, Duration.ofMillis(1));
  }

  /** How often something was done; a run in which it never was has shown nothing. */
  public int count(Act act) {
    return done.getOrDefault(act, 0);
  }

  @Override
  public Future<Hint> attach(String owner, Waiting waiting) {
    return carried(() -> honest.attach(owner, waiting), this::anyHint, waiting.timeLeft());
  }

  @Override
  public Future<Integer> seats(String owner, Waiting waiting, int wanted) {
    return carried(
        () -> honest.seats(owner, waiting, wanted), () -> dice.nextInt(wanted + 1), SEATS_LIMIT);
  }

  @Override
  public boolean isLocal(String owner) {
    return honest.isLocal(owner);
  }

  @Override
  public boolean healthy() {
    return honest.healthy();
  }

  private <T> Future<T> carried(Supplier<Future<T>> question, Supplier<T> forged, Duration limit) {
    Promise<T> answer = Promise.promise();
    if (happens(odds.forged, Act.FORGED)) {
      T lie = forged.get();
      time.after(delay(), () -> answer.tryComplete(lie));
    }
    if (!happens(odds.lost, Act.QUESTION_LOST)) {
      int copies = happens(odds.repeated, Act.REPEATED) ? 2 : 1;
      for (int copy = 0; copy < copies; copy++) {
        later(
            () ->
                question
                    .get()
                    .onComplete(came -> answered(came.succeeded(), came.result(), answer)));
      }
    }
    return InMemoryWaiterBus.limited(time, answer.future(), limit);
  }

  private <T> void answered(boolean succeeded, T result, Promise<T> answer) {
    if (succeeded && !happens(odds.lost, Act.ANSWER_LOST)) {
      later(() -> answer.tryComplete(result));
    }
  }

  private void later(Runnable delivery) {
    if (happens(odds.late, Act.LATE)) {
      time.after(delay(), delivery);
    } else {
      delivery.run();
    }
  }

  private Duration delay() {
    return Duration.ofNanos(1 + (long) (dice.nextDouble() * odds.latest.toNanos()));
  }

  private Hint anyHint() {
    return switch (dice.nextInt(3)) {
      case 0 -> new Hint.Settled();
      case 1 ->
          new Hint.Released(
              100 + dice.nextInt(500),
              dice.nextBoolean()
                  ? Optional.empty()
                  : Optional.of(Duration.ofSeconds(dice.nextInt(100_000))));
      default -> new Hint.LookAgain();
    };
  }

  private boolean happens(double odds, Act act) {
    // No draw where it cannot happen: a run without faults then does not depend on their number.
    if (odds > 0 && dice.nextDouble() < odds) {
      done.merge(act, 1, Integer::sum);
      return true;
    }
    return false;
  }
}
