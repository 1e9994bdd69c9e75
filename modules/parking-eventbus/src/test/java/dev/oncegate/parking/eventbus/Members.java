package dev.oncegate.parking.eventbus;

import static org.awaitility.Awaitility.await;

import dev.oncegate.engine.KeyRing.Secret;
import dev.oncegate.parking.eventbus.ClusterSettings.Join;
import dev.oncegate.parking.eventbus.ClusterSettings.Pace;
import dev.oncegate.parking.eventbus.ClusterSettings.Place;
import dev.oncegate.parking.eventbus.ClusterSettings.Tls;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Members of one cluster in this process, on loopback and ports that were free. */
final class Members implements AutoCloseable {
  static final Pace FAST =
      new Pace(
          Duration.ofMillis(200),
          Duration.ofSeconds(6),
          Duration.ofSeconds(1),
          Duration.ofSeconds(1));

  private final String name = "test-" + UUID.randomUUID();
  private final List<Integer> memberPorts = new ArrayList<>();
  private final List<Integer> busPorts = new ArrayList<>();
  private final List<Buses> started = new ArrayList<>();

  Members(int count) {
    List<Integer> ports = freePorts(2 * count);
    memberPorts.addAll(ports.subList(0, count));
    busPorts.addAll(ports.subList(count, 2 * count));
  }

  ClusterSettings settings(int member, Optional<Tls> tls) {
    return new ClusterSettings(
        name,
        new Join.Members(memberPorts.stream().map(port -> "127.0.0.1:" + port).toList()),
        new Place(Optional.of("127.0.0.1"), memberPorts.get(member), busPorts.get(member)),
        tls,
        FAST);
  }

  Buses start(int member) {
    return start(member, BusCodecTest.SECRET, Optional.empty());
  }

  Buses start(int member, Secret secret, Optional<Tls> tls) {
    Buses buses = Buses.clustered(settings(member, tls), new BusKeys(secret, List.of()));
    started.add(buses);
    return buses;
  }

  int memberPort(int member) {
    return memberPorts.get(member);
  }

  int busPort(int member) {
    return busPorts.get(member);
  }

  static void untilHealthy(Buses... buses) {
    for (Buses each : buses) {
      await()
          .atMost(Duration.ofSeconds(40))
          .pollInterval(Duration.ofMillis(20))
          .until(() -> each.trouble().isEmpty());
    }
  }

  /** Whether one node's owner address is reached from another. */
  static boolean pinged(Buses from, String address) {
    ClusterNode node = from.cluster().node();
    return node != null
        && node.asker()
            .ask(address, new BusMessage.Ping(), Duration.ofSeconds(1))
            .transform(reply -> Future.succeededFuture(reply.succeeded()))
            .await();
  }

  private static List<Integer> freePorts(int count) {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      List<Integer> ports = sockets.stream().map(ServerSocket::getLocalPort).toList();
      for (ServerSocket socket : sockets) {
        socket.close();
      }
      return ports;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    started.stream().map(Buses::close).toList().forEach(closing -> closing.await());
  }
}
