package dev.oncegate.app.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What the command line said; null where it said nothing. */
public record ServeFlags(
    @Nullable Path tenants,
    @Nullable Endpoint gateway,
    @Nullable Endpoint ops,
    @Nullable Path dataDir,
    @Nullable String postgres) {

  /** Half of an address may come from a flag and half from the environment. */
  public record Endpoint(@Nullable String host, @Nullable String port) {}
}
