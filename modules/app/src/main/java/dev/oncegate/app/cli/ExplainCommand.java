package dev.oncegate.app.cli;

import dev.oncegate.app.StartFailure;
import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.tenants.Explanation;
import dev.oncegate.tenants.Explanation.Explained;
import dev.oncegate.tenants.Finding;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What holds on a route, and who said so. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description =
        "Prints the merged policy of a route, where each value was written, the derived"
            + " retention, and what follows unknown outcomes. Secrets need not be there.")
final class ExplainCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "FILE", description = "The tenants file, or its folder.")
  @SuppressWarnings("NullAway.Init")
  private Path file;

  @Parameters(index = "1", paramLabel = "TENANT", description = "Id of the tenant.")
  @SuppressWarnings("NullAway.Init")
  private String tenant;

  @Parameters(index = "2", paramLabel = "ROUTE", description = "Id of the route.")
  @SuppressWarnings("NullAway.Init")
  private String route;

  @Override
  public Integer call() {
    Explanation.Result result = Explanation.of(file, tenant, route);
    if (result instanceof Explained explained) {
      return print(explained);
    } else if (result instanceof Explanation.Unknown unknown) {
      throw StartFailure.invalid(unknown.message());
    } else if (result instanceof Explanation.Refused refused) {
      throw StartFailure.refused(refused.findings());
    }
    throw new BrokenInvariant("no such result: " + result.getClass());
  }

  /** A file that is refused is explained too: that may be how its fault is found. */
  private int print(Explained explained) {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    explained.lines().forEach(out::println);
    explained.findings().stream().filter(Finding::refuses).forEach(err::println);
    out.flush();
    err.flush();
    return explained.findings().stream().anyMatch(Finding::refuses) ? StartFailure.INVALID : 0;
  }
}
