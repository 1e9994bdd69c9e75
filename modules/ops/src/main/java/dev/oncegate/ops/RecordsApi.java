package dev.oncegate.ops;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.RecordId;
import dev.oncegate.core.TimelineEntry;
import dev.oncegate.engine.BulkResolution;
import dev.oncegate.engine.Resolution;
import dev.oncegate.engine.Resolution.Order;
import dev.oncegate.engine.Resolution.Result;
import dev.oncegate.engine.port.RecordReader;
import dev.oncegate.engine.port.RecordReader.Found;
import dev.oncegate.engine.port.RecordReader.Position;
import dev.oncegate.engine.port.RecordReader.Query;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;

/** Find, show and resolve (contract §9): everything that a person can know and say of records. */
final class RecordsApi {
  private final TenantsApi tenants;
  private final RecordReader reader;
  private final Resolution resolution;
  private final BulkResolution bulk;
  private final RecordJson json;

  RecordsApi(TenantsApi tenants, RecordReader reader, Resolution resolution) {
    this.tenants = tenants;
    this.reader = reader;
    this.resolution = resolution;
    this.bulk = new BulkResolution(reader, resolution);
    this.json = new RecordJson(tenants::quarantine);
  }

  Future<JsonObject> find(RoutingContext request) {
    return tenants
        .named(request)
        .compose(
            tenant -> {
              Query query = RecordsQuery.parse(tenant.id(), tenant.policy(), request.queryParams());
              return reader.find(query).map(found -> page(query, found));
            });
  }

  private JsonObject page(Query query, List<Found> found) {
    JsonArray records = new JsonArray();
    found.forEach(one -> records.add(json.of(one)));
    JsonObject page = new JsonObject().put("records", records);
    // The id of the key that was asked for, so that its timeline can be seen when it is gone.
    query.id().ifPresent(id -> page.put("id", id.hex()));
    if (found.size() == query.limit()) {
      var last = found.get(found.size() - 1).record().facts();
      page.put("next", Cursor.of(new Position(last.claimedAt(), last.id())));
    }
    return page;
  }

  Future<JsonObject> show(RoutingContext request) {
    RecordId id = RecordIds.parse(request.pathParam("id"));
    return tenants
        .named(request)
        .compose(
            tenant ->
                Future.all(reader.show(tenant.id(), id), reader.timeline(tenant.id(), id))
                    .map(
                        both -> {
                          Optional<Found> found = both.resultAt(0);
                          List<TimelineEntry> entries = both.resultAt(1);
                          JsonArray timeline = RecordJson.timeline(entries);
                          return found
                              .map(one -> whole(one).put("timeline", timeline))
                              .orElseThrow(() -> absent(timeline));
                        }));
  }

  /** Of an unknown outcome also what a person needs to ask about it (contract §6). */
  private JsonObject whole(Found found) {
    JsonObject record = json.of(found);
    if (found.record() instanceof IdempotencyRecord.Unknown) {
      resolution
          .inputs(found)
          .ifPresent(inputs -> record.put("request", RecordJson.request(inputs)));
    }
    return record;
  }

  private static OpsProblem.Refused absent(JsonArray timeline) {
    OpsProblem problem =
        OpsProblem.of(
            404,
            "record-absent",
            "Record absent",
            "There is no such record of this tenant: never claimed, released, or forgotten.");
    return (timeline.isEmpty() ? problem : problem.with("timeline", timeline)).refused();
  }

  Future<JsonObject> resolve(RoutingContext request) {
    RecordId id = RecordIds.parse(request.pathParam("id"));
    Order order = OrderReader.one(request.body().buffer());
    return tenants
        .named(request)
        .compose(
            tenant ->
                resolution
                    .resolve(tenant.id(), id, order)
                    .onFailure(failure -> WriteLog.one("a verdict failed", tenant.id(), id, order))
                    .compose(result -> told(tenant.id(), id, order, result)));
  }

  private Future<JsonObject> told(String tenant, RecordId id, Order order, Result result) {
    WriteLog.one(
        result instanceof Result.Resolved ? "a verdict was written" : "a verdict was refused",
        tenant,
        id,
        order);
    if (result instanceof Result.Resolved) {
      JsonObject answer =
          new JsonObject()
              .put("id", id.hex())
              .put("resolved", true)
              .put("verdict", WriteLog.label(order.ruling()));
      return Future.succeededFuture(answer);
    }
    if (result instanceof Result.Absent) {
      return reader
          .timeline(tenant, id)
          .compose(entries -> Future.failedFuture(absent(RecordJson.timeline(entries))));
    }
    return Future.failedFuture(refused(result).refused());
  }

  private static OpsProblem refused(Result result) {
    if (result instanceof Result.Quarantined quarantined) {
      return OpsProblem.of(
              409,
              "quarantined",
              "Quarantined",
              ("Until %s a request that was sent may still arrive, so notApplied would not be safe"
                      + " yet. Ask again after that; force: true does not wait, and risks that the"
                      + " effect happens twice.")
                  .formatted(quarantined.until()))
          .with("state", "unknown")
          .with("quarantine_until", quarantined.until().toString());
    } else if (result instanceof Result.NotUnknown other) {
      return OpsProblem.of(
              409,
              "not-unknown",
              "Not unknown",
              "Only an unknown outcome can be resolved (now: %s).".formatted(other.state()))
          .with("state", other.state());
    } else if (result instanceof Result.Refused refused) {
      return OpsProblem.of(409, "verdict-refused", "Verdict refused", refused.why());
    }
    throw new BrokenInvariant("no such result: " + result.getClass());
  }

  Future<JsonObject> resolveMany(RoutingContext request) {
    OrderReader.Bulk many = OrderReader.many(request.body().buffer());
    return tenants
        .named(request)
        .compose(
            tenant ->
                bulk.resolveAll(tenant.id(), many.selection(), many.order())
                    .onComplete(
                        done ->
                            WriteLog.many(
                                done.succeeded()
                                    ? "a verdict on many was written"
                                    : "a verdict on many failed",
                                tenant.id(),
                                many.selection(),
                                many.order())))
        .map(RecordsApi::counts);
  }

  private static JsonObject counts(BulkResolution.Many many) {
    JsonObject counts =
        new JsonObject()
            .put("resolved", many.resolved())
            .put("quarantined", many.quarantined())
            .put("changed", many.changed())
            .put("failed", many.refused())
            .put("more", many.next().isPresent());
    many.next().ifPresent(next -> counts.put("next", Cursor.of(next)));
    return counts;
  }
}
