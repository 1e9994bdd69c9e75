package dev.oncegate.testkit.sim;

import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.IdempotencyRecord.Completed;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the checkers remember of one key: its epochs, tokens and outcomes. */
final class KeyLife {
  final Plan.Operation operation;

  /** The row after the statement before. */
  @Nullable IdempotencyRecord row;

  /** Counts lives of the key: from its first claim until it is a stranger again. */
  int epoch = 1;

  /** Effects of the current epoch and of those before. */
  final Map<Integer, Integer> effects = new HashMap<>();

  /** The outcome of the current epoch, once there is one. */
  @Nullable Completed done;

  /** Every outcome that was ever committed, newest last. */
  final List<Completed> outcomes = new ArrayList<>();

  final Map<Long, Won> tokens = new HashMap<>();

  /** True time at which a token's row was no claim any more. */
  final Map<Long, Long> ended = new HashMap<>();

  /** Tokens whose claim was given back or resolved as not applied. */
  final Set<Long> released = new HashSet<>();

  long greatest;

  /** True times at which somebody stopped waiting for it, oldest first. */
  final Deque<Long> left = new ArrayDeque<>();

  /** The key under which the upstream sees all of its requests. */
  @Nullable String upstreamKey;

  KeyLife(Plan.Operation operation) {
    this.operation = operation;
  }

  /** A claim that won. */
  static final class Won {
    final Attempt attempt;
    final int epoch;
    boolean swept;

    Won(Attempt attempt, int epoch) {
      this.attempt = attempt;
      this.epoch = epoch;
    }
  }

  /** The outcome that was committed under a token. */
  @Nullable Completed outcome(long token) {
    for (Completed outcome : outcomes) {
      if (outcome.facts().token().value() == token) {
        return outcome;
      }
    }
    return null;
  }

  /** Which epoch a token belongs to; the current one where it is not known. */
  int epochOf(long token) {
    Won won = tokens.get(token);
    return won == null ? epoch : won.epoch;
  }
}
