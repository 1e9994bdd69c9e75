package dev.oncegate.app.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Every setting of a run, validated.
 *
 * @param file the settings file that was read
 * @param tenants the tenants file
 * @param gateway where clients come in
 * @param ops where health and metrics are
 * @param dataDir home of the embedded Postgres, its lock and the installation secret; touched only
 *     where {@code postgres} is empty
 * @param postgres URI of a Postgres that others run; empty: the embedded one
 * @param secret the installation secret where it is given; always there with an external Postgres
 * @param previousSecrets former ones, for what was stored under them
 * @param adminToken bearer token of the ops API
 * @param instances event loops that serve traffic
 * @param drain longest wait for running exchanges when stopping
 * @param tls towards clients; empty: clear text
 * @param clearTextHttp2 whether HTTP/2 is taken without TLS
 * @param cluster other nodes to wake and be woken by; empty: this node is by itself
 */
public record GatewayConfig(
    Optional<Path> file,
    Path tenants,
    Address gateway,
    Address ops,
    Path dataDir,
    Optional<PostgresUri> postgres,
    Optional<Secret> secret,
    List<Secret> previousSecrets,
    Optional<Secret> adminToken,
    Store store,
    Sweeper sweeper,
    Limits limits,
    int instances,
    Duration drain,
    Optional<Tls> tls,
    boolean clearTextHttp2,
    Optional<Cluster> cluster) {

  public GatewayConfig {
    previousSecrets = List.copyOf(previousSecrets);
  }

  /** PEM files: the certificate with its chain, and its private key. */
  public record Tls(Path certificate, Path key) {}

  /**
   * How the nodes find and reach each other.
   *
   * @param name of the cluster; nodes of another name are strangers
   * @param members where the member ports of nodes are; empty where {@code dns} is not
   * @param dns a name whose addresses are the nodes
   * @param host where this node's two ports listen and the others reach them; empty: the address by
   *     which this machine reaches the others
   * @param memberPort of Hazelcast, as is the {@code busPort} of the event bus: 1 to 65535
   * @param tls of the event bus, towards both sides; empty: clear text
   * @param check between two looks at the bus
   */
  public record Cluster(
      String name,
      List<Address> members,
      Optional<String> dns,
      Optional<String> host,
      int memberPort,
      int busPort,
      Optional<ClusterTls> tls,
      Duration check) {
    public Cluster {
      members = List.copyOf(members);
    }
  }

  /** PEM files: a node's certificate with its chain, its key, and what all nodes' are signed by. */
  public record ClusterTls(Path certificate, Path key, Path ca) {}

  /** Bytes that are never printed. */
  public record Secret(byte[] bytes) {
    @Override
    public String toString() {
      return "***";
    }
  }

  /**
   * How the store is used.
   *
   * @param partitions of the record table, counted once at install
   * @param claims connections per loop, as are {@code settles} and {@code reads}
   * @param queue what may wait per lane
   * @param batch most rows of one statement
   */
  public record Store(
      int partitions,
      int claims,
      int settles,
      int reads,
      int queue,
      int batch,
      Duration patience,
      Duration lockTimeout,
      Duration connectTimeout,
      Duration longestBackoff) {}

  /**
   * How records are looked after.
   *
   * @param every between two rounds, give or take a quarter
   * @param batch most rows of one statement
   */
  public record Sweeper(Duration every, int batch) {}

  /**
   * What one client may do.
   *
   * @param headers bytes, as are {@code requestLine} and {@code uploadLeast}
   */
  public record Limits(
      int headers,
      int requestLine,
      Duration idle,
      Duration upload,
      Duration uploadWindow,
      int uploadLeast) {}
}
