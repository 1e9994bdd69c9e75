package dev.oncegate.testkit.sim;

import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Expired;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.ResolveOutcome;
import dev.oncegate.core.TimelineEntry.Note;
import dev.oncegate.core.Verdict;
import dev.oncegate.engine.port.RecordReader.Found;
import dev.oncegate.engine.port.RecordReader.Query;
import dev.oncegate.engine.port.RecordUpkeep;
import dev.oncegate.testkit.InMemoryRecordStore;
import dev.oncegate.testkit.InMemoryUpkeep;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Upkeep that breaks one rule each. */
final class UpkeepMutations {
  private static final Duration OLD = Duration.ofSeconds(15);
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private UpkeepMutations() {}

  /** A notApplied releases whenever it comes. */
  static RecordUpkeep releasesWithoutQuarantine(InMemoryUpkeep real) {
    return new ForwardingUpkeep(real) {
      @Override
      public Future<List<Due>> take(int limit, Duration hold) {
        return pastItsQuarantine(real.take(limit, hold));
      }

      @Override
      public Future<ResolveOutcome> resolve(
          RecordId id, FencingToken token, Verdict verdict, List<Note> notes) {
        return real.resolve(
            id,
            token,
            verdict instanceof Verdict.NotApplied said
                ? new Verdict.NotApplied(said.askedAt(), Duration.ZERO)
                : verdict,
            notes);
      }
    };
  }

  /** The quarantine is compared with when the verdict is written, and not when it was asked for. */
  static RecordUpkeep judgesQuarantineAtSettling(InMemoryUpkeep real) {
    return new ForwardingUpkeep(real) {
      @Override
      public Future<List<Due>> take(int limit, Duration hold) {
        return pastItsQuarantine(real.take(limit, hold));
      }

      @Override
      public Future<ResolveOutcome> resolve(
          RecordId id, FencingToken token, Verdict verdict, List<Note> notes) {
        if (!(verdict instanceof Verdict.NotApplied said)) {
          return real.resolve(id, token, verdict, notes);
        }
        Instant now = real.clock().result();
        ResolveOutcome outcome =
            real.resolve(id, token, new Verdict.NotApplied(now, said.quarantine()), notes).result();
        return outcome instanceof ResolveOutcome.Quarantined
            ? real.resolve(id, token, new Verdict.Undecided(Optional.of(AGAIN)), List.of())
            : Future.succeededFuture(outcome);
      }
    };
  }

  /** As a reconciler sees them that does not look at the quarantine. */
  private static Future<List<RecordUpkeep.Due>> pastItsQuarantine(
      Future<List<RecordUpkeep.Due>> taken) {
    return taken.map(
        all ->
            all.stream()
                .map(
                    due ->
                        new RecordUpkeep.Due(
                            new Unknown(
                                due.record().facts(), due.record().since().minusSeconds(3_600)),
                            due.takenAt(),
                            due.questions(),
                            due.lastSaid()))
                .toList());
  }

  static RecordUpkeep deletesOldUnknowns(InMemoryUpkeep real, InMemoryRecordStore memory) {
    return new ForwardingUpkeep(real) {
      @Override
      public Future<Integer> forget(int limit) {
        Instant old = real.clock().result().minus(OLD);
        for (IdempotencyRecord record : all(real)) {
          if (record instanceof Unknown unknown && unknown.since().isBefore(old)) {
            memory.release(unknown.facts().id(), unknown.facts().token());
          }
        }
        return real.forget(limit);
      }
    };
  }

  static RecordUpkeep releasesLapsedClaims(InMemoryUpkeep real, InMemoryRecordStore memory) {
    return new ForwardingUpkeep(real) {
      @Override
      public Future<List<Moved>> lapse(int limit) {
        for (IdempotencyRecord record : all(real)) {
          if (record instanceof Unknown
              && memory.row(record.facts().id()).orElse(null) instanceof Claimed) {
            memory.release(record.facts().id(), record.facts().token());
          }
        }
        return real.lapse(limit);
      }
    };
  }

  /** Deadlines are enforced a little before they have passed. */
  static RecordUpkeep expiresEarly(InMemoryUpkeep real, InMemoryRecordStore memory) {
    return new ForwardingUpkeep(real) {
      @Override
      public Future<Integer> expire(int limit) {
        Instant soon = real.clock().result().plusSeconds(1);
        for (IdempotencyRecord record : all(real)) {
          if (record instanceof Completed done && done.publishedDeadline().isBefore(soon)) {
            memory.overwrite(
                done.facts().id(), row -> new Expired(done.facts(), done.completedAt()));
          }
        }
        return real.expire(limit);
      }
    };
  }

  /** Lapsed claims are asked about before it is written down that they are unknown. */
  static RecordUpkeep asksBeforeUnknown(InMemoryUpkeep real, InMemoryRecordStore memory) {
    return new ForwardingUpkeep(real) {
      @Override
      public Future<List<Moved>> lapse(int limit) {
        return Future.succeededFuture(List.of());
      }

      @Override
      public Future<List<Due>> take(int limit, Duration hold) {
        Instant now = real.clock().result();
        List<Due> due = new ArrayList<>(real.take(limit, hold).result());
        for (IdempotencyRecord record : all(real)) {
          if (record instanceof Unknown lapsed
              && memory.row(record.facts().id()).orElse(null) instanceof Claimed) {
            due.add(new Due(lapsed, now, 0, ""));
          }
        }
        return Future.succeededFuture(due);
      }
    };
  }

  static RecordUpkeep sweepsNoLapsedClaim(InMemoryUpkeep real) {
    return new ForwardingUpkeep(real) {
      @Override
      public Future<List<Moved>> lapse(int limit) {
        return Future.succeededFuture(List.of());
      }
    };
  }

  static RecordUpkeep asksNobody(InMemoryUpkeep real) {
    return new ForwardingUpkeep(real) {
      @Override
      public Future<List<Due>> take(int limit, Duration hold) {
        return Future.succeededFuture(List.of());
      }
    };
  }

  /** Everything that there is, as it is now. */
  private static List<IdempotencyRecord> all(InMemoryUpkeep real) {
    List<IdempotencyRecord> all = new ArrayList<>();
    for (String tenant : List.of("plain", "keyed")) {
      real
          .find(
              new Query(
                  tenant,
                  Optional.empty(),
                  Optional.empty(),
                  Optional.empty(),
                  Optional.empty(),
                  Optional.empty(),
                  Optional.empty(),
                  1_000))
          .result()
          .stream()
          .map(Found::record)
          .forEach(all::add);
    }
    return all;
  }
}
