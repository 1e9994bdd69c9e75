package dev.oncegate.app.cli;

import dev.oncegate.app.Gateway;
import dev.oncegate.app.StartFailure;
import dev.oncegate.app.config.ConfigLoader;
import dev.oncegate.app.config.ConfigLoader.Defaults;
import dev.oncegate.app.config.Environment;
import dev.oncegate.app.config.GatewayConfig;
import dev.oncegate.app.config.ServeFlags;
import dev.oncegate.tenants.TenantsLoader.Loaded;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The gateway. */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Runs the gateway. Without a Postgres URI an embedded, durable Postgres keeps the data"
          + " directory.",
      "Every flag has an environment variable (ONCEGATE_TENANTS, ONCEGATE_HOST, ONCEGATE_PORT,"
          + " ONCEGATE_OPS_HOST, ONCEGATE_OPS_PORT, ONCEGATE_DATA_DIR, ONCEGATE_POSTGRES_URI); the"
          + " flag wins. Further: ONCEGATE_SECRET (hex or base64, 32 bytes or more; required with"
          + " a Postgres URI), ONCEGATE_STORE_PARTITIONS, ONCEGATE_INSTANCES,"
          + " ONCEGATE_DRAIN_TIMEOUT."
    })
final class ServeCommand implements Callable<Integer> {
  private final Map<String, String> variables;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Option(
      names = "--tenants",
      paramLabel = "FILE",
      description = "The tenants file; built-in tenants.yaml.")
  private @Nullable Path tenants;

  @Mixin
  @SuppressWarnings("NullAway.Init")
  private ListenOptions listen;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Home of the embedded Postgres; built-in data.")
  private @Nullable Path dataDir;

  @Option(
      names = "--postgres",
      paramLabel = "URI",
      description = "postgresql://USER:PASSWORD@HOST:PORT/DATABASE (better by environment).")
  private @Nullable String postgres;

  @Mixin
  @SuppressWarnings("NullAway.Init")
  private NotYetOptions notYet;

  ServeCommand(Map<String, String> variables) {
    this.variables = variables;
  }

  @Override
  public Integer call() {
    notYet.refuse();
    ConfigLoader loader = new ConfigLoader(Environment.of(variables));
    GatewayConfig config =
        loader.load(
            new ServeFlags(tenants, listen.gateway(), listen.ops(), dataDir, postgres),
            Defaults.SERVE);
    PrintWriter err = spec.commandLine().getErr();
    loader.ineffective().ifPresent(warning -> err.println("oncegate: " + warning));
    Optional<Loaded> served = TenantsInput.read(config, err);
    if (served.isEmpty()) {
      return StartFailure.INVALID;
    }
    Gateway gateway = Gateway.start(config, served.get());
    PrintWriter out = spec.commandLine().getOut();
    out.println(gateway.readyLine());
    out.flush();
    return OncegateCommand.KEEPS_RUNNING;
  }
}
