package dev.oncegate.bench;

import dev.oncegate.bench.Connection.Answered;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Many clients in a process of their own, so that neither their heap nor their files count as the
 * gateway's. Arguments: tenant, number of connections, ports to spread them over. A line {@code KEY
 * BYTES} on standard input sends a charge on every connection; see {@link CrowdProcess}.
 */
final class Crowd {
  /** Connects under way: what a server that listens puts up with. */
  private static final int ABREAST = 100;

  private final String tenant;
  private final List<Connection> connections = new ArrayList<>();
  private final PrintStream out;
  private int unanswered;
  private int equal;
  private int unequal;

  private Crowd(String tenant, PrintStream out) {
    this.tenant = tenant;
    this.out = out;
  }

  public static void main(String[] arguments) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Vertx vertx = Loops.vertx(1);
    Context loop = Loops.next(vertx);
    NetClient client = vertx.createNetClient();
    Crowd crowd = new Crowd(arguments[0], out);
    int[] ports = new int[arguments.length - 2];
    for (int i = 0; i < ports.length; i++) {
      ports[i] = Integer.parseInt(arguments[2 + i]);
    }
    int count = Integer.parseInt(arguments[1]);
    for (int made = 0; made < count; made += ABREAST) {
      int from = made;
      int to = Math.min(count, made + ABREAST);
      Loops.on(loop, () -> crowd.connect(client, ports, from, to));
    }
    out.println("connected");
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      String[] words = line.split(" ");
      loop.runOnContext(go -> crowd.send(words[0], Integer.parseInt(words[1])));
    }
    System.exit(0);
  }

  private Future<?> connect(NetClient client, int[] ports, int from, int to) {
    List<Future<?>> made = new ArrayList<>();
    for (int i = from; i < to; i++) {
      made.add(Connection.open(client, ports[i % ports.length]).onSuccess(connections::add));
    }
    return Future.all(made);
  }

  /** What each of them sends. */
  static String body(int bytes) {
    return "{\"note\":\"" + "x".repeat(bytes) + "\"}";
  }

  private void send(String key, int bytes) {
    String body = body(bytes);
    unanswered = connections.size();
    equal = 0;
    Promise<Void> last = Promise.promise();
    connections.forEach(
        connection ->
            connection.charge(tenant, key, body).onComplete(a -> answered(a.result(), last)));
    last.future().onSuccess(all -> out.println("answered " + System.nanoTime() + " " + equal));
  }

  private void answered(@Nullable Answered answer, Promise<Void> last) {
    if (answer != null && answer.status().equals("201")) {
      equal++;
    } else if (unequal++ == 0) {
      System.err.println("a client was answered with " + answer);
    }
    if (--unanswered == 0) {
      last.complete();
    }
  }
}
