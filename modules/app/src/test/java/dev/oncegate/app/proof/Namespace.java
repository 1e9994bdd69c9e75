package dev.oncegate.app.proof;

import java.util.List;

/**
 * A network namespace of one node.
 *
 * @param name by which {@code ip netns} knows it
 * @param address at which this JVM reaches the node
 * @param linked its address on the link to the other node, which can be cut
 */
record Namespace(String name, String address, String linked) {
  /** What runs a command there. */
  List<String> enter() {
    return List.of("ip", "netns", "exec", name);
  }
}
