package dev.oncegate.testkit.sim;

import dev.oncegate.core.FencingToken;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.ResolveOutcome;
import dev.oncegate.core.TimelineEntry;
import dev.oncegate.core.TimelineEntry.Note;
import dev.oncegate.core.Verdict;
import dev.oncegate.engine.port.RecordReader;
import dev.oncegate.engine.port.RecordUpkeep;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A process's upkeep and reading, over its connection. */
final class ConnectedUpkeep implements RecordUpkeep, RecordReader {
  private final World world;
  private final SimulatedConnection connection;

  ConnectedUpkeep(World world, SimulatedConnection connection) {
    this.world = world;
    this.connection = connection;
  }

  private <T> Future<T> ask(String name, Supplier<Future<T>> statement) {
    return connection.ask(name, Attempt.NONE, statement);
  }

  @Override
  public Future<List<Moved>> lapse(int limit) {
    return ask("lapse", () -> world.database.upkeep().lapse(limit));
  }

  @Override
  public Future<Integer> expire(int limit) {
    return ask("expire", () -> world.database.upkeep().expire(limit));
  }

  @Override
  public Future<Integer> forget(int limit) {
    return ask("forget", () -> world.database.upkeep().forget(limit));
  }

  @Override
  public Future<Integer> trimTimelines(Duration keep, int limit) {
    return ask("trim", () -> world.database.upkeep().trimTimelines(keep, limit));
  }

  @Override
  public Future<List<Due>> take(int limit, Duration hold) {
    return ask(
        "take",
        () -> {
          Future<List<Due>> taken = world.database.upkeep().take(limit, hold);
          world.database.checks().taken(taken.result());
          return taken;
        });
  }

  @Override
  public Future<ResolveOutcome> resolve(
      RecordId id, FencingToken token, Verdict verdict, List<Note> notes) {
    return connection.ask(
        "resolve",
        token.value(),
        () ->
            world
                .database
                .checks()
                .verdict(
                    id,
                    token.value(),
                    verdict,
                    notes,
                    () -> world.database.upkeep().resolve(id, token, verdict, notes)));
  }

  @Override
  public Future<Instant> clock() {
    return ask("clock", () -> world.database.upkeep().clock());
  }

  @Override
  public Future<List<Book>> books() {
    return ask("books", () -> world.database.upkeep().books());
  }

  @Override
  public Future<List<Found>> find(Query query) {
    return ask("find", () -> world.database.reader().find(query));
  }

  @Override
  public Future<Optional<Found>> show(String tenant, RecordId id) {
    return ask("show", () -> world.database.reader().show(tenant, id));
  }

  @Override
  public Future<List<TimelineEntry>> timeline(String tenant, RecordId id) {
    return ask("timeline", () -> world.database.reader().timeline(tenant, id));
  }
}
