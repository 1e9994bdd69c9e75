package dev.oncegate.ops;

import dev.oncegate.core.RecordId;
import dev.oncegate.engine.BulkResolution.Selection;
import dev.oncegate.engine.Resolution.Order;
import dev.oncegate.engine.Resolution.Ruling;
import io.vertx.core.json.Json;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line for each write of the ops API (reliability 70): who wanted what, and whether it was
 * done. Never a key, a body or a credential. What people wrote is quoted, so that it cannot look
 * like other fields of the line.
 */
final class WriteLog {
  private static final Logger LOG = LoggerFactory.getLogger(WriteLog.class);

  private WriteLog() {}

  static String label(Ruling ruling) {
    return ruling == Ruling.APPLIED ? "applied" : "notApplied";
  }

  static void one(String what, String tenant, RecordId id, Order order) {
    write(what, tenant, "record", id.prefix(), order);
  }

  static void many(String what, String tenant, Selection selection, Order order) {
    String selected =
        "route="
            + selection.route().map(Json::encode).orElse("any")
            + " from="
            + selection.claimedFrom().map(Instant::toString).orElse("any")
            + " until="
            + selection.claimedUntil().map(Instant::toString).orElse("any");
    write(what, tenant, "selection", "[" + selected + "]", order);
  }

  private static void write(String what, String tenant, String subject, String value, Order order) {
    LOG.atInfo()
        .addKeyValue("tenant", tenant)
        .addKeyValue(subject, value)
        .addKeyValue("verdict", label(order.ruling()))
        .addKeyValue("force", order.force())
        .addKeyValue("by", Json.encode(order.by()))
        .addKeyValue("reason", Json.encode(order.reason()))
        .log(what);
  }
}
