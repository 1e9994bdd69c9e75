package dev.oncegate.parking.eventbus;

import com.hazelcast.config.Config;
import com.hazelcast.config.JavaSerializationFilterConfig;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.NetworkConfig;
import dev.oncegate.parking.eventbus.ClusterSettings.Join;
import dev.oncegate.parking.eventbus.ClusterSettings.Pace;
import io.vertx.spi.cluster.hazelcast.ConfigUtil;
import java.time.Duration;
import java.util.List;

/** Hazelcast as we want it: the maps of vertx-hazelcast, and nothing found or told unasked. */
final class HazelcastConfig {
  /** The classes that vertx-hazelcast keeps in its maps; no others are made out of messages. */
  private static final String ITS_CLASSES = "io.vertx.spi.cluster.hazelcast.";

  private static final String LOGGING = "hazelcast.logging.type";

  private HazelcastConfig() {}

  /** A configuration of its own for each member. */
  static Config of(ClusterSettings settings) {
    // What Hazelcast says before it has read its configuration goes the same way as the rest.
    if (System.getProperty(LOGGING) == null) {
      System.setProperty(LOGGING, "slf4j");
    }
    Config config = ConfigUtil.loadConfig();
    config.setClusterName(settings.name());
    network(config.getNetworkConfig(), settings);
    settings
        .place()
        .host()
        .ifPresent(
            host ->
                config
                    .setProperty("hazelcast.local.localAddress", host)
                    .setProperty("hazelcast.socket.bind.any", "false"));
    quiet(config);
    times(config, settings.pace());
    // It carries a handful of addresses: threads per core would only take memory.
    config
        .setProperty("hazelcast.io.thread.count", "1")
        .setProperty("hazelcast.operation.thread.count", "2")
        .setProperty("hazelcast.operation.generic.thread.count", "2");
    JavaSerializationFilterConfig filter = new JavaSerializationFilterConfig();
    filter.getWhitelist().addPrefixes(ITS_CLASSES);
    config.getSerializationConfig().setJavaSerializationFilterConfig(filter);
    return config;
  }

  private static void network(NetworkConfig network, ClusterSettings settings) {
    // Another port than the one that the others look at would make a cluster of one.
    network.setPort(settings.place().memberPort()).setPortAutoIncrement(false);
    JoinConfig join = network.getJoin();
    join.getMulticastConfig().setEnabled(false);
    join.getAutoDetectionConfig().setEnabled(false);
    if (settings.join() instanceof Join.Members list) {
      join.getTcpIpConfig()
          .setEnabled(true)
          .setConnectionTimeoutSeconds(3)
          .setMembers(List.copyOf(list.members()));
    } else if (settings.join() instanceof Join.Dns dns) {
      join.getTcpIpConfig().setEnabled(false);
      // Plain look-ups of a name's addresses; nobody's API is asked, so it serves elsewhere too.
      join.getKubernetesConfig()
          .setEnabled(true)
          .setProperty("service-dns", dns.name())
          .setProperty("service-port", Integer.toString(settings.place().memberPort()));
    }
  }

  private static void quiet(Config config) {
    config
        .setProperty("hazelcast.shutdownhook.enabled", "false")
        .setProperty("hazelcast.phone.home.enabled", "false")
        .setProperty(LOGGING, "slf4j");
    config.getMetricsConfig().setEnabled(false);
  }

  private static void times(Config config, Pace pace) {
    config
        .setProperty("hazelcast.heartbeat.interval.seconds", "2")
        .setProperty("hazelcast.max.no.heartbeat.seconds", seconds(pace.noHeartbeat()))
        .setProperty("hazelcast.merge.first.run.delay.seconds", seconds(pace.firstMerge()))
        .setProperty("hazelcast.merge.next.run.delay.seconds", seconds(pace.nextMerge()))
        .setProperty("hazelcast.wait.seconds.before.join", "1")
        .setProperty("hazelcast.socket.connect.timeout.seconds", "3")
        // An attempt that does not get anywhere is given up and made again.
        .setProperty("hazelcast.max.join.seconds", "30")
        // The bus looks addresses up by such calls: their workers must come back.
        .setProperty("hazelcast.operation.call.timeout.millis", "5000")
        .setProperty("hazelcast.graceful.shutdown.max.wait", "5");
  }

  private static String seconds(Duration duration) {
    return Long.toString(Math.max(1, duration.toSeconds()));
  }
}
