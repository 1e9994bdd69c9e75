package dev.oncegate.app.cli;

import dev.oncegate.app.StartFailure;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which records there are. */
@Command(
    name = "find",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Lists records, newest first: of one tenant, or of all.",
      "Times are RFC 3339, such as 2026-01-31T08:00:00Z."
    })
final class RecordsFindCommand implements Callable<Integer> {
  private static final int PAGE = 1000;

  @Mixin private final OpsOptions ops;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Option(names = "--tenant", paramLabel = "TENANT", description = "Only of this tenant.")
  private @Nullable String tenant;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      completionCandidates = States.class,
      description = "One of ${COMPLETION-CANDIDATES}.")
  private @Nullable String state;

  @Option(names = "--route", paramLabel = "ROUTE", description = "Only of this route.")
  private @Nullable String route;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "The record of this key; with --tenant and --route.")
  private @Nullable String key;

  @Option(
      names = "--principal",
      paramLabel = "ID",
      description = "Who owns the key, where the tenant's key space is not shared.")
  private @Nullable String principal;

  @Option(names = "--from", paramLabel = "TIME", description = "Claimed at or after this.")
  private @Nullable String from;

  @Option(names = "--until", paramLabel = "TIME", description = "Claimed before this.")
  private @Nullable String until;

  @Option(
      names = "--limit",
      paramLabel = "COUNT",
      defaultValue = "100",
      description = "At most so many; built-in ${DEFAULT-VALUE}.")
  private int limit;

  RecordsFindCommand(Map<String, String> variables) {
    this.ops = new OpsOptions(variables);
  }

  static final class States extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    States() {
      super(List.of("claimed", "completed", "unknown", "expired"));
    }
  }

  @Override
  public Integer call() {
    if (limit < 1) {
      throw StartFailure.invalid("--limit is '" + limit + "'; give a number from 1");
    }
    if (key != null && tenant == null) {
      throw StartFailure.invalid("--key needs --tenant and --route beside it");
    }
    OpsClient client = ops.client();
    List<JsonObject> records = new ArrayList<>();
    boolean more = false;
    for (String id : tenant == null ? tenants(client) : List.of(tenant)) {
      more |= collect(client, id, records);
    }
    print(records, more);
    return 0;
  }

  private static List<String> tenants(OpsClient client) {
    return client.get("/tenants").getJsonArray("tenants").stream()
        .map(each -> ((JsonObject) each).getString("id"))
        .toList();
  }

  /** Whether there are more than the limit lets in. */
  private boolean collect(OpsClient client, String id, List<JsonObject> records) {
    Map<String, String> query = filters();
    while (true) {
      int room = limit - records.size();
      query.put("limit", Integer.toString(Math.max(1, Math.min(PAGE, room))));
      JsonObject page =
          client.get("/tenants/" + OpsClient.encoded(id) + "/records" + OpsClient.query(query));
      JsonArray found = page.getJsonArray("records");
      if (room <= 0) {
        return !found.isEmpty();
      }
      found.forEach(record -> records.add((JsonObject) record));
      String next = page.getString("next");
      if (next == null) {
        return false;
      }
      query.put("after", next);
    }
  }

  private Map<String, String> filters() {
    Map<String, String> filters = new TreeMap<>();
    put(filters, "state", state);
    put(filters, "route", route);
    put(filters, "key", key);
    put(filters, "principal", principal);
    put(filters, "claimedFrom", from);
    put(filters, "claimedUntil", until);
    return filters;
  }

  static void put(Map<String, String> filters, String name, @Nullable String value) {
    if (value != null) {
      filters.put(name, value);
    }
  }

  private void print(List<JsonObject> records, boolean more) {
    PrintWriter out = spec.commandLine().getOut();
    if (ops.json()) {
      out.println(new JsonObject().put("records", new JsonArray(records)).encodePrettily());
    } else if (records.isEmpty()) {
      out.println("no records");
    } else {
      TextTable table = new TextTable().row("STATE", "TENANT", "ROUTE", "CLAIMED", "NOTE", "ID");
      records.forEach(record -> RecordText.row(table, record));
      table.print(out, "");
    }
    out.flush();
    if (more) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("oncegate: there are more than " + limit + "; --limit shows them");
      err.flush();
    }
  }
}
