package dev.oncegate.app.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Records of the ops API as people read them. */
final class RecordText {
  private RecordText() {}

  static void row(TextTable table, JsonObject record) {
    table.row(
        record.getString("state"),
        record.getString("tenant"),
        record.getString("route"),
        seconds(record.getString("claimedAt")),
        note(record),
        record.getString("id"));
  }

  private static String note(JsonObject record) {
    return switch (record.getString("state")) {
      case "unknown" ->
          record.getBoolean("waitsForPerson", false)
              ? "waits for a person"
              : "being asked about, " + record.getInteger("questions", 0) + " times so far";
      case "completed" ->
          record.getInteger("status")
              + (record.getBoolean("reconstructed", false) ? ", reconstructed" : "");
      default -> "";
    };
  }

  static void show(PrintWriter out, JsonObject record) {
    TextTable table = new TextTable();
    for (String name : record.fieldNames()) {
      Object value = record.getValue(name);
      if (value != null && !(value instanceof JsonArray)) {
        table.row(name, value.toString());
      }
    }
    table.print(out, "");
    out.println();
    timeline(out, record.getJsonArray("timeline", new JsonArray()));
  }

  static void timeline(PrintWriter out, JsonArray timeline) {
    if (timeline.isEmpty()) {
      out.println("nothing out of the ordinary has happened to it");
      return;
    }
    TextTable table = new TextTable().row("AT", "WHAT", "BY", "TOKEN", "TEXT");
    for (Object each : timeline) {
      JsonObject entry = (JsonObject) each;
      table.row(
          seconds(entry.getString("at")),
          entry.getString("kind"),
          entry.getString("by"),
          entry.getString("token"),
          entry.getString("text"));
    }
    table.print(out, "");
  }

  private static String seconds(String time) {
    return Instant.parse(time).truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
