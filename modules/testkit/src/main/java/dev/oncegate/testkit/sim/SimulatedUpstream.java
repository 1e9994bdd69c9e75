package dev.oncegate.testkit.sim;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.HeaderField;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.UpstreamRequest;
import dev.oncegate.engine.UpstreamResult;
import dev.oncegate.engine.port.Prober;
import dev.oncegate.engine.port.Upstream;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Optional;

/** The network behind the nodes and the tenants' APIs at its other end, with their ledger. */
final class SimulatedUpstream {
  private final World world;
  private final Dice dice;
  private final Ledger ledger;

  SimulatedUpstream(World world, Dice dice) {
    this.world = world;
    this.dice = dice;
    this.ledger = new Ledger(world);
  }

  Ledger ledger() {
    return ledger;
  }

  /** A process's way to it. */
  Upstream from(Incarnation process) {
    return new Upstream() {
      @Override
      public Future<UpstreamResult> send(
          TenantPolicy tenant,
          UpstreamRequest request,
          RoutePolicy.Capture capture,
          Progress progress) {
        Attempt attempt =
            world.attempt(Integer.parseInt(header(request, Attempt.HEADER).orElseThrow()));
        return new Sending(world, process, attempt, request, progress).run();
      }
    };
  }

  static Optional<String> header(UpstreamRequest request, String name) {
    return request.headers().stream().filter(h -> h.is(name)).map(HeaderField::value).findFirst();
  }

  /** A process's way to ask about an operation. */
  Prober prober(Incarnation process) {
    return new Prober() {
      @Override
      public Future<Reply> ask(TenantPolicy tenant, Question question) {
        Promise<Reply> reply = Promise.promise();
        String target = question.target();
        Plan.Operation operation =
            world.plan.keys().stream()
                .filter(o -> target.equals("/" + o.route().id() + "/" + o.key().value()))
                .findFirst()
                .orElseThrow();
        world.require(
            question.method().equals("GET") || question.method().equals("HEAD"),
            "S10",
            "a probe is sent with " + question.method());
        var limit =
            process.afterNanos(
                world.plan.total(), () -> reply.tryComplete(new Reply.None("no answer")));
        if (!probeLost()) {
          world.agenda.in(probeDelay() / 4, () -> asked(process, operation, reply));
        }
        return reply.future().onComplete(done -> limit.cancel());
      }
    };
  }

  private void asked(Incarnation process, Plan.Operation operation, Promise<Prober.Reply> reply) {
    Ledger.Line effect = ledger.effect(operation);
    world.trace.add(
        world.agenda.now(),
        effect == null ? "probe finds nothing" : "probe finds an effect",
        process.node.index,
        operation.index(),
        -1);
    Prober.Reply said =
        !world.weather.healed && dice.chance(world.plan.roughness())
            ? new Prober.Reply.Answered(503, List.of(), Bytes.EMPTY)
            : effect == null
                ? new Prober.Reply.Answered(404, List.of(), Bytes.EMPTY)
                : new Prober.Reply.Answered(200, List.of(), effect.body());
    if (!probeLost()) {
      world.agenda.in(probeDelay(), () -> process.wake(() -> reply.tryComplete(said)));
    }
  }

  /** An answer may be old when it is used. */
  private long probeDelay() {
    boolean slow = world.weather.requestsSlow > 0 || world.weather.probesSilent > 0;
    return slow || (!world.weather.healed && dice.chance(0.3))
        ? dice.between(0, world.plan.total())
        : dice.millis(1, 400);
  }

  private boolean probeLost() {
    return world.weather.probesSilent > 0
        ? dice.chance(0.7)
        : !world.weather.healed && dice.chance(world.plan.roughness());
  }

  /** How long a request travels: up to ten leases while the network is slow. */
  long requestDelay() {
    if (world.weather.requestsSlow > 0 && dice.chance(0.7)) {
      long most = 10 * world.plan.lease();
      return dice.chance(0.5) ? most : dice.between(0, most);
    }
    return dice.millis(1, 200);
  }

  /** How long the API thinks and its answer travels. */
  long answerDelay() {
    if (world.weather.upstreamSlow > 0 && dice.chance(0.5)) {
      return dice.between(0, world.plan.abandon() * 3 / 2);
    }
    return dice.millis(5, 800);
  }

  boolean lost() {
    return world.weather.networkLossy > 0
        ? dice.chance(0.3)
        : !world.weather.healed && dice.chance(world.plan.roughness());
  }

  /** Whether a connection breaks after its request has left. */
  boolean resets() {
    return lost() || (world.weather.requestsSlow > 0 && dice.chance(0.3));
  }

  /** What it is in the mood for. A1: a transient answer has no effect; a 502 or 504 may have. */
  Ledger.Mood mood() {
    if (world.weather.upstreamTransient > 0 && dice.chance(0.6)) {
      return new Ledger.Mood(dice.of(500, 503, 429, 425), false);
    }
    if (world.weather.upstreamAmbiguous > 0 && dice.chance(0.6)) {
      return new Ledger.Mood(dice.of(502, 504), dice.chance(0.5));
    }
    if (dice.chance(0.05)) {
      return new Ledger.Mood(dice.of(402, 422, 404), false);
    }
    if (!world.weather.healed && dice.chance(world.plan.roughness())) {
      return dice.chance(0.5)
          ? new Ledger.Mood(503, false)
          : new Ledger.Mood(504, dice.chance(0.5));
    }
    return new Ledger.Mood(201, true);
  }

  Dice dice() {
    return dice;
  }
}
