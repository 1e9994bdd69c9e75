package dev.oncegate.app.cli;

import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** One record with its timeline. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Shows a record, and what was out of the ordinary about it.")
final class RecordsShowCommand implements Callable<Integer> {
  @Mixin private final OpsOptions ops;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "TENANT", description = "Id of the tenant.")
  @SuppressWarnings("NullAway.Init")
  private String tenant;

  @Parameters(index = "1", paramLabel = "ID", description = "Id of the record, 64 hex digits.")
  @SuppressWarnings("NullAway.Init")
  private String id;

  RecordsShowCommand(Map<String, String> variables) {
    this.ops = new OpsOptions(variables);
  }

  @Override
  public Integer call() {
    OpsClient.Reply reply = ops.client().ask(path(tenant, id));
    PrintWriter out = spec.commandLine().getOut();
    if (reply.status() == 404 && reply.body().containsKey("timeline")) {
      // Of a record that was released or forgotten this is what is left.
      RecordText.timeline(out, reply.body().getJsonArray("timeline"));
      out.flush();
    }
    JsonObject record = reply.answer();
    if (ops.json()) {
      out.println(record.encodePrettily());
    } else {
      RecordText.show(out, record);
    }
    out.flush();
    return 0;
  }

  static String path(String tenant, String id) {
    return "/tenants/" + OpsClient.encoded(tenant) + "/records/" + OpsClient.encoded(id);
  }
}
