package dev.oncegate.testkit.sim;

import dev.oncegate.engine.port.Hint;
import dev.oncegate.engine.port.RunningWinners;
import dev.oncegate.engine.port.Time;
import dev.oncegate.engine.port.WaiterBus;
import dev.oncegate.engine.port.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Messages between event loops. Those of one process hand over in memory; between processes each
 * message may be lost, late, repeated or overtaken, and what is said may be made up.
 */
final class SimulatedBus {
  /** The port's "moment". */
  private static final Duration SEATS_LIMIT = Duration.ofMillis(500);

  private final World world;
  private final Dice dice;
  private final Map<String, Member> members = new HashMap<>();

  SimulatedBus(World world, Dice dice) {
    this.world = world;
    this.dice = dice;
  }

  private record Member(SimulatedLoop loop, RunningWinners winners) {}

  /**
   * A question on its way.
   *
   * @param lie what somebody else may answer
   */
  private record Question<T>(
      SimulatedLoop from,
      String owner,
      Waiting waiting,
      Function<RunningWinners, Future<T>> asked,
      Supplier<T> lie,
      Promise<T> reply) {}

  void join(SimulatedLoop loop, RunningWinners winners) {
    members.put(loop.address, new Member(loop, winners));
  }

  void leave(SimulatedLoop loop) {
    members.remove(loop.address);
  }

  /** A loop's way to the others. */
  WaiterBus from(SimulatedLoop loop) {
    return new WaiterBus() {
      @Override
      public Future<Hint> attach(String owner, Waiting waiting) {
        Function<RunningWinners, Future<Hint>> asked = winners -> attached(waiting, winners);
        return ask(loop, owner, waiting, asked, () -> lie(waiting), waiting.timeLeft());
      }

      @Override
      public Future<Integer> seats(String owner, Waiting waiting, int wanted) {
        Function<RunningWinners, Future<Integer>> asked = w -> w.seats(waiting, wanted);
        Supplier<Integer> lie = () -> (int) dice.between(-2, wanted + 3);
        return ask(loop, owner, waiting, asked, lie, SEATS_LIMIT);
      }

      @Override
      public boolean isLocal(String owner) {
        Member member = members.get(owner);
        return member != null && member.loop.process == loop.process;
      }

      @Override
      public boolean healthy() {
        return world.weather.bus.healthy(loop.process.node.index);
      }
    };
  }

  private Future<Hint> attached(Waiting waiting, RunningWinners winners) {
    Future<Hint> hint = winners.attach(waiting);
    if (!hint.isComplete() && world.waiting().ownerDoesNotKnow(waiting)) {
      world.saw(Rare.ATTACHED_BEFORE_THE_OWNER_KNEW);
    }
    return hint;
  }

  private Hint lie(Waiting waiting) {
    Hint lie =
        switch (dice.below(4)) {
          case 0 -> new Hint.Settled();
          case 1 -> new Hint.LookAgain();
          default ->
              new Hint.Released(
                  dice.of(429, 500, 502, 503),
                  dice.chance(0.5)
                      ? Optional.empty()
                      : Optional.of(Duration.ofSeconds(dice.between(0, 100_000))));
        };
    world.waiting().lied(waiting, lie);
    return lie;
  }

  private <T> Future<T> ask(
      SimulatedLoop from,
      String owner,
      Waiting waiting,
      Function<RunningWinners, Future<T>> asked,
      Supplier<T> lie,
      Duration patience) {
    Question<T> question = new Question<>(from, owner, waiting, asked, lie, Promise.promise());
    Time.Timer limit =
        from.process.afterNanos(patience.toNanos(), () -> fail(question, "no answer in time"));
    if (world.weather.bus.forges(dice)) {
      back(question, dice.millis(0, 3_000), () -> question.reply.tryComplete(lie.get()));
    }
    send(question);
    if (world.weather.bus.repeats(dice)) {
      send(question);
    }
    return question.reply.future().onComplete(done -> limit.cancel());
  }

  private static void fail(Question<?> question, String why) {
    question.reply.tryFail(why);
  }

  private <T> void send(Question<T> question) {
    Member to = members.get(question.owner);
    if (to == null) {
      if (dice.chance(0.5)) {
        back(question, dice.millis(1, 100), () -> fail(question, "nobody has that address"));
      }
    } else if (!lost(question, to)) {
      world.agenda.in(delay(question, to), () -> to.loop.process.wake(() -> arrive(question, to)));
    }
  }

  private <T> void arrive(Question<T> question, Member to) {
    question
        .asked
        .apply(to.winners)
        .onSuccess(
            said -> {
              if (!lost(question, to)) {
                T answer = world.weather.bus.forges(dice) ? question.lie.get() : said;
                back(question, delay(question, to), () -> question.reply.tryComplete(answer));
              }
            });
  }

  private void back(Question<?> question, long delay, Runnable run) {
    world.agenda.in(delay, () -> question.from.process.wake(run));
  }

  private static boolean inMemory(Question<?> question, Member to) {
    return question.from.process == to.loop.process;
  }

  private boolean lost(Question<?> question, Member to) {
    int from = question.from.process.node.index;
    BusWeather weather = world.weather.bus;
    return inMemory(question, to) ? weather.deaf() : weather.loses(from, nodeOf(to), dice);
  }

  private static int nodeOf(Member to) {
    return to.loop.process.node.index;
  }

  private long delay(Question<?> question, Member to) {
    return inMemory(question, to) ? dice.between(1_000, 100_000) : world.weather.bus.delay(dice);
  }
}
