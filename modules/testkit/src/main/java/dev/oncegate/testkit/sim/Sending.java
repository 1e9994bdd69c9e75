package dev.oncegate.testkit.sim;

import dev.oncegate.core.HeaderField;
import dev.oncegate.engine.UpstreamAnswer;
import dev.oncegate.engine.UpstreamRequest;
import dev.oncegate.engine.UpstreamResult;
import dev.oncegate.engine.port.Upstream;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import java.util.List;
import java.util.Optional;

/** One send of one attempt, as the real adapter does it: a pool, a look at the lease, one send. */
final class Sending {
  private static final double REFUSED = 0.02;
  private static final double NOT_KEPT = 0.03;

  /** Longest way from the look at the lease to the upstream, as a part of the quarantine (A2). */
  private static final double ARRIVES_WITHIN = 0.99;

  private final World world;
  private final Incarnation process;
  private final Attempt attempt;
  private final UpstreamRequest request;
  private final Upstream.Progress progress;
  private final Dice dice;
  private final Promise<UpstreamResult> result = Promise.promise();

  Sending(
      World world,
      Incarnation process,
      Attempt attempt,
      UpstreamRequest request,
      Upstream.Progress progress) {
    this.world = world;
    this.process = process;
    this.attempt = attempt;
    this.request = request;
    this.progress = progress;
    this.dice = world.upstream.dice();
  }

  Future<UpstreamResult> run() {
    var abandon = process.afterNanos(world.plan.abandon(), this::abandon);
    if (dice.chance(REFUSED)) {
      process.afterNanos(
          dice.millis(1, 900),
          () -> result.tryComplete(new UpstreamResult.NotSent("connection refused")));
    } else {
      process.afterNanos(poolWait(), this::connected);
    }
    return result.future().onComplete(done -> abandon.cancel());
  }

  private long poolWait() {
    return world.weather.requestsSlow > 0 && dice.chance(0.3)
        ? dice.between(0, 2 * world.plan.lease())
        : dice.millis(0, 3);
  }

  private void connected() {
    if (result.future().isComplete()) {
      return;
    }
    if (!world.variation.habits().ignoresLease() && !progress.maySend()) {
      world.saw(Rare.SEND_REFUSED_BY_THE_LEASE);
      result.tryComplete(new UpstreamResult.NotSent("the lease was lost before the send"));
      return;
    }
    world.effects().maySend(attempt);
    attempt.checkedAt = world.agenda.now();
    attempt.onItsWay = true;
    // The process may be stopped or killed in between; its bytes then leave late, or never.
    process.afterNanos(dice.millis(0, 2), this::leave);
  }

  private void leave() {
    world.effects().leaves(attempt, SimulatedUpstream.header(request, "X-Key"));
    attempt.sends++;
    world.trace("request leaves", process.node.index, attempt);
    progress.sent();
    process.afterNanos(
        attempt.operation.tenant().upstream().timeouts().firstByte().toNanos(),
        () -> {
          if (!result.future().isComplete()) {
            progress.late();
          }
        });
    long delay = way();
    if (delay < 0) {
      attempt.onItsWay = false;
      world.trace("request is lost", process.node.index, attempt);
    } else {
      world.agenda.in(delay, this::arrive);
    }
    if (world.upstream.resets()) {
      long most = dice.chance(0.5) ? world.plan.lease() / 4 : 2 * world.plan.lease();
      process.afterNanos(dice.between(0, most), this::reset);
    }
  }

  /** How long until it arrives; negative: never. No longer than A2 lets anything be under way. */
  private long way() {
    long delay = world.upstream.requestDelay();
    boolean lost = world.upstream.lost();
    if (world.variation.habits().unbounded()) {
      return lost ? -1 : 3 * delay;
    }
    long left =
        (long) (world.plan.quarantine() * ARRIVES_WITHIN)
            - (world.agenda.now() - attempt.checkedAt);
    if (lost || left < 0) {
      return -1;
    }
    return Math.min(delay, left);
  }

  private void reset() {
    boolean first = result.tryComplete(new UpstreamResult.Broken("connection lost", false));
    if (first && world.variation.habits().sendsTwice()) {
      attempt.onItsWay = true;
      leave();
    }
  }

  private void abandon() {
    if (attempt.checkedAt < 0 || world.variation.habits().abandonIsNotSent()) {
      result.tryComplete(new UpstreamResult.NotSent("no connection in time"));
    } else if (result.tryComplete(
        new UpstreamResult.Broken("no complete answer within abandon", true))) {
      world.saw(Rare.ABANDONED);
    }
  }

  private void arrive() {
    attempt.onItsWay = false;
    world.effects().arrives(attempt, process);
    Optional<String> key =
        attempt.operation.tenant().upstream().honoursKey() && !world.variation.habits().dropsKey()
            ? SimulatedUpstream.header(request, "X-Key")
            : Optional.empty();
    Ledger.Line line = world.upstream.ledger().handle(attempt, key, world.upstream.mood());
    if (!world.upstream.lost()) {
      world.agenda.in(world.upstream.answerDelay(), () -> process.wake(() -> answered(line)));
    }
  }

  private void answered(Ledger.Line line) {
    List<HeaderField> headers = List.of(new HeaderField("X-From", "upstream"));
    if (line.status() == 201 && dice.chance(NOT_KEPT)) {
      world.saw(Rare.ANSWER_NOT_KEPT);
      result.tryComplete(new UpstreamResult.AnsweredUnkept(line.status(), headers, new Unread()));
      return;
    }
    result.tryComplete(
        new UpstreamResult.Answered(new UpstreamAnswer(line.status(), headers, line.body())));
  }

  /** Nobody here reads a body that goes past. */
  private static final class Unread implements UpstreamResult.UnkeptBody {
    @Override
    public ReadStream<Buffer> stream() {
      throw new UnsupportedOperationException("no client of a simulation reads a stream");
    }

    @Override
    public void discard() {}
  }
}
