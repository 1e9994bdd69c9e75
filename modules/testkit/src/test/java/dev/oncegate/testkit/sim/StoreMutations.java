package dev.oncegate.testkit.sim;

import dev.oncegate.core.Claim;
import dev.oncegate.core.ClaimFacts;
import dev.oncegate.core.ClaimOutcome;
import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.RenewOutcome;
import dev.oncegate.core.SettleOutcome;
import dev.oncegate.core.StoredAnswer;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.testkit.InMemoryRecordStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Stores that break one rule each. */
final class StoreMutations {
  private StoreMutations() {}

  static RecordStore completesWithoutToken(InMemoryRecordStore memory) {
    return new ForwardingStore(memory) {
      @Override
      public Future<SettleOutcome> complete(RecordId id, FencingToken token, StoredAnswer answer) {
        return memory.complete(id, current(memory, id, token), answer);
      }
    };
  }

  static RecordStore releasesWithoutToken(InMemoryRecordStore memory) {
    return new ForwardingStore(memory) {
      @Override
      public Future<SettleOutcome> release(RecordId id, FencingToken token) {
        return memory.release(id, current(memory, id, token));
      }
    };
  }

  private static FencingToken current(
      InMemoryRecordStore memory, RecordId id, FencingToken otherwise) {
    return memory.row(id).map(row -> row.facts().token()).orElse(otherwise);
  }

  static RecordStore takesOverLapsedClaims(InMemoryRecordStore memory) {
    return new ForwardingStore(memory) {
      @Override
      public Future<ClaimOutcome> claim(Claim claim) {
        if (memory.row(claim.id()).orElse(null) instanceof Claimed lapsed
            && memory.read(claim.id()).result().orElse(null) instanceof Unknown) {
          memory.release(claim.id(), lapsed.facts().token());
        }
        return memory.claim(claim);
      }
    };
  }

  static RecordStore ignoresFingerprintWhileClaimed(InMemoryRecordStore memory) {
    return new ForwardingStore(memory) {
      @Override
      public Future<ClaimOutcome> claim(Claim claim) {
        return memory
            .claim(claim)
            .map(
                outcome ->
                    outcome instanceof ClaimOutcome.Mismatch mismatch
                            && mismatch.record() instanceof Claimed claimed
                        ? new ClaimOutcome.InFlight(claimed, Duration.ZERO)
                        : outcome);
      }
    };
  }

  static RecordStore keepsNoTombstone(InMemoryRecordStore memory) {
    return new ForwardingStore(memory) {
      @Override
      public Future<ClaimOutcome> claim(Claim c) {
        return memory.claim(
            new Claim(
                c.id(),
                c.tenant(),
                c.route(),
                c.principalTag(),
                c.fingerprint(),
                c.matcher(),
                c.policy(),
                c.secretId(),
                c.claimId(),
                c.owner(),
                c.leaseTtl(),
                c.retention(),
                Duration.ZERO,
                c.inputs()));
      }
    };
  }

  /** A counter inside the row: it begins anew when the row has gone. */
  static RecordStore countsTokensInTheRow(InMemoryRecordStore memory) {
    return new ForwardingStore(memory) {
      @Override
      public Future<ClaimOutcome> claim(Claim claim) {
        boolean absent = memory.row(claim.id()).isEmpty();
        Future<ClaimOutcome> claimed = memory.claim(claim);
        if (!absent || !(claimed.result() instanceof ClaimOutcome.Won won)) {
          return claimed;
        }
        FencingToken first = new FencingToken(1);
        memory.overwrite(
            claim.id(),
            row -> new Claimed(withToken(row.facts(), first), ((Claimed) row).leaseUntil()));
        return Future.succeededFuture(
            new ClaimOutcome.Won(first, won.leaseUntil(), won.deadline()));
      }
    };
  }

  private static ClaimFacts withToken(ClaimFacts f, FencingToken token) {
    return new ClaimFacts(
        f.id(),
        f.tenant(),
        f.route(),
        f.principalTag(),
        f.fingerprint(),
        f.policy(),
        f.secretId(),
        token,
        f.claimId(),
        f.owner(),
        f.claimedAt(),
        f.retention(),
        f.tombstone(),
        f.inputs());
  }

  static RecordStore revivesLapsedLeases(InMemoryRecordStore memory) {
    return new ForwardingStore(memory) {
      @Override
      public Future<List<RenewOutcome>> renew(List<Renewal> renewals) {
        List<RenewOutcome> outcomes = new ArrayList<>();
        for (Renewal renewal : renewals) {
          RenewOutcome outcome = memory.renew(List.of(renewal)).result().get(0);
          if (outcome instanceof RenewOutcome.Fenced
              && memory.row(renewal.id()).orElse(null) instanceof Claimed lapsed
              && lapsed.facts().token().equals(renewal.token())) {
            Instant until = memory.upkeep().clock().result().plus(renewal.ttl());
            memory.overwrite(renewal.id(), row -> new Claimed(lapsed.facts(), until));
            outcome = new RenewOutcome.Renewed(until);
          }
          outcomes.add(outcome);
        }
        return Future.succeededFuture(outcomes);
      }
    };
  }

  /** A late owner's answer replaces what a verdict has stored. */
  static RecordStore overwritesCompletions(InMemoryRecordStore memory) {
    return new ForwardingStore(memory) {
      @Override
      public Future<SettleOutcome> complete(RecordId id, FencingToken token, StoredAnswer answer) {
        IdempotencyRecord row = memory.row(id).orElse(null);
        if (row instanceof Completed done
            && done.facts().token().equals(token)
            && !done.answer().digest().equals(answer.digest())) {
          Completed instead = new Completed(done.facts(), answer, done.completedAt(), false);
          memory.overwrite(id, old -> instead);
          return Future.succeededFuture(new SettleOutcome.Done(instead.publishedDeadline()));
        }
        return memory.complete(id, token, answer);
      }
    };
  }

  /** A late owner is not told that it is fenced. */
  static RecordStore hidesFencing(InMemoryRecordStore memory) {
    return new ForwardingStore(memory) {
      @Override
      public Future<SettleOutcome> complete(RecordId id, FencingToken token, StoredAnswer answer) {
        return memory
            .complete(id, token, answer)
            .map(
                outcome ->
                    outcome instanceof SettleOutcome.Done ? outcome : new SettleOutcome.Done(null));
      }
    };
  }

  /** An engine is told of its completion before it has left. */
  static RecordStore saysDoneBeforeTheCommit(RecordStore connection) {
    return new ForwardingStore(connection) {
      @Override
      public Future<SettleOutcome> complete(RecordId id, FencingToken token, StoredAnswer answer) {
        connection.complete(id, token, answer);
        return Future.succeededFuture(new SettleOutcome.Done(null));
      }
    };
  }

  /** An engine is told that it has won before the claim has left. */
  static RecordStore saysWonBeforeTheCommit(RecordStore connection) {
    return new ForwardingStore(connection) {
      private long guessed = Long.MAX_VALUE / 2;

      @Override
      public Future<ClaimOutcome> claim(Claim claim) {
        connection.claim(claim);
        return Future.succeededFuture(
            new ClaimOutcome.Won(new FencingToken(guessed++), Instant.MAX, Instant.MAX));
      }
    };
  }
}
