package dev.oncegate.ops;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.micrometer.Label;
import io.vertx.micrometer.MetricsDomain;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.util.EnumSet;

/** The one registry of a process, and what Vert.x may put into it. */
public final class OpsMetrics {
  /**
   * Clients choose methods, paths and addresses, so none of them is a label: a stranger could fill
   * the registry. Pools and clients are named by tenants.
   */
  private static final EnumSet<Label> LABELS =
      EnumSet.of(Label.HTTP_CODE, Label.POOL_TYPE, Label.POOL_NAME, Label.CLIENT_NAME);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  PrometheusMeterRegistry registry() {
    return registry;
  }

  /** Makes Vert.x measure itself into the registry. */
  public VertxBuilder install(VertxBuilder builder, VertxOptions options) {
    MicrometerMetricsOptions metrics =
        new MicrometerMetricsOptions()
            .setEnabled(true)
            .setLabels(LABELS)
            .setJvmMetricsEnabled(true)
            // Sockets are counted by the HTTP meters already, verticles never change.
            .addDisabledMetricsCategory(MetricsDomain.NET_SERVER)
            .addDisabledMetricsCategory(MetricsDomain.NET_CLIENT)
            .addDisabledMetricsCategory(MetricsDomain.DATAGRAM_SOCKET)
            .addDisabledMetricsCategory(MetricsDomain.EVENT_BUS)
            .addDisabledMetricsCategory(MetricsDomain.VERTICLES)
            // The lanes' connections have no names, so that all of them would share one series.
            .addDisabledMetricsCategory("sql");
    return builder
        .with(options.setMetricsOptions(metrics))
        .withMetrics(new MicrometerMetricsFactory(registry));
  }

  /** The registry as Prometheus text. */
  String scrape() {
    return registry.scrape();
  }
}
