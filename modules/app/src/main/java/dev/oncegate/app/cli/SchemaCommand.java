package dev.oncegate.app.cli;

import dev.oncegate.tenants.TenantsLoader;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** For editors: completion and checks while one writes. */
@Command(
    name = "schema",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Prints the JSON Schema (draft-07) of tenants.yaml.")
final class SchemaCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(TenantsLoader.schema());
    out.flush();
    return 0;
  }
}
