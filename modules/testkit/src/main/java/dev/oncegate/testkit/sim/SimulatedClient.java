package dev.oncegate.testkit.sim;

import dev.oncegate.core.Fingerprint;
import dev.oncegate.engine.Answer;
import dev.oncegate.engine.IdempotencyStatus;
import dev.oncegate.engine.Patience;
import dev.oncegate.engine.port.Time;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Sends one operation, again and again, until it has a definite answer or no more patience. */
final class SimulatedClient {
  private static final long SECOND = 1_000_000_000L;

  private final World world;
  private final Dice dice;
  private final Plan.Operation operation;
  private final String payload;
  private final Fingerprint fingerprint;

  /** How many attempts it makes at most; one that persists goes on. */
  private final int most;

  private final boolean persists;
  private int made;
  private int current = -1;
  private boolean done;
  private final Duration wish;
  private final boolean hangsUp;
  private Time.Timer patience = () -> {};

  SimulatedClient(World world, Dice dice, Plan.Operation operation, String payload) {
    this.world = world;
    this.dice = dice;
    this.operation = operation;
    this.payload = payload;
    this.fingerprint = Attempt.fingerprint(payload);
    this.persists = dice.chance(0.7);
    this.most = 1 + dice.below(4);
    this.wish = Crowd.wish(dice);
    this.hangsUp = dice.chance(0.5);
  }

  Fingerprint fingerprint() {
    return fingerprint;
  }

  /** What its request says of waiting, and the route allows. */
  Patience patience(Plan.Operation operation) {
    Duration most = operation.route().park().maxWait();
    return new Patience(wish.compareTo(most) < 0 ? wish : most);
  }

  /** Whether it has a definite answer. */
  boolean answered() {
    return done;
  }

  /** Whether it wants one for as long as it takes. */
  boolean persists() {
    return persists;
  }

  void send() {
    if (done || (made >= most && !persists)) {
      return;
    }
    made++;
    Attempt attempt = world.attempt(operation, payload);
    current = attempt.id;
    SimulatedNode node = world.nodes.get(dice.below(Plan.NODES));
    Incarnation process = node.running();
    world.trace("client sends", node.index, attempt);
    // Whether it hangs up or not, its first request may still run while it sends again.
    patience = world.agenda.in(dice.between(SECOND, 12 * SECOND), () -> leave(attempt, process));
    if (process != null) {
      int any = dice.below(Integer.MAX_VALUE);
      world.agenda.in(
          dice.millis(0, 30), () -> process.wake(() -> process.serve(attempt, this, any)));
    }
  }

  /** A process has answered; the answer may still be lost on its way. */
  void answered(Attempt attempt, Answer answer) {
    if (!world.weather.healed && dice.chance(world.plan.roughness())) {
      return;
    }
    world.agenda.in(dice.millis(0, 30), () -> received(attempt, answer));
  }

  private void received(Attempt attempt, Answer answer) {
    if (attempt.id != current || done) {
      return;
    }
    IdempotencyStatus status = answer.status();
    done =
        status == IdempotencyStatus.EXECUTED
            || status == IdempotencyStatus.REPLAYED
            || status == IdempotencyStatus.MISMATCH
            || status == IdempotencyStatus.EXPIRED;
    if (done) {
      patience.cancel();
    } else {
      again(attempt, SECOND / 5);
    }
  }

  private void leave(Attempt attempt, @Nullable Incarnation process) {
    if (hangsUp && process != null) {
      process.wake(attempt::hangUp);
    }
    again(attempt, 0);
  }

  private void again(Attempt attempt, long least) {
    if (attempt.id == current && !done) {
      current = -1;
      patience.cancel();
      world.agenda.in(dice.between(least, 4 * SECOND), this::send);
    }
  }
}
