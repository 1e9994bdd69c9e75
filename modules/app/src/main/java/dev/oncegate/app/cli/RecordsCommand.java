package dev.oncegate.app.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What operators do with records, over the ops API of a running gateway. */
@Command(
    name = "records",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description =
        "Finds, shows and resolves records of a running gateway (docs/operations.md says when).",
    commandListHeading = "%nCommands:%n",
    synopsisSubcommandLabel = "COMMAND")
final class RecordsCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
