package dev.oncegate.app.cli;

import dev.oncegate.app.StartFailure;
import dev.oncegate.app.config.ConfigLoader;
import dev.oncegate.app.config.ConfigLoader.Defaults;
import dev.oncegate.app.config.Environment;
import dev.oncegate.app.config.GatewayConfig;
import dev.oncegate.app.demo.Demo;
import dev.oncegate.tenants.TenantsLoader.Loaded;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Everything on one machine, for a first look. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description =
        "Runs the gateway with everything it needs (an embedded Postgres and a sample ledger"
            + " upstream) and prints curl lines to paste.")
final class DemoCommand implements Callable<Integer> {
  /** Flags that are settings, and what they mean here. */
  static final Map<String, String> SETTINGS =
      Map.of(
          "--tenants", "The tenants file. Built-in: the tenants.yaml beside the launcher.",
          "--host", "Where clients come in. Built-in: 127.0.0.1.",
          "--port", "Port for clients. Built-in: 8080.",
          "--ops-host", "Where health and metrics are. Built-in: 127.0.0.1.",
          "--ops-port", "Port for health and metrics. Built-in: 8081.",
          "--data-dir", "Home of the embedded Postgres. Built-in: data/demo.");

  private final Map<String, String> variables;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Option(
      names = "--ledger-port",
      paramLabel = "PORT",
      defaultValue = "" + Demo.LEDGER_PORT,
      description =
          "Port of the sample upstream; built-in ${DEFAULT-VALUE}. Tenants whose upstream is there"
              + " follow it.")
  private int ledgerPort;

  DemoCommand(Map<String, String> variables) {
    this.variables = variables;
  }

  @Override
  public Integer call() {
    if (ledgerPort < 0 || ledgerPort > 65_535) {
      throw StartFailure.invalid(
          "--ledger-port is '" + ledgerPort + "'; give a number from 0 to 65535");
    }
    Path beside = Path.of(System.getProperty("oncegate.home", ""), "tenants.yaml");
    GatewayConfig config =
        new ConfigLoader(Environment.of(variables).forDemo())
            .load(SettingFlags.of(spec), Defaults.demo(beside));
    Optional<Loaded> served = TenantsInput.read(config, spec.commandLine().getErr());
    if (served.isEmpty()) {
      return StartFailure.INVALID;
    }
    Demo demo = Demo.start(config, served.get(), ledgerPort);
    PrintWriter out = spec.commandLine().getOut();
    demo.guide().forEach(out::println);
    StartLines.of(demo.gateway()).forEach(out::println);
    out.flush();
    return OncegateCommand.KEEPS_RUNNING;
  }
}
