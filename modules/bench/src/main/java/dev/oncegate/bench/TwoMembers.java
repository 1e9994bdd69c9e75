package dev.oncegate.bench;

import dev.oncegate.engine.KeyRing.Secret;
import dev.oncegate.parking.eventbus.BusKeys;
import dev.oncegate.parking.eventbus.Buses;
import dev.oncegate.parking.eventbus.ClusterSettings;
import dev.oncegate.parking.eventbus.ClusterSettings.Join;
import dev.oncegate.parking.eventbus.ClusterSettings.Pace;
import dev.oncegate.parking.eventbus.ClusterSettings.Place;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Two members of a real cluster: to each other they are nodes, though one process has both. */
final class TwoMembers implements AutoCloseable {
  private final Buses first;
  private final Buses second;

  /** Returns once both reach each other. */
  TwoMembers(Vertx vertx) {
    List<Integer> ports = freePorts(4);
    String name = "bench-" + UUID.randomUUID();
    first = member(name, ports, 0);
    second = member(name, ports, 1);
    Loops.until(
        vertx,
        "both members reach each other",
        () -> first.trouble().isEmpty() && second.trouble().isEmpty());
  }

  private static Buses member(String name, List<Integer> ports, int member) {
    return Buses.clustered(
        new ClusterSettings(
            name,
            new Join.Members(List.of("127.0.0.1:" + ports.get(0), "127.0.0.1:" + ports.get(1))),
            new Place(Optional.of("127.0.0.1"), ports.get(member), ports.get(2 + member)),
            Optional.empty(),
            Pace.BUILT_IN),
        new BusKeys(Secret.of(new byte[32]), List.of()));
  }

  Buses first() {
    return first;
  }

  Buses second() {
    return second;
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
    Loops.await(first.close());
    Loops.await(second.close());
  }
}
