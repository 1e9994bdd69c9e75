package dev.oncegate.testkit.sim;

import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.StoredResponse;
import dev.oncegate.engine.Resolution;
import dev.oncegate.engine.port.RecordReader.Found;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Whoever decides what nobody else can; knows the ledger, and says what is true. */
final class Person {
  static final String NAME = "ada";

  private final World world;
  private final Dice dice;

  Person(World world, Dice dice) {
    this.world = world;
    this.dice = dice;
  }

  /** Looks at the records that wait, and orders what can be said of them. */
  void look() {
    Incarnation process = world.nodes.get(dice.below(Plan.NODES)).running();
    if (process == null) {
      return;
    }
    for (KeyLife life : world.lives()) {
      Optional<Found> found =
          world.database.reader().show(life.operation.tenant().id(), life.operation.id()).result();
      found.filter(Found::waitsForPerson).ifPresent(f -> decide(process, life, f));
    }
  }

  private void decide(Incarnation process, KeyLife life, Found found) {
    IdempotencyRecord record = found.record();
    Ledger.Line effect = world.upstream.ledger().effect(life.operation);
    if (effect != null) {
      Optional<StoredResponse> response =
          dice.chance(0.7)
              ? Optional.of(new StoredResponse(201, List.of(), Optional.of(effect.body())))
              : Optional.empty();
      order(process, life, Resolution.Ruling.APPLIED, false, response);
      return;
    }
    KeyLife.Won won = life.tokens.get(record.facts().token().value());
    if (won != null && won.attempt.onItsWay) {
      // Somebody who asks the tenant by telephone would not hear more than "not yet".
      return;
    }
    Instant clean =
        record instanceof Unknown unknown
            ? unknown.since().plusNanos(world.plan.quarantine())
            : Instant.MAX;
    boolean early = world.database.clock().isBefore(clean);
    order(
        process, life, Resolution.Ruling.NOT_APPLIED, early && dice.chance(0.2), Optional.empty());
  }

  private void order(
      Incarnation process,
      KeyLife life,
      Resolution.Ruling ruling,
      boolean force,
      Optional<StoredResponse> response) {
    world.trace.add(
        world.agenda.now(),
        ruling == Resolution.Ruling.APPLIED ? "a person says applied" : "a person says not applied",
        process.node.index,
        life.operation.index(),
        force ? 1 : 0);
    Resolution.Order order = new Resolution.Order(ruling, "seen", NAME, force, response);
    process.wake(
        () ->
            process.resolution().resolve(life.operation.tenant().id(), life.operation.id(), order));
  }
}
