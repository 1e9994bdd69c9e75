package dev.oncegate.app.proof;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The settings file of a node beside what all nodes of the proofs have.
 *
 * @param instances event loops that serve
 * @param lines more of the file, each a whole setting of its own
 * @param javaOptions for its virtual machine
 */
record NodeSettings(int instances, List<String> lines, String javaOptions) {
  /** On a busy machine a claim may take longer than the built-in patience. */
  private static final String PATIENT = "store: { pool: { patience: 30s, connectTimeout: 30s } }";

  NodeSettings {
    lines = List.copyOf(lines);
  }

  /** A node without a cluster. */
  static NodeSettings alone(int instances) {
    return new NodeSettings(instances, List.of(), "");
  }

  /** Nodes of one cluster on 127.0.0.1, one for each number of event loops. */
  static List<NodeSettings> clustered(int... instances) {
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < instances.length; i++) {
      places.add(new Place("127.0.0.1", freePort(), freePort()));
    }
    List<NodeSettings> nodes = new ArrayList<>();
    for (int i = 0; i < instances.length; i++) {
      nodes.add(alone(instances[i]).in(places, i));
    }
    return nodes;
  }

  /** The same as one of the nodes of a cluster. */
  NodeSettings in(List<Place> cluster, int its) {
    String members =
        String.join(
            ", ",
            cluster.stream().map(p -> "\"" + p.host() + ":" + p.memberPort() + "\"").toList());
    Place own = cluster.get(its);
    return with(
        "cluster: { enabled: true, check: 500ms, members: [%s], host: %s, ports: { member: %d, bus: %d } }"
            .formatted(members, own.host(), own.memberPort(), own.busPort()));
  }

  /** Where a node meets the others. */
  record Place(String host, int memberPort, int busPort) {}

  /** The same with one line more. */
  NodeSettings with(String line) {
    List<String> more = new ArrayList<>(lines);
    more.add(line);
    return new NodeSettings(instances, more, javaOptions);
  }

  /** The same with options for its virtual machine. */
  NodeSettings java(String options) {
    return new NodeSettings(instances, lines, options);
  }

  /** Writes the file and says where it is. */
  Map<String, String> environment(Path directory) {
    try {
      Path file = Files.createTempFile(directory, "node", ".yaml");
      Files.writeString(file, PATIENT + "\n" + String.join("\n", lines) + "\n");
      return Map.of(
          "ONCEGATE_CONFIG",
          file.toString(),
          "ONCEGATE_INSTANCES",
          Integer.toString(instances),
          "JAVA_TOOL_OPTIONS",
          javaOptions);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Free, and below those that the system hands out: it must stay so while other tests make
   * thousands of connections.
   */
  static int freePort() {
    for (int tries = 0; tries < 1_000; tries++) {
      int port = ThreadLocalRandom.current().nextInt(12_000, 32_000);
      try (ServerSocket socket = new ServerSocket()) {
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return port;
      } catch (IOException e) {
        // Taken: another one.
      }
    }
    throw new AssertionError("no free port");
  }
}
