package dev.oncegate.engine.port;

import dev.oncegate.core.FencingToken;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.ResolveOutcome;
import dev.oncegate.core.TimelineEntry.Note;
import dev.oncegate.core.Verdict;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What sweeper, reconciler and audit need. Each method is one bounded statement by the store's own
 * clock, committed when its future succeeds, and safe on every node at once: rows that somebody
 * else holds are left for the next time. Futures fail with {@link RecordStore.StoreUnavailable} and
 * complete on the calling Vert.x context.
 */
public interface RecordUpkeep {
  /**
   * Moves claims whose lease has lapsed to unknown, each with an entry in its timeline. The token
   * stays, so that an owner that is only late may still complete.
   *
   * @return what was moved, at most {@code limit}
   */
  Future<List<Moved>> lapse(int limit);

  /**
   * Makes passed deadlines physical: the answer goes, the tombstone stays; without a tombstone the
   * whole row goes.
   *
   * @return how many rows changed or went
   */
  Future<Integer> expire(int limit);

  /** Removes rows whose tombstone has ended; how many. */
  Future<Integer> forget(int limit);

  /** Removes timelines of records that are gone, older than {@code keep}; how many entries. */
  Future<Integer> trimTimelines(Duration keep, int limit);

  /**
   * Takes unknown records that are due to be asked about, oldest due first. Nobody else takes them
   * for as long as {@code hold}, so that one node asks at a time; a node that dies meanwhile only
   * delays the question.
   */
  Future<List<Due>> take(int limit, Duration hold);

  /**
   * Writes a verdict and its timeline entry in one statement, under the token and only while the
   * record is unknown, as {@link dev.oncegate.core.RecordRules#resolve} decides. Safe to repeat: a
   * second time it is {@code Stale}.
   *
   * @param note what the timeline will say; empty where there is nothing new to say
   */
  Future<ResolveOutcome> resolve(RecordId id, FencingToken token, Verdict verdict, List<Note> note);

  /** What the store's clock says: a person's verdict is asked for now. */
  Future<Instant> clock();

  /** The books of every tenant that has any, read at one instant. */
  Future<List<Book>> books();

  /** A claim that lapsed. */
  record Moved(String tenant, String route, RecordId id, FencingToken token) {}

  /**
   * An unknown record that is due.
   *
   * @param takenAt database time; a question that leaves now is asked after it
   * @param questions how often it was asked about before
   * @param lastSaid what the timeline last said of a question; empty where there was none
   */
  record Due(IdempotencyRecord.Unknown record, Instant takenAt, int questions, String lastSaid) {}

  /**
   * What a tenant's claims have come to, ever: {@code claims = completed + released + unknown +
   * running} (contract §10).
   *
   * @param claims won
   * @param completed by owner, probe or person; whether the record is still there does not matter
   * @param released by owner, policy, probe or person, and withdrawn
   * @param unknown now
   * @param running claimed now
   * @param live completed records that are kept now
   * @param expired tombstones that are kept now
   * @param waiting unknown records that wait for a person
   * @param oldestUnknown since when; null without any
   */
  record Book(
      String tenant,
      long claims,
      long completed,
      long released,
      long unknown,
      long running,
      long live,
      long expired,
      long waiting,
      @org.jspecify.annotations.Nullable Duration oldestUnknown) {
    /** Zero where the books balance; positive: claims that nobody accounts for. */
    public long imbalance() {
      return claims - completed - released - unknown - running;
    }
  }
}
