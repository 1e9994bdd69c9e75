package dev.oncegate.app.cli;

import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The unknown records of a tenant that a person means by route and time. */
final class ManyRecords {
  private static final int PAGE = 1000;

  /** Small enough that each call is answered well within its time. */
  private static final int BATCH = 100;

  private final OpsClient client;
  private final String path;
  private final Selection selection;

  ManyRecords(OpsClient client, String tenant, Selection selection) {
    this.client = client;
    this.path = "/tenants/" + OpsClient.encoded(tenant) + "/records";
    this.selection = selection;
  }

  /** By route and time of the claims; at least one of them. */
  record Selection(@Nullable String route, @Nullable String from, @Nullable String until) {
    Map<String, String> members() {
      Map<String, String> members = new TreeMap<>();
      RecordsFindCommand.put(members, "route", route);
      RecordsFindCommand.put(members, "claimedFrom", from);
      RecordsFindCommand.put(members, "claimedUntil", until);
      return members;
    }
  }

  /** What became of them. */
  record Sum(long resolved, long quarantined, long changed, long failed) {
    static final Sum NONE = new Sum(0, 0, 0, 0);

    Sum plus(JsonObject call) {
      return new Sum(
          resolved + call.getLong("resolved"),
          quarantined + call.getLong("quarantined"),
          changed + call.getLong("changed"),
          failed + call.getLong("failed"));
    }

    /** Whether nothing of it is left. */
    boolean isWhole() {
      return quarantined == 0 && failed == 0;
    }

    JsonObject json() {
      return new JsonObject()
          .put("resolved", resolved)
          .put("quarantined", quarantined)
          .put("changed", changed)
          .put("failed", failed);
    }

    String text() {
      String text =
          "resolved %d, in quarantine %d, changed meanwhile %d, failed %d"
              .formatted(resolved, quarantined, changed, failed);
      return isWhole() ? text : text + "; repeat the command for what is left";
    }
  }

  /** How many there are now. */
  int count() {
    Map<String, String> query = selection.members();
    query.put("state", "unknown");
    query.put("limit", Integer.toString(PAGE));
    int count = 0;
    while (true) {
      JsonObject page = client.get(path + OpsClient.query(query));
      count += page.getJsonArray("records").size();
      String next = page.getString("next");
      if (next == null) {
        return count;
      }
      query.put("after", next);
    }
  }

  String text(int count) {
    StringBuilder text = new StringBuilder(count + " unknown");
    selection.members().forEach((name, value) -> text.append(", " + name + " " + value));
    return text.toString();
  }

  /** Page by page to the end; what is in quarantine stays behind. */
  Sum resolve(JsonObject order) {
    JsonObject body = order.copy().put("state", "unknown").put("limit", BATCH);
    selection.members().forEach(body::put);
    Sum sum = Sum.NONE;
    while (true) {
      JsonObject call = client.post(path + "/resolve", body);
      sum = sum.plus(call);
      String next = call.getString("next");
      if (next == null) {
        return sum;
      }
      body.put("after", next);
    }
  }
}
