package dev.oncegate.app;

import dev.oncegate.app.config.Address;
import dev.oncegate.app.config.GatewayConfig;
import dev.oncegate.engine.KeyRing;
import dev.oncegate.parking.eventbus.BusKeys;
import dev.oncegate.parking.eventbus.Buses;
import dev.oncegate.parking.eventbus.ClusterSettings;
import dev.oncegate.parking.eventbus.ClusterSettings.Join;
import dev.oncegate.parking.eventbus.ClusterSettings.Place;
import dev.oncegate.parking.eventbus.ClusterSettings.Tls;

/** The settings of a cluster in the words of the bus between its nodes. */
final class ClusterWiring {
  private ClusterWiring() {}

  /** How waiters of this node reach the owners of their claims. May block on a name server. */
  static Buses buses(GatewayConfig config) {
    return config
        .cluster()
        .map(cluster -> Buses.clustered(settings(cluster), keys(config)))
        .orElseGet(Buses::ofOneProcess);
  }

  private static ClusterSettings settings(GatewayConfig.Cluster cluster) {
    Join join =
        cluster
            .dns()
            .<Join>map(Join.Dns::new)
            .orElseGet(
                () -> new Join.Members(cluster.members().stream().map(Address::toString).toList()));
    return new ClusterSettings(
        cluster.name(),
        join,
        new Place(OwnAddress.of(cluster), cluster.memberPort(), cluster.busPort()),
        cluster
            .tls()
            .map(
                tls ->
                    new Tls(
                        tls.certificate().toString(), tls.key().toString(), tls.ca().toString())),
        PaceOfTests.of(cluster.check(), System.getProperty(PaceOfTests.PROPERTY)));
  }

  /** A cluster has an external Postgres, and with that a secret that all nodes share. */
  private static BusKeys keys(GatewayConfig config) {
    GatewayConfig.Secret secret =
        config
            .secret()
            .orElseThrow(() -> StartFailure.invalid("with --cluster ONCEGATE_SECRET is required"));
    return new BusKeys(
        KeyRing.Secret.of(secret.bytes()),
        config.previousSecrets().stream().map(s -> KeyRing.Secret.of(s.bytes())).toList());
  }
}
