package dev.oncegate.app.cli;

import dev.oncegate.app.Gateway;
import dev.oncegate.app.StartFailure;
import dev.oncegate.app.config.ConfigLoader;
import dev.oncegate.app.config.ConfigLoader.Defaults;
import dev.oncegate.app.config.Environment;
import dev.oncegate.app.config.GatewayConfig;
import dev.oncegate.tenants.TenantsLoader.Loaded;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The gateway. */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Runs the gateway. Without a Postgres URI an embedded, durable Postgres keeps the data"
          + " directory.",
      "Flags win over the environment (ONCEGATE_PORT and so on), which wins over the settings"
          + " file. docs/configuration.md lists every setting with its flag and variable."
    })
final class ServeCommand implements Callable<Integer> {
  private final Map<String, String> variables;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  ServeCommand(Map<String, String> variables) {
    this.variables = variables;
  }

  @Override
  public Integer call() {
    GatewayConfig settings =
        new ConfigLoader(Environment.of(variables)).load(SettingFlags.of(spec), Defaults.SERVE);
    PrintWriter err = spec.commandLine().getErr();
    Optional<Loaded> served = TenantsInput.read(settings, err);
    if (served.isEmpty()) {
      return StartFailure.INVALID;
    }
    Gateway gateway = Gateway.start(settings, served.get());
    PrintWriter out = spec.commandLine().getOut();
    StartLines.of(gateway).forEach(out::println);
    out.flush();
    return OncegateCommand.KEEPS_RUNNING;
  }
}
