package dev.oncegate.app.cli;

import dev.oncegate.app.StartFailure;
import io.vertx.core.json.JsonObject;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A person's verdict on one record, or on many by route and time. */
@Command(
    name = "resolve",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Says what became of an outcome that is not known: of one record by its id, or of many by"
          + " route and time of their claims.",
      "Ask the tenant's API first: nothing here can be taken back."
    })
final class RecordsResolveCommand implements Callable<Integer> {
  private final InputStream in;

  @Mixin private final OpsOptions ops;
  @Mixin private final VerdictOptions verdict = new VerdictOptions();

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "TENANT", description = "Id of the tenant.")
  @SuppressWarnings("NullAway.Init")
  private String tenant;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "ID",
      description = "Id of the record, 64 hex digits; without it: many, by the options below.")
  private @Nullable String id;

  @Option(names = "--route", paramLabel = "ROUTE", description = "Many: those of this route.")
  private @Nullable String route;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Many: claimed at or after this (RFC 3339).")
  private @Nullable String from;

  @Option(names = "--until", paramLabel = "TIME", description = "Many: claimed before this.")
  private @Nullable String until;

  @Option(names = "--yes", description = "Many: does not ask whether to go on.")
  private boolean yes;

  RecordsResolveCommand(Map<String, String> variables, InputStream in) {
    this.ops = new OpsOptions(variables);
    this.in = in;
  }

  @Override
  public Integer call() {
    boolean many = route != null || from != null || until != null;
    if (id != null && many) {
      throw StartFailure.invalid("ID stands beside --route, --from or --until; give one record");
    }
    if (id == null && !many) {
      throw StartFailure.invalid("give ID, or at least one of --route, --from and --until");
    }
    if (many && verdict.hasResponse()) {
      throw StartFailure.invalid("--response is the answer of one record; give its ID");
    }
    JsonObject order = verdict.order();
    if (id != null) {
      one(id, order);
      return 0;
    }
    ManyRecords records =
        new ManyRecords(ops.client(), tenant, new ManyRecords.Selection(route, from, until));
    return many(records, order);
  }

  private void one(String record, JsonObject order) {
    JsonObject answer =
        ops.client().post(RecordsShowCommand.path(tenant, record) + "/resolve", order);
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        ops.json()
            ? answer.encodePrettily()
            : "resolved: " + answer.getString("verdict") + ", record " + answer.getString("id"));
    out.flush();
  }

  private int many(ManyRecords records, JsonObject order) {
    PrintWriter out = spec.commandLine().getOut();
    int count = records.count();
    if (count > 0 && !yes && !agreed(records.text(count) + ": " + verdict.text())) {
      throw StartFailure.invalid("nothing was resolved; --yes goes on without asking");
    }
    ManyRecords.Sum sum = count == 0 ? ManyRecords.Sum.NONE : records.resolve(order);
    out.println(ops.json() ? sum.json().encodePrettily() : sum.text());
    out.flush();
    return sum.isWhole() ? 0 : StartFailure.INVALID;
  }

  /** Without a person at the other end the answer is no. */
  private boolean agreed(String what) {
    PrintWriter err = spec.commandLine().getErr();
    err.print(what + "\nGo on? [y/N] ");
    err.flush();
    String answer = Answers.line(in).strip();
    return answer.equalsIgnoreCase("y") || answer.equalsIgnoreCase("yes");
  }
}
