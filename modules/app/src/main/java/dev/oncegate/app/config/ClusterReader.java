package dev.oncegate.app.config;

import dev.oncegate.app.config.GatewayConfig.Cluster;
import dev.oncegate.app.config.GatewayConfig.ClusterTls;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Puts the cluster's settings together. Where the cluster is off they may stay as they are: each is
 * judged by itself, none against another, and no file is looked at.
 */
final class ClusterReader {
  private final Values values;

  private ClusterReader(Values values) {
    this.values = values;
  }

  static Optional<Cluster> read(Values values) {
    return values.get(ClusterSettings.ENABLED)
        ? Optional.of(new ClusterReader(values).cluster())
        : Optional.empty();
  }

  private Cluster cluster() {
    if (values.find(Settings.POSTGRES).isEmpty()) {
      throw values.contradiction(
          ClusterSettings.ENABLED,
          "an embedded Postgres belongs to one process, so that each node would claim for itself;"
              + " give one that all nodes share with --postgres, or leave --cluster out");
    }
    requirePortsThatDiffer();
    int memberPort = values.get(ClusterSettings.MEMBER_PORT);
    return new Cluster(
        values.get(ClusterSettings.NAME),
        members().stream().map(member -> member.at(memberPort)).toList(),
        values.find(ClusterSettings.DNS),
        values.find(ClusterSettings.HOST),
        memberPort,
        values.get(ClusterSettings.BUS_PORT),
        tls(),
        values.get(ClusterSettings.CHECK));
  }

  private List<Member> members() {
    List<Member> members = values.find(ClusterSettings.MEMBERS).orElse(List.of());
    boolean dns = values.find(ClusterSettings.DNS).isPresent();
    if (!members.isEmpty() && dns) {
      throw values.contradiction(
          ClusterSettings.DNS, "cluster.members says who the nodes are as well; give one of both");
    }
    if (members.isEmpty() && !dns) {
      throw values.contradiction(
          ClusterSettings.ENABLED,
          "nothing says where the other nodes are; give cluster.members or cluster.dns");
    }
    return members;
  }

  private void requirePortsThatDiffer() {
    Setting<Integer> member = ClusterSettings.MEMBER_PORT;
    Setting<Integer> bus = ClusterSettings.BUS_PORT;
    requireOthers(bus, List.of(member, Settings.GATEWAY_PORT, Settings.OPS_PORT));
    requireOthers(member, List.of(Settings.GATEWAY_PORT, Settings.OPS_PORT));
  }

  private void requireOthers(Setting<Integer> ours, List<Setting<Integer>> others) {
    for (Setting<Integer> other : others) {
      if (values.get(ours).equals(values.get(other))) {
        boolean here = values.isSaid(ours);
        throw values.contradiction(
            here ? ours : other,
            (here ? other : ours).name() + " is " + values.get(ours) + " as well; choose two");
      }
    }
  }

  private Optional<ClusterTls> tls() {
    List<Setting<Path>> files =
        List.of(ClusterSettings.TLS_CERT, ClusterSettings.TLS_KEY, ClusterSettings.TLS_CA);
    List<Setting<Path>> given =
        files.stream().filter(setting -> values.find(setting).isPresent()).toList();
    if (given.isEmpty()) {
      return Optional.empty();
    }
    if (given.size() < files.size()) {
      throw values.contradiction(
          given.get(0), "TLS between nodes needs all of cluster.tls.cert, .key and .ca");
    }
    return Optional.of(
        new ClusterTls(
            values.readable(ClusterSettings.TLS_CERT),
            values.readable(ClusterSettings.TLS_KEY),
            values.readable(ClusterSettings.TLS_CA)));
  }
}
