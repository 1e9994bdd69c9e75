package dev.oncegate.app.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Every setting of a run, validated.
 *
 * @param tenants the tenants file
 * @param gateway where clients come in
 * @param ops where health and metrics are
 * @param dataDir home of the embedded Postgres, its lock and the installation secret; touched only
 *     where {@code postgres} is empty
 * @param postgres URI of a Postgres that others run; empty: the embedded one
 * @param secret the installation secret where it is given; always there with an external Postgres
 * @param storePartitions of the record table, counted once at install
 * @param instances event loops that serve traffic
 * @param drain longest wait for running exchanges when stopping
 */
public record GatewayConfig(
    Path tenants,
    Address gateway,
    Address ops,
    Path dataDir,
    Optional<PostgresUri> postgres,
    Optional<Secret> secret,
    int storePartitions,
    int instances,
    Duration drain) {

  /** Bytes that are never printed. */
  public record Secret(byte[] bytes) {
    @Override
    public String toString() {
      return "***";
    }
  }
}
