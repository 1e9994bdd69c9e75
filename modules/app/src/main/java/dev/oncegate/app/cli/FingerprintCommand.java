package dev.oncegate.app.cli;

import dev.oncegate.app.StartFailure;
import dev.oncegate.app.config.ConfigLoader;
import dev.oncegate.app.config.Environment;
import dev.oncegate.app.config.GatewayConfig.Secret;
import dev.oncegate.app.config.ServeFlags;
import dev.oncegate.core.CanonicalProjection;
import dev.oncegate.core.FallbackReason;
import dev.oncegate.core.Fingerprints;
import dev.oncegate.engine.KeyRing;
import dev.oncegate.gateway.http.RequestInspection;
import dev.oncegate.gateway.http.RequestInspection.Inspected;
import dev.oncegate.gateway.http.RequestInspection.NotTaken;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What makes a request the same as another, made visible. */
@Command(
    name = "fingerprint",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Reads one HTTP/1.1 request message from standard input and prints the canonical projection"
          + " that its fingerprint is taken over, and the digest.",
      "The digest is keyed: with ONCEGATE_SECRET, or secret in the settings file, it is the one"
          + " that records hold."
    })
final class FingerprintCommand implements Callable<Integer> {
  /** Larger requests than this are no matter for a person's eyes. */
  private static final int LARGEST = 64 * 1024 * 1024;

  private final Map<String, String> variables;
  private final InputStream in;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "FILE", description = "The tenants file.")
  @SuppressWarnings("NullAway.Init")
  private Path file;

  @Parameters(index = "1", paramLabel = "TENANT", description = "Id of the tenant.")
  @SuppressWarnings("NullAway.Init")
  private String tenant;

  @Parameters(index = "2", paramLabel = "ROUTE", description = "Id of the route.")
  @SuppressWarnings("NullAway.Init")
  private String route;

  @Option(
      names = SettingFlags.CONFIG,
      paramLabel = "FILE",
      description = "The settings file that names the secret.")
  private @Nullable Path config;

  FingerprintCommand(Map<String, String> variables, InputStream in) {
    this.variables = variables;
    this.in = in;
  }

  @Override
  public Integer call() throws IOException {
    NamedRoute named = NamedRoute.find(file, tenant, route);
    Optional<Secret> secret =
        new ConfigLoader(Environment.of(variables))
            .secret(new ServeFlags(Optional.ofNullable(config), Map.of()));
    byte[] bytes = in.readNBytes(LARGEST + 1);
    if (bytes.length > LARGEST) {
      throw StartFailure.invalid("standard input is larger than 64MiB");
    }
    RequestInspection.Result result =
        RequestInspection.inspect(named.tenant(), route, RequestMessage.parse(bytes));
    if (result instanceof NotTaken not) {
      throw StartFailure.invalid("no fingerprint is taken: " + not.why());
    }
    print((Inspected) result, secret);
    return 0;
  }

  private void print(Inspected inspected, Optional<Secret> secret) {
    PrintWriter out = spec.commandLine().getOut();
    CanonicalProjection.Projected projected =
        CanonicalProjection.of(inspected.route().protocol().fingerprint(), inspected.input());
    ProjectionText.lines(projected.bytes()).forEach(out::println);
    out.println();
    out.println("fallback: " + projected.fallback().map(FallbackReason::label).orElse("none"));
    Secret key = secret.orElseGet(() -> new Secret(new byte[KeyRing.LEAST_SECRET]));
    KeyRing keys = new KeyRing(KeyRing.Secret.of(key.bytes()), List.of());
    Fingerprints.Taken taken =
        Fingerprints.production()
            .take(
                keys.keys(tenant).fingerprint().array(),
                inspected.route().protocol().fingerprint(),
                inspected.input());
    out.println(
        "digest:   v%d %s%s"
            .formatted(
                taken.fingerprint().version(),
                taken.fingerprint().digest().hex(),
                secret.isPresent()
                    ? ""
                    : " (under an example key; set ONCEGATE_SECRET for the installation's own)"));
    out.flush();
  }
}
