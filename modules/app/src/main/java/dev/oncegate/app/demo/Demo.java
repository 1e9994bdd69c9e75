package dev.oncegate.app.demo;

import dev.oncegate.app.Gateway;
import dev.oncegate.app.Ports;
import dev.oncegate.app.config.Address;
import dev.oncegate.app.config.GatewayConfig;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.tenants.TenantsLoader.Loaded;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;

/**
 * The gateway with its sample upstream, in one process.
 *
 * @param guide lines to paste
 */
public record Demo(Gateway gateway, List<String> guide) {
  /** Where the sample tenants expect the ledger. */
  public static final int LEDGER_PORT = 9100;

  private static final String LOOPBACK = "127.0.0.1";

  /** Looks at every port first, so that a taken one leaves nothing behind. */
  public static Demo start(GatewayConfig config, Loaded loaded, int ledgerPort) {
    List<TenantPolicy> tenants = loaded.tenants();
    Address wanted = new Address(LOOPBACK, ledgerPort);
    Ports.requireFree(wanted, "--ledger-port");
    Gateway.requireFreePorts(config);
    Vertx vertx = ledgerVertx();
    LedgerUpstream ledger;
    try {
      ledger = LedgerUpstream.deploy(vertx, LOOPBACK, ledgerPort).await();
    } catch (Exception e) {
      vertx.close().await();
      throw Ports.inUse(wanted, "--ledger-port", e);
    }
    Gateway gateway =
        Gateway.start(
            config,
            loaded.withTenants(
                tenants.stream().map(tenant -> towards(tenant, ledger.actualPort())).toList()),
            () -> vertx.close().await());
    String key = "order-" + HexFormat.of().formatHex(new SecureRandom().generateSeed(3));
    return new Demo(gateway, DemoGuide.lines(tenants, gateway, key));
  }

  /** A Vert.x of its own: the upstream is no part of the gateway, nor of its metrics. */
  private static Vertx ledgerVertx() {
    return Vertx.vertx(
        new VertxOptions()
            .setEventLoopPoolSize(1)
            .setWorkerPoolSize(1)
            .setInternalBlockingPoolSize(1)
            .setFileSystemOptions(
                new FileSystemOptions()
                    .setFileCachingEnabled(false)
                    .setClassPathResolvingEnabled(false)));
  }

  private static TenantPolicy towards(TenantPolicy tenant, int port) {
    TenantPolicy.Upstream upstream = tenant.upstream();
    if (!upstream.host().equals(LOOPBACK) || upstream.port() != LEDGER_PORT) {
      return tenant;
    }
    return new TenantPolicy(
        tenant.id(),
        tenant.matches(),
        tenant.principal(),
        upstream.at(port),
        tenant.unmatched(),
        tenant.routes());
  }
}
