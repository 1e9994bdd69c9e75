package dev.oncegate.app;

import dev.oncegate.app.config.GatewayConfig;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.gateway.http.GatewayLimits;
import dev.oncegate.store.postgres.PgStoreSettings;
import java.time.Duration;
import java.util.List;

/** The settings of a run in the words of the adapters. */
final class Tuning {
  /** How much longer than any exchange a client's connection may be silent. */
  private static final Duration IDLE_MARGIN = Duration.ofMinutes(1);

  /** A timer of the HTTP server counts in an int of milliseconds. */
  private static final Duration LONGEST_IDLE = Duration.ofDays(24);

  private Tuning() {}

  static PgStoreSettings store(GatewayConfig config) {
    GatewayConfig.Store store = config.store();
    return new PgStoreSettings(
        store.claims(),
        store.settles(),
        store.reads(),
        store.queue(),
        store.patience(),
        store.lockTimeout(),
        store.connectTimeout(),
        store.longestBackoff(),
        store.batch(),
        PgStoreSettings.BATCH_BYTES);
  }

  static GatewayLimits limits(GatewayConfig config, List<TenantPolicy> tenants) {
    GatewayLimits builtIn = GatewayLimits.BUILT_IN;
    GatewayConfig.Limits limits = config.limits();
    return new GatewayLimits(
        limits.headers(),
        limits.requestLine(),
        idle(limits.idle(), tenants),
        limits.upload(),
        limits.uploadWindow(),
        limits.uploadLeast(),
        builtIn.discard(),
        builtIn.linger(),
        builtIn.projectOnLoop());
  }

  /** A duplicate waits, an unknown record that may be released included; a winner waits too. */
  private static Duration longestSilence(TenantPolicy tenant, RoutePolicy route) {
    Duration total = tenant.upstream().timeouts().total();
    return total.plus(route.park().maxWait()).plus(IDLE_MARGIN);
  }

  /** A client that waits for its answer is idle too, and must not be cut off. */
  private static Duration idle(Duration wanted, List<TenantPolicy> tenants) {
    return tenants.stream()
        .flatMap(tenant -> tenant.routes().stream().map(route -> longestSilence(tenant, route)))
        .map(silence -> silence.compareTo(LONGEST_IDLE) > 0 ? LONGEST_IDLE : silence)
        .reduce(wanted, (a, b) -> a.compareTo(b) > 0 ? a : b);
  }
}
