package dev.oncegate.app.cli;

import dev.oncegate.app.config.GatewayConfig;
import dev.oncegate.tenants.Finding;
import dev.oncegate.tenants.SecretResolver;
import dev.oncegate.tenants.TenantsLoader;
import dev.oncegate.tenants.TenantsLoader.Listener;
import dev.oncegate.tenants.TenantsLoader.Loaded;
import dev.oncegate.tenants.TenantsLoader.Mode;
import dev.oncegate.tenants.TenantsLoader.Options;
import dev.oncegate.tenants.TenantsLoader.Refused;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/** The tenants that a run serves, or every fault of their file. */
final class TenantsInput {
  private TenantsInput() {}

  /** Prints what a person should know; empty where the file is refused. */
  static Optional<Loaded> read(GatewayConfig config, PrintWriter err) {
    List<Listener> own =
        List.of(
            new Listener(config.gateway().host(), config.gateway().port()),
            new Listener(config.ops().host(), config.ops().port()));
    TenantsLoader.Result result =
        TenantsLoader.load(config.tenants(), new Options(Mode.SERVE, SecretResolver.system(), own));
    Optional<Loaded> tenants =
        result instanceof Loaded loaded ? Optional.of(loaded) : Optional.empty();
    findings(result).stream()
        .filter(finding -> finding.severity() != Finding.Severity.NOTE)
        .forEach(err::println);
    err.flush();
    return tenants;
  }

  /** What was found, whatever became of the file. */
  static List<Finding> findings(TenantsLoader.Result result) {
    return result instanceof Refused refused ? refused.findings() : ((Loaded) result).remarks();
  }
}
