package dev.oncegate.parking.eventbus;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How this node finds the others and is found.
 *
 * @param name nodes of another cluster name are strangers
 * @param tls of the event bus between nodes, in both directions; the member port has none
 */
public record ClusterSettings(String name, Join join, Place place, Optional<Tls> tls, Pace pace) {

  /** Where the other nodes are. Nobody is looked for by multicast. */
  public sealed interface Join {
    /**
     * A list.
     *
     * @param members {@code host:port} of the member port of every node, this one included
     */
    record Members(List<String> members) implements Join {
      /** Copies the list. */
      public Members {
        members = List.copyOf(members);
      }
    }

    /**
     * A name whose addresses are the nodes, such as a headless service of Kubernetes; each has the
     * same member port as this one.
     */
    record Dns(String name) implements Join {}
  }

  /**
   * Where this node is.
   *
   * @param host its address, at which the others reach it; both ports are bound there. Empty: all
   *     addresses are bound, and the one that fits the members is published
   * @param memberPort of Hazelcast; it is that port or none
   * @param busPort of the event bus; it is that port or none
   */
  public record Place(Optional<String> host, int memberPort, int busPort) {}

  /**
   * Each side of a connection shows its certificate and checks the other's by the authority.
   *
   * @param certificate PEM file
   * @param key PEM file
   * @param authority PEM file with the certificates that are trusted
   */
  public record Tls(String certificate, String key, String authority) {}

  /**
   * How soon things are noticed.
   *
   * @param check between two checks of the bus, give or take a quarter
   * @param noHeartbeat after which a silent member is taken to be gone; whole seconds
   * @param firstMerge after which a node that was cut off first looks for the rest; whole seconds
   * @param nextMerge between two further looks; whole seconds
   */
  public record Pace(
      Duration check, Duration noHeartbeat, Duration firstMerge, Duration nextMerge) {
    /** Hazelcast's own merge delays are minutes, in which waiters would only poll. */
    public static final Pace BUILT_IN =
        new Pace(
            Duration.ofSeconds(5),
            Duration.ofSeconds(20),
            Duration.ofSeconds(10),
            Duration.ofSeconds(5));
  }
}
