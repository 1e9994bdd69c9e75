package dev.oncegate.testkit.sim;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.engine.Answer;
import dev.oncegate.engine.Problem;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Whether an answer is true at the moment at which it is given. */
final class AnswerChecks {
  private final World world;

  AnswerChecks(World world) {
    this.world = world;
  }

  /** An engine has answered. */
  void answered(Attempt attempt, Answer answer, int node) {
    world.require(!attempt.answered, "V4", "attempt " + attempt.id + " was answered twice");
    attempt.answered = true;
    world.trace(answer.status().header(), node, attempt);
    KeyLife life = world.life(attempt.operation);
    if (answer instanceof Answer.Executed executed) {
      executed(life, attempt, executed.answer().status(), executed.answer().body());
      published(life.outcome(attempt.held), executed.deadline());
    } else if (answer instanceof Answer.Streamed streamed) {
      streamed(life, attempt, streamed);
    } else if (answer instanceof Answer.Replayed replayed) {
      replayed(life, attempt, replayed);
    } else if (answer instanceof Answer.PassedThrough passed) {
      Ledger.Line line = attempt.line;
      world.require(
          line != null
              && line.status() == passed.answer().status()
              && line.body().equals(passed.answer().body()),
          "S6",
          "what was passed through is not what the upstream said");
    } else if (answer instanceof Answer.Refusal refusal) {
      refused(life, attempt, refusal.problem());
    }
    switch (answer.status()) {
      case RELEASED, REFUSED -> denied(attempt);
      default -> {}
    }
  }

  /** S20: nothing of this request was executed, and nothing of it can still be. */
  private void denied(Attempt attempt) {
    attempt.denied = true;
    world.require(!attempt.onItsWay, "S20", "called not executed while its request may arrive");
    world.require(
        attempt.line == null || !attempt.line.effect(), "S20", "called not executed, but it was");
  }

  /** S5 and S6: committed before, and the upstream's own answer to this very request. */
  private void executed(KeyLife life, Attempt attempt, int status, @Nullable Bytes body) {
    Completed outcome = life.outcome(attempt.held);
    world.require(outcome != null, "S5", "executed is said, but nothing is committed");
    Ledger.Line line = attempt.line;
    world.require(
        line != null && line.status() == status && (body == null || line.body().equals(body)),
        "S6",
        "executed is said, but the ledger does not say so");
    if (outcome != null) {
      world.require(
          outcome.answer().status() == status && (body == null || RowChecks.keeps(outcome, body)),
          "S5",
          "executed is answered with bytes that are not stored");
    }
  }

  private void streamed(KeyLife life, Attempt attempt, Answer.Streamed streamed) {
    switch (streamed.status()) {
      case EXECUTED -> executed(life, attempt, streamed.code(), null);
      default -> world.violated("S6", "an answer that is not kept is " + streamed.status());
    }
  }

  private void replayed(KeyLife life, Attempt attempt, Answer.Replayed replayed) {
    Bytes body = replayed.response().body().orElse(Bytes.EMPTY);
    Completed outcome = null;
    for (Completed committed : life.outcomes) {
      if (committed.answer().status() == replayed.response().status()
          && RowChecks.keeps(committed, body)
          && committed.reconstructed() == replayed.reconstructed()) {
        outcome = committed;
      }
    }
    world.require(outcome != null, "S5", "a replay of what was never committed");
    published(outcome, replayed.deadline());
    if (outcome != null) {
      world.require(
          outcome.facts().fingerprint().equals(Attempt.fingerprint(attempt.payload)),
          "S13",
          "another payload's answer is replayed");
    }
  }

  /** S14: never later than it is enforced. */
  private void published(@Nullable Completed outcome, Instant deadline) {
    world.require(
        outcome == null || !deadline.isAfter(outcome.publishedDeadline()),
        "S14",
        "a deadline is published that is later than the enforced one");
  }

  private void refused(KeyLife life, Attempt attempt, Problem problem) {
    switch (problem.type()) {
      case RESPONSE_NOT_KEPT ->
          world.require(
              life.outcomes.stream().anyMatch(o -> RowChecks.body(o) == null),
              "S5",
              "not kept is said of what was kept");
      case RETRY_DEADLINE_PASSED ->
          world.require(
              life.outcomes.stream()
                  .anyMatch(o -> !world.database.clock().isBefore(o.publishedDeadline())),
              "S14",
              "expired is said before a deadline has passed");
      case KEY_REUSED ->
          world.require(
              life.tokens.values().stream()
                  .anyMatch(won -> !won.attempt.payload.equals(attempt.payload)),
              "S13",
              "mismatch is said where nobody else used the key");
      case OUTCOME_NOT_STORED -> world.saw(Rare.OUTCOME_NOT_STORED_IN_TIME);
      case STORE_UNAVAILABLE -> {
        if (attempt.held != Attempt.NONE) {
          world.saw(Rare.LATE_CLAIM_RELEASED_UNSENT);
        }
      }
      default -> {}
    }
    world.require(
        !problem.newKeySafe() || life.effects.isEmpty(),
        "S20",
        problem.type() + " says that a new key is safe");
  }
}
