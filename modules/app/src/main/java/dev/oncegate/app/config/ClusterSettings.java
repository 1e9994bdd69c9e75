package dev.oncegate.app.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The settings of nodes that wake each other's waiters: a room of {@link Settings}. */
final class ClusterSettings {
  private static final Kind<Integer> PORT = Kinds.number(1, Address.HIGHEST_PORT);

  /** What {@code cluster.host} says where nobody says anything. */
  static final String OWN_ADDRESS = "the address by which this machine reaches the others";

  static final Setting<Boolean> ENABLED =
      Setting.of(
              "cluster.enabled",
              Kinds.truth(),
              "Whether this node joins others through Hazelcast, with store.postgres and either"
                  + " cluster.members or cluster.dns.")
          .builtIn("false")
          .flag("--cluster")
          .variable("ONCEGATE_CLUSTER");
  static final Setting<List<Member>> MEMBERS =
      Setting.of(
              "cluster.members",
              ClusterKinds.members(),
              "The nodes, this one may be among them; some of them are enough.")
          .variable("ONCEGATE_CLUSTER_MEMBERS");
  static final Setting<String> DNS =
      Setting.of(
              "cluster.dns",
              ClusterKinds.name(),
              "A name whose addresses are the nodes, such as a headless service of Kubernetes;"
                  + " instead of cluster.members.")
          .variable("ONCEGATE_CLUSTER_DNS");
  static final Setting<String> HOST =
      Setting.of(
              "cluster.host",
              ClusterKinds.ownHost(),
              "Where both ports between nodes listen, and where the others reach them.")
          .variable("ONCEGATE_CLUSTER_HOST");
  static final Setting<String> NAME =
      Setting.of(
              "cluster.name",
              ClusterKinds.clusterName(),
              "Nodes of another name are strangers: one name per installation.")
          .builtIn("oncegate")
          .variable("ONCEGATE_CLUSTER_NAME");
  static final Setting<Integer> MEMBER_PORT =
      Setting.of("cluster.ports.member", PORT, "Port of Hazelcast, which has no TLS.")
          .builtIn("5701")
          .variable("ONCEGATE_CLUSTER_MEMBER_PORT");
  static final Setting<Integer> BUS_PORT =
      Setting.of("cluster.ports.bus", PORT, "Port of the event bus.")
          .builtIn("5702")
          .variable("ONCEGATE_CLUSTER_BUS_PORT");
  static final Setting<Path> TLS_CERT =
      Setting.of(
          "cluster.tls.cert",
          Kinds.path(),
          "Certificate of this node with its chain, PEM, for the event bus; with cluster.tls.key"
              + " and .ca, and on all nodes or none.");
  static final Setting<Path> TLS_KEY =
      Setting.of("cluster.tls.key", Kinds.path(), "Private key of the certificate, PEM.");
  static final Setting<Path> TLS_CA =
      Setting.of(
          "cluster.tls.ca", Kinds.path(), "What the certificates of all nodes are signed by, PEM.");
  static final Setting<Duration> CHECK =
      Setting.of(
              "cluster.check",
              Kinds.duration(Duration.ofMillis(100), Duration.ofMinutes(1)),
              "How often this node looks whether the event bus carries messages.")
          .builtIn("5s");

  static final List<Setting<?>> ALL =
      List.of(
          ENABLED,
          MEMBERS,
          DNS,
          HOST,
          NAME,
          MEMBER_PORT,
          BUS_PORT,
          TLS_CERT,
          TLS_KEY,
          TLS_CA,
          CHECK);

  private ClusterSettings() {}
}
