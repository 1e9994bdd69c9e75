package dev.oncegate.engine;

import dev.oncegate.core.ClaimFacts;
import dev.oncegate.engine.port.RecordReader;
import dev.oncegate.engine.port.RecordReader.Found;
import dev.oncegate.engine.port.RecordReader.Position;
import dev.oncegate.engine.port.RecordReader.Query;
import dev.oncegate.engine.port.RecordReader.State;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** One verdict on many records, page by page: 300 lost exchanges are not 300 tickets. */
public final class BulkResolution {
  private final RecordReader reader;
  private final Resolution resolution;

  public BulkResolution(RecordReader reader, Resolution resolution) {
    this.reader = reader;
    this.resolution = resolution;
  }

  /**
   * Which unknown records of a tenant.
   *
   * @param after those behind this one only: where the page before ended
   * @param limit 1 to 1,000
   */
  public record Selection(
      Optional<String> route,
      Optional<Instant> claimedFrom,
      Optional<Instant> claimedUntil,
      Optional<Position> after,
      int limit) {}

  /**
   * What became of an order on many records.
   *
   * @param changed not unknown any more when their turn came
   * @param refused could not be done
   * @param next where the next page begins; empty where this was the last one
   */
  public record Many(
      int resolved, int quarantined, int changed, int refused, Optional<Position> next) {
    private Many plus(Resolution.Result result) {
      return new Many(
          resolved + (result instanceof Resolution.Result.Resolved ? 1 : 0),
          quarantined + (result instanceof Resolution.Result.Quarantined ? 1 : 0),
          changed + (result instanceof Resolution.Result.NotUnknown ? 1 : 0),
          refused + (result instanceof Resolution.Result.Refused ? 1 : 0),
          next);
    }
  }

  /**
   * The verdict on one page of records, one after another, each by itself: a node killed with
   * hundreds of exchanges in flight is one order. Fails where the store cannot be used; what was
   * written until then stays.
   */
  public Future<Many> resolveAll(String tenant, Selection selection, Resolution.Order order) {
    return reader
        .find(
            new Query(
                tenant,
                Optional.of(State.UNKNOWN),
                selection.route(),
                Optional.empty(),
                selection.claimedFrom(),
                selection.claimedUntil(),
                selection.after(),
                selection.limit()))
        .compose(
            page -> {
              Future<Many> done =
                  Future.succeededFuture(new Many(0, 0, 0, 0, end(page, selection.limit())));
              for (Found found : page) {
                done = done.compose(so -> resolution.resolve(found, order).map(so::plus));
              }
              return done;
            });
  }

  private static Optional<Position> end(List<Found> page, int limit) {
    if (page.size() < limit) {
      return Optional.empty();
    }
    ClaimFacts last = page.get(page.size() - 1).record().facts();
    return Optional.of(new Position(last.claimedAt(), last.id()));
  }
}
