package dev.oncegate.app.cli;

import dev.oncegate.app.StartFailure;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The commands together, and how each of them ends. */
@Command(
    name = "oncegate",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    header = "A reverse proxy that makes effects happen at most once.",
    commandListHeading = "%nCommands:%n",
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:ok",
      "1:differences (later: plan)",
      "2:invalid input or configuration",
      "3:something needed cannot be reached"
    })
public final class OncegateCommand implements Runnable {
  /** No exit code: the gateway has started and its own threads carry it. */
  public static final int KEEPS_RUNNING = -1;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  /** Runs the command that the arguments name; every failure is one line on standard error. */
  public static int run(String[] arguments, Map<String, String> environment) {
    return commandLine(environment, System.in).execute(arguments);
  }

  static CommandLine commandLine(Map<String, String> environment, InputStream in) {
    CommandLine line = new CommandLine(new OncegateCommand());
    SettingFlags.some(add(line, new DemoCommand(environment)), DemoCommand.SETTINGS);
    SettingFlags.all(add(line, new ServeCommand(environment)));
    add(line, new ValidateCommand());
    add(line, new ExplainCommand());
    add(line, new FingerprintCommand(environment, in));
    CommandLine records = add(line, new RecordsCommand()).commandLine();
    add(records, new RecordsFindCommand(environment));
    add(records, new RecordsShowCommand(environment));
    add(records, new RecordsResolveCommand(environment, in));
    add(line, new SchemaCommand());
    add(line, new CompletionCommand());
    line.setParameterExceptionHandler(usage());
    line.setExecutionExceptionHandler((failure, command, parsed) -> report(failure, command));
    line.setUsageHelpAutoWidth(true);
    return line;
  }

  private static CommandSpec add(CommandLine parent, Object command) {
    CommandLine child = new CommandLine(command);
    // Whoever asks a command for help wants to know its exit codes too.
    CommandSpec spec = child.getCommandSpec();
    spec.usageMessage()
        .exitCodeListHeading(parent.getCommandSpec().usageMessage().exitCodeListHeading())
        .exitCodeList(parent.getCommandSpec().usageMessage().exitCodeList());
    parent.addSubcommand(child);
    return spec;
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  private static IParameterExceptionHandler usage() {
    return (failure, arguments) -> {
      CommandLine command = failure.getCommandLine();
      String name = command.getCommandSpec().qualifiedName();
      complain(command.getErr(), failure.getMessage() + " (see " + name + " --help)");
      return StartFailure.INVALID;
    };
  }

  private static int report(Exception failure, CommandLine command) {
    if (failure instanceof StartFailure known) {
      if (known.findings().isEmpty()) {
        complain(command.getErr(), known.line());
      } else {
        known.findings().forEach(command.getErr()::println);
        command.getErr().flush();
      }
      return known.exitCode();
    }
    complain(command.getErr(), "internal error: " + failure);
    failure.printStackTrace(command.getErr());
    return StartFailure.UNREACHABLE;
  }

  private static void complain(PrintWriter err, String line) {
    err.println("oncegate: " + line.replace('\n', ' '));
    err.flush();
  }
}
