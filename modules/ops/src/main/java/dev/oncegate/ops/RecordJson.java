package dev.oncegate.ops;

import dev.oncegate.core.ClaimFacts;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Expired;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.TimelineEntry;
import dev.oncegate.engine.ClaimInputs;
import dev.oncegate.engine.port.RecordReader.Found;
import dev.oncegate.engine.port.RecordReader.State;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Records as the ops API shows them: state and times, never a stored answer (contract §9); of an
 * unknown outcome, one at a time, also what a person needs to ask about it. Times are RFC 3339 in
 * UTC. Tokens are texts, since they exceed what a JavaScript number holds.
 */
final class RecordJson {
  private final Function<String, Optional<Duration>> quarantines;

  /**
   * Shows records.
   *
   * @param quarantines by policy version, where that version is at hand
   */
  RecordJson(Function<String, Optional<Duration>> quarantines) {
    this.quarantines = quarantines;
  }

  JsonObject of(Found found) {
    IdempotencyRecord record = found.record();
    ClaimFacts facts = record.facts();
    JsonObject json =
        new JsonObject()
            .put("id", facts.id().hex())
            .put("tenant", facts.tenant())
            .put("route", facts.route())
            .put("state", State.of(record).label())
            .put("claimedAt", facts.claimedAt().toString())
            .put("deadline", record.publishedDeadline().toString())
            .put("token", Long.toString(facts.token().value()))
            .put("owner", facts.owner())
            .put("fingerprintVersion", facts.fingerprint().version())
            .put("policy", facts.policy());
    if (record instanceof Claimed claimed) {
      json.put("leaseUntil", claimed.leaseUntil().toString());
    } else if (record instanceof Unknown unknown) {
      unknown(json, unknown, found);
    } else if (record instanceof Completed completed) {
      json.put("completedAt", completed.completedAt().toString())
          .put("status", completed.answer().status())
          .put("reconstructed", completed.reconstructed())
          .put("tombstoneUntil", completed.tombstoneUntil().toString());
    } else if (record instanceof Expired expired) {
      json.put("completedAt", expired.completedAt().toString())
          .put("tombstoneUntil", expired.tombstoneUntil().toString());
    }
    return json;
  }

  private void unknown(JsonObject json, Unknown record, Found found) {
    json.put("unknownSince", record.since().toString())
        .put("unknownReason", found.unknownReason())
        .put("questions", found.questions())
        .put("waitsForPerson", found.waitsForPerson());
    quarantines
        .apply(record.facts().policy())
        .ifPresent(
            quarantine -> json.put("quarantineUntil", record.since().plus(quarantine).toString()));
  }

  /** What was sent, as far as the claim keeps it; never a credential. */
  static JsonObject request(ClaimInputs inputs) {
    JsonObject path = new JsonObject();
    inputs.path().forEach(path::put);
    JsonObject request =
        new JsonObject()
            .put("method", inputs.method())
            .put("target", inputs.target())
            .put("pathParameters", path);
    inputs.upstreamKey().ifPresent(key -> request.put("upstreamKey", key));
    inputs
        .request()
        .ifPresent(
            kept -> {
              JsonArray headers = new JsonArray();
              kept.headers()
                  .forEach(
                      h ->
                          headers.add(
                              new JsonObject().put("name", h.name()).put("value", h.value())));
              request
                  .put("headers", headers)
                  .put("bodyBase64", Base64.getEncoder().encodeToString(kept.body().array()));
            });
    return request;
  }

  static JsonArray timeline(List<TimelineEntry> entries) {
    JsonArray timeline = new JsonArray();
    for (TimelineEntry entry : entries) {
      timeline.add(
          new JsonObject()
              .put("at", entry.at().toString())
              .put("token", Long.toString(entry.token().value()))
              .put("kind", entry.kind().label())
              .put("by", entry.by())
              .put("text", entry.text()));
    }
    return timeline;
  }
}
