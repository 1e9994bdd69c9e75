package dev.oncegate.testkit.sim;

import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is sent and what it does. */
final class EffectChecks {
  private final World world;

  EffectChecks(World world) {
    this.world = world;
  }

  /** An attempt was told that it may send: now its claim is durable and its lease stands (S8). */
  void maySend(Attempt attempt) {
    IdempotencyRecord row = world.database.row(attempt.operation);
    Instant clock = world.database.clock();
    world.inside(
        attempt.held != Attempt.NONE, "S8", "attempt " + attempt.id + " sends without a claim");
    world.inside(
        row instanceof Claimed claimed
            && claimed.facts().token().value() == attempt.held
            && clock.isBefore(claimed.leaseUntil()),
        "S8",
        "attempt " + attempt.id + " sends though its lease does not stand");
  }

  /** Its bytes leave. */
  void leaves(Attempt attempt, Optional<String> upstreamKey) {
    world.require(attempt.sends == 0, "S9", "attempt " + attempt.id + " is sent once more");
    world.require(!attempt.denied, "S20", "sent after it was called not executed");
    world.require(!attempt.parked(), "C06", "attempt " + attempt.id + " waited, and is sent");
    KeyLife life = world.life(attempt.operation);
    upstreamKey.ifPresent(
        key -> {
          world.require(
              life.upstreamKey == null || life.upstreamKey.equals(key),
              "S1",
              "one record is sent under two upstream keys");
          life.upstreamKey = key;
        });
  }

  /** It reaches the upstream. */
  void arrives(Attempt attempt, Incarnation sender) {
    if (sender.dead()) {
      world.saw(Rare.REQUEST_ARRIVED_AFTER_ITS_OWNER_DIED);
    }
    if (world.database.row(attempt.operation) instanceof Unknown) {
      world.saw(Rare.REQUEST_ARRIVED_WHILE_UNKNOWN);
    }
  }

  /** It was handled. */
  void handled(Ledger.Line line) {
    Attempt attempt = line.attempt();
    world.require(attempt.line == null, "S9", "attempt " + attempt.id + " was handled twice");
    attempt.line = line;
    switch (line.status()) {
      case 502, 504 -> world.saw(Rare.AMBIGUOUS_ANSWER);
      case 402, 404, 422 -> world.saw(Rare.TERMINAL_REFUSAL);
      case 201 -> {}
      default -> world.saw(Rare.TRANSIENT_ANSWER);
    }
    if (!line.effect()) {
      return;
    }
    KeyLife life = world.life(attempt.operation);
    int effects = life.effects.merge(line.epoch(), 1, Integer::sum);
    world.require(
        effects == 1,
        "S1",
        effects + " effects of key " + attempt.operation.index() + " in epoch " + line.epoch());
    world.require(
        !attempt.denied, "S20", "attempt " + attempt.id + " took effect after it was denied");
  }

  /** The process of an attempt is gone: what it had not written yet never leaves. */
  void ownerDied(Attempt attempt) {
    if (attempt.checkedAt >= 0 && attempt.sends == 0) {
      attempt.onItsWay = false;
    }
    @Nullable IdempotencyRecord row = world.database.row(attempt.operation);
    KeyLife.Won won =
        row == null ? null : world.life(attempt.operation).tokens.get(row.facts().token().value());
    if (won == null || won.attempt != attempt) {
      return;
    }
    if (row instanceof Completed) {
      if (!attempt.answered) {
        world.saw(Rare.CRASH_AFTER_COMPLETION_BEFORE_ANSWER);
      }
    } else if (attempt.sends == 0) {
      world.saw(Rare.CRASH_BETWEEN_CLAIM_AND_SEND);
    } else {
      world.saw(Rare.CRASH_AFTER_SEND);
    }
  }
}
