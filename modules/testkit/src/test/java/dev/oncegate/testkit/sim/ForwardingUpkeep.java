package dev.oncegate.testkit.sim;

import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.ResolveOutcome;
import dev.oncegate.core.TimelineEntry.Note;
import dev.oncegate.core.Verdict;
import dev.oncegate.engine.port.RecordUpkeep;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Upkeep that does as another: mutations change one method of it. */
class ForwardingUpkeep implements RecordUpkeep {
  private final RecordUpkeep real;

  ForwardingUpkeep(RecordUpkeep real) {
    this.real = real;
  }

  @Override
  public Future<List<Moved>> lapse(int limit) {
    return real.lapse(limit);
  }

  @Override
  public Future<Integer> expire(int limit) {
    return real.expire(limit);
  }

  @Override
  public Future<Integer> forget(int limit) {
    return real.forget(limit);
  }

  @Override
  public Future<Integer> trimTimelines(Duration keep, int limit) {
    return real.trimTimelines(keep, limit);
  }

  @Override
  public Future<List<Due>> take(int limit, Duration hold) {
    return real.take(limit, hold);
  }

  @Override
  public Future<ResolveOutcome> resolve(
      RecordId id, FencingToken token, Verdict verdict, List<Note> note) {
    return real.resolve(id, token, verdict, note);
  }

  @Override
  public Future<Instant> clock() {
    return real.clock();
  }

  @Override
  public Future<List<Book>> books() {
    return real.books();
  }
}
