package dev.oncegate.app.cli;

import dev.oncegate.app.config.ServeFlags.Endpoint;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where to listen; the same flags on every command that does. */
final class ListenOptions {
  @Option(names = "--host", paramLabel = "HOST", description = "Where clients come in.")
  private @Nullable String host;

  @Option(names = "--port", paramLabel = "PORT", description = "Port for clients; built-in 8080.")
  private @Nullable String port;

  @Option(
      names = "--ops-host",
      paramLabel = "HOST",
      description = "Where health and metrics are; built-in 127.0.0.1.")
  private @Nullable String opsHost;

  @Option(
      names = "--ops-port",
      paramLabel = "PORT",
      description = "Port for health and metrics; built-in 8081.")
  private @Nullable String opsPort;

  Endpoint gateway() {
    return new Endpoint(host, port);
  }

  Endpoint ops() {
    return new Endpoint(opsHost, opsPort);
  }
}
