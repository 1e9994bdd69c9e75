package dev.oncegate.store.postgres;

import dev.oncegate.core.Claim;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes back claims that may have been written although they were never reported as won, so that
 * the next try of their key need not wait for a lapse. Nothing depends on it: a claim that is not
 * withdrawn lapses and becomes unknown.
 */
final class Withdrawals {
  private static final Logger LOG = LoggerFactory.getLogger(Withdrawals.class);

  /** About 5 MB at the largest; beyond it claims are left to lapse. */
  private static final int LIMIT = 4096;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  /**
   * A delete cannot see an insert that is still on its way, so nothing found is asked once more.
   */
  private static final Duration SECOND_LOOK = Duration.ofSeconds(3);

  private final ContextInternal context;
  private final Lane lane;
  private final Duration patience;
  private final LongSupplier nanos;
  private final Deque<Claim> waiting = new ArrayDeque<>();
  private boolean running;
  private boolean closed;
  private int secondLooks;

  Withdrawals(ContextInternal context, Lane lane, Duration patience, LongSupplier nanos) {
    this.context = context;
    this.lane = lane;
    this.patience = patience;
    this.nanos = nanos;
  }

  void add(Claim claim) {
    if (waiting.size() + secondLooks >= LIMIT) {
      LOG.warn("record {}: too many claims to withdraw, this one will lapse", claim.id().prefix());
      return;
    }
    waiting.add(claim);
    if (!running) {
      running = true;
      next(FIRST_PAUSE);
    }
  }

  void close() {
    closed = true;
    waiting.clear();
  }

  private void next(Duration pauseAfterFailure) {
    Claim claim = waiting.peek();
    if (claim == null || closed) {
      running = false;
      return;
    }
    ask(claim)
        .onComplete(
            found -> {
              if (found.succeeded()) {
                waiting.poll();
                if (!found.result()) {
                  lookAgainLater(claim);
                }
                next(FIRST_PAUSE);
              } else {
                context.setTimer(
                    pauseAfterFailure.toMillis(), fired -> next(longer(pauseAfterFailure)));
              }
            });
  }

  private Future<Boolean> ask(Claim claim) {
    return lane.ask(
            ClaimSql.WITHDRAW, ClaimSql.withdraw(claim), nanos.getAsLong() + patience.toNanos())
        .map(reply -> reply.row() != null);
  }

  private void lookAgainLater(Claim claim) {
    secondLooks++;
    context.setTimer(
        SECOND_LOOK.toMillis(),
        fired -> {
          secondLooks--;
          if (!closed) {
            ask(claim)
                .onFailure(
                    failure ->
                        LOG.debug("record {}: not withdrawn: {}", claim.id(), failure.toString()));
          }
        });
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
  }
}
