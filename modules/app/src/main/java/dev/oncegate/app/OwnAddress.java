package dev.oncegate.app;

import dev.oncegate.app.config.Address;
import dev.oncegate.app.config.GatewayConfig.Cluster;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where the other nodes of a cluster reach this one. */
final class OwnAddress {
  /** Finds ways to other machines; may block on a name server. */
  @FunctionalInterface
  interface Ways {
    /** Our ends of the ways to each address of a name; fails where it has none or leads nowhere. */
    List<InetAddress> to(Address other) throws IOException;
  }

  private OwnAddress() {}

  /**
   * The address that was given, else the one by which this machine reaches the others; empty where
   * none can be told now. Blocks.
   */
  static Optional<String> of(Cluster cluster) {
    return cluster.host().or(() -> found(cluster, OwnAddress::system));
  }

  static Optional<String> found(Cluster cluster, Ways ways) {
    List<Address> others = new ArrayList<>(cluster.members());
    cluster.dns().ifPresent(name -> others.add(new Address(name, cluster.memberPort())));
    List<InetAddress> ends = new ArrayList<>();
    boolean allKnown = true;
    for (Address other : others) {
      List<InetAddress> known = known(ways, other);
      allKnown &= !known.isEmpty();
      ends.addAll(known);
    }
    // Many machines know their own name as an address of the loopback, where nobody else is: it
    // counts only where that is the way to everybody.
    return ends.stream()
        .filter(ours -> !ours.isLoopbackAddress())
        .findFirst()
        .or(allKnown ? () -> ends.stream().findFirst() : OwnAddress::byOwnName)
        .map(InetAddress::getHostAddress);
  }

  private static List<InetAddress> known(Ways ways, Address other) {
    try {
      return ways.to(other);
    } catch (IOException e) {
      // The first node may start before the name of all has an address.
      return List.of();
    }
  }

  private static Optional<InetAddress> byOwnName() {
    try {
      return Optional.of(InetAddress.getLocalHost()).filter(ours -> !ours.isLoopbackAddress());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Connecting a datagram socket sends nothing: it only asks the system which way it would go. */
  private static List<InetAddress> system(Address other) throws IOException {
    List<InetAddress> ours = new ArrayList<>();
    for (InetAddress theirs : InetAddress.getAllByName(other.host())) {
      try (DatagramSocket socket = new DatagramSocket()) {
        socket.connect(new InetSocketAddress(theirs, other.port()));
        if (!socket.getLocalAddress().isAnyLocalAddress()) {
          ours.add(socket.getLocalAddress());
        }
      } catch (IOException e) {
        // No way to this one, such as IPv6 on a machine without it; the next may have one.
      }
    }
    return ours;
  }
}
