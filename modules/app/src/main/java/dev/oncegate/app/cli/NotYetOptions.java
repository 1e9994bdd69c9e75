package dev.oncegate.app.cli;

import dev.oncegate.app.StartFailure;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Flags of the contract that this version knows and cannot serve: refused, never ignored. */
final class NotYetOptions {
  @Option(names = "--config", paramLabel = "FILE", hidden = true)
  private @Nullable String config;

  @Option(names = "--redis", paramLabel = "URI", hidden = true)
  private @Nullable String redis;

  @Option(names = "--cluster", hidden = true)
  private boolean cluster;

  @Option(names = "--tls-cert", paramLabel = "FILE", hidden = true)
  private @Nullable String tlsCert;

  @Option(names = "--tls-key", paramLabel = "FILE", hidden = true)
  private @Nullable String tlsKey;

  void refuse() {
    Map<String, Boolean> given = new LinkedHashMap<>();
    given.put("--config", config != null);
    given.put("--redis", redis != null);
    given.put("--cluster", cluster);
    given.put("--tls-cert", tlsCert != null);
    given.put("--tls-key", tlsKey != null);
    given.forEach(
        (flag, present) -> {
          if (present) {
            throw StartFailure.invalid(flag + " is not supported yet");
          }
        });
  }
}
