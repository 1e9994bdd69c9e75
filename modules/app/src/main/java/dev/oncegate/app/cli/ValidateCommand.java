package dev.oncegate.app.cli;

import dev.oncegate.app.StartFailure;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.tenants.Finding;
import dev.oncegate.tenants.TenantsLoader;
import dev.oncegate.tenants.TenantsLoader.Loaded;
import dev.oncegate.tenants.TenantsLoader.Mode;
import dev.oncegate.tenants.TenantsLoader.Options;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks a tenants file. Faults go to standard error, warnings and notes to standard output. */
@Command(
    name = "validate",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Checks a tenants file and says what was assumed.")
final class ValidateCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "tenants.yaml, or the folder that holds it.")
  @SuppressWarnings("NullAway.Init")
  private Path file;

  @Override
  public Integer call() {
    TenantsLoader.Result result = TenantsLoader.load(file, Options.of(Mode.VALIDATE));
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    for (Finding finding : TenantsInput.findings(result)) {
      (finding.refuses() ? err : out).println(finding);
    }
    if (result instanceof Loaded loaded) {
      loaded.retentions().forEach(out::println);
      loaded.ways().forEach(out::println);
      out.println(file + ": ok, " + summary(loaded.tenants()));
    }
    out.flush();
    err.flush();
    return result instanceof Loaded ? 0 : StartFailure.INVALID;
  }

  private static String summary(List<TenantPolicy> tenants) {
    int routes = tenants.stream().mapToInt(tenant -> tenant.routes().size()).sum();
    return counted(tenants.size(), "tenant") + ", " + counted(routes, "route");
  }

  private static String counted(int count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }
}
