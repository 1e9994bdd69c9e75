package dev.oncegate.app.proof;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Two network namespaces, each reached from here by a link of its own, and a third link between
 * them that can be cut: then packets vanish and nobody is told, as where a switch has failed. Needs
 * root on Linux.
 */
final class CutLink implements AutoCloseable {
  /** A device that is not there. */
  private static final String NOBODY = "02:00:00:00:00:99";

  /** Of the addresses for measuring devices (RFC 2544), which nobody's network has. */
  private final String net = "198.18." + ProcessHandle.current().pid() % 256 + ".";

  private final String prefix = "og" + ProcessHandle.current().pid();
  private final Namespace one = new Namespace(prefix + "-1", net + 2, net + 10);
  private final Namespace two = new Namespace(prefix + "-2", net + 6, net + 14);

  private boolean cut;

  private CutLink() {}

  /** Whether this machine lets us make namespaces. */
  static boolean possible() {
    String name = "og" + ProcessHandle.current().pid() + "-try";
    try {
      boolean made = ip("netns", "add", name).isEmpty();
      return ip("netns", "del", name).isEmpty() && made;
    } catch (IOException e) {
      return false;
    }
  }

  /** Makes the namespaces; they go with {@link #close}, or with this JVM. */
  static CutLink make() throws IOException {
    CutLink link = new CutLink();
    Runtime.getRuntime().addShutdownHook(new Thread(link::close));
    link.namespace(link.one, 1);
    link.namespace(link.two, 5);
    run(
        List.of("link", "add", "across", "netns", link.one.name(), "type", "veth"),
        List.of("peer", "name", "across", "netns", link.two.name()));
    link.linked(link.one, link.two);
    link.linked(link.two, link.one);
    return link;
  }

  Namespace one() {
    return one;
  }

  Namespace two() {
    return two;
  }

  /** The address of this JVM for both. */
  String host() {
    return net + 1;
  }

  void cut() throws IOException {
    cut = true;
    misdirect(one, two);
    misdirect(two, one);
  }

  void mend() throws IOException {
    if (cut) {
      cut = false;
      find(one, two);
      find(two, one);
    }
  }

  @Override
  public void close() {
    for (Namespace each : List.of(one, two)) {
      try {
        ip("netns", "del", each.name());
      } catch (IOException e) {
        System.err.println("namespace " + each.name() + " stays: " + e);
      }
    }
  }

  /** A namespace whose device {@code hither} ends here, at an address ending in {@code host}. */
  private void namespace(Namespace its, int host) throws IOException {
    String here = prefix + "h" + host;
    run(List.of("netns", "add", its.name()));
    run(
        List.of("link", "add", here, "type", "veth"),
        List.of("peer", "name", "hither", "netns", its.name()));
    run(List.of("addr", "add", net + host + "/30", "dev", here));
    run(List.of("link", "set", here, "up"));
    run(List.of("-n", its.name(), "addr", "add", its.address() + "/30", "dev", "hither"));
    run(List.of("-n", its.name(), "link", "set", "hither", "up"));
    run(List.of("-n", its.name(), "link", "set", "lo", "up"));
    run(List.of("-n", its.name(), "route", "add", "default", "via", net + host));
  }

  private static void linked(Namespace its, Namespace other) throws IOException {
    run(
        List.of("-n", its.name(), "addr", "add", its.linked()),
        List.of("peer", other.linked(), "dev", "across"));
    run(List.of("-n", its.name(), "link", "set", "across", "up"));
  }

  private static void misdirect(Namespace its, Namespace other) throws IOException {
    run(
        List.of("-n", its.name(), "neigh", "replace", other.linked(), "lladdr", NOBODY),
        List.of("dev", "across", "nud", "permanent"));
  }

  private static void find(Namespace its, Namespace other) throws IOException {
    run(List.of("-n", its.name(), "neigh", "del", other.linked(), "dev", "across"));
  }

  @SafeVarargs
  private static void run(List<String>... words) throws IOException {
    List<String> arguments = new ArrayList<>();
    for (List<String> some : words) {
      arguments.addAll(some);
    }
    String trouble = ip(arguments.toArray(String[]::new));
    if (!trouble.isEmpty()) {
      throw new IOException(arguments + ": " + trouble);
    }
  }

  /** What it says when it fails; empty: it did not. */
  private static String ip(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(arguments));
    Process ip = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(ip.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      int code = ip.waitFor();
      return code == 0 ? "" : String.format(Locale.ROOT, "%d %s", code, said);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
