package dev.oncegate.ops;

import dev.oncegate.core.ClaimFacts;
import dev.oncegate.core.IdempotencyRecord;
import dev.oncegate.core.IdempotencyRecord.Claimed;
import dev.oncegate.core.IdempotencyRecord.Completed;
import dev.oncegate.core.IdempotencyRecord.Expired;
import dev.oncegate.core.IdempotencyRecord.Unknown;
import dev.oncegate.core.TimelineEntry;
import dev.oncegate.engine.port.RecordReader.Found;
import dev.oncegate.engine.port.RecordReader.State;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Records as the ops API shows them: state and times, never a body, a header or a key (contract
 * §9). Times are RFC 3339 in UTC. Tokens are texts, since they exceed what a JavaScript number
 * holds.
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
