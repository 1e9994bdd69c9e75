package dev.oncegate.testkit;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A TCP relay before a server that breaks connections on command: after an exact byte of either
 * direction, by swallowing, delaying or holding what passes, or all at once. Everything happens on
 * one event loop of its own, so a command holds from the first byte after it; commands come from
 * test threads.
 */
public final class SocketCutter implements AutoCloseable {
  /** Which way bytes go. */
  public enum Direction {
    TO_SERVER,
    TO_CLIENT
  }

  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();
  private final Map<Direction, Rule> rules = new EnumMap<>(Direction.class);
  private final List<Pair> pairs = new ArrayList<>();
  private final String host;
  private final int serverPort;
  private @Nullable NetServer listener;
  private boolean refusing;
  private boolean held;
  private int cuts;
  private int connections;
  private int mute;

  private SocketCutter(String host, int serverPort) {
    this.host = host;
    this.serverPort = serverPort;
    for (Direction direction : Direction.values()) {
      rules.put(direction, new Rule());
    }
  }

  /** A relay to that server on a free port of 127.0.0.1. */
  public static SocketCutter before(String host, int port) {
    SocketCutter cutter = new SocketCutter(host, port);
    cutter.listener =
        cutter.onLoop(
            () ->
                cutter
                    .vertx
                    .createNetServer()
                    .connectHandler(cutter::accept)
                    .listen(0, "127.0.0.1"));
    return cutter;
  }

  /** Where clients connect to. */
  public int port() {
    NetServer server = listener;
    return server == null ? 0 : server.actualPort();
  }

  /**
   * Lets exactly so many more bytes pass in that direction, over all connections together, and then
   * cuts the connection that carried the last of them; with 0, the one that brings the next byte.
   * Once: connections made afterwards work.
   */
  public void cutAfter(Direction direction, long bytes) {
    run(() -> rule(direction).left = bytes);
  }

  /**
   * Drops everything that the server says on the next so many connections, which stay open: their
   * clients are served and never learn it.
   */
  public void mute(int next) {
    run(() -> mute = next);
  }

  /** How many connections clients have made. */
  public int connections() {
    return onLoop(() -> Future.succeededFuture(connections));
  }

  /** Drops what goes in that direction while the connections stay open. */
  public void swallow(Direction direction, boolean on) {
    run(() -> rule(direction).swallowing = on);
  }

  /** Delivers what goes in that direction so much later. */
  public void delay(Direction direction, Duration by) {
    run(() -> rule(direction).delayMillis = by.toMillis());
  }

  /** Reads nothing more from either side, as a frozen peer does, until {@link #resume}. */
  public void pause() {
    run(
        () -> {
          held = true;
          pairs.forEach(Pair::hold);
        });
  }

  /** Delivers what was held back. */
  public void resume() {
    run(
        () -> {
          held = false;
          pairs.forEach(Pair::flow);
        });
  }

  /** Closes new connections at once. */
  public void refuse(boolean on) {
    run(() -> refusing = on);
  }

  /** Cuts all connections that are there now. */
  public void cutAll() {
    run(() -> List.copyOf(pairs).forEach(this::cut));
  }

  /** How many bytes have passed in that direction. */
  public long passed(Direction direction) {
    return onLoop(() -> Future.succeededFuture(rule(direction).passed));
  }

  /** How many connections {@link #cutAfter} has cut. */
  public int cuts() {
    return onLoop(() -> Future.succeededFuture(cuts));
  }

  @Override
  public void close() {
    get(vertx.close());
  }

  private void accept(NetSocket client) {
    if (refusing) {
      client.close();
      return;
    }
    connections++;
    boolean muted = mute > 0;
    mute -= muted ? 1 : 0;
    client.pause();
    vertx
        .createNetClient()
        .connect(serverPort, host)
        .onSuccess(
            server -> {
              Pair pair = new Pair(client, server);
              pairs.add(pair);
              join(pair, client, server, Direction.TO_SERVER);
              join(pair, server, client, Direction.TO_CLIENT);
              if (muted) {
                server.handler(dropped -> {});
              }
              if (held) {
                pair.hold();
              } else {
                client.resume();
              }
            })
        .onFailure(failure -> client.close());
  }

  private void join(Pair pair, NetSocket from, NetSocket to, Direction direction) {
    from.handler(bytes -> pass(pair, to, bytes, rule(direction)));
    from.exceptionHandler(broken -> cut(pair));
    from.closeHandler(gone -> cut(pair));
  }

  private void pass(Pair pair, NetSocket to, Buffer bytes, Rule rule) {
    if (pair.cut || rule.swallowing) {
      return;
    }
    Buffer kept = bytes;
    boolean last = rule.left >= 0 && bytes.length() >= rule.left;
    if (last) {
      kept = bytes.slice(0, (int) rule.left);
      rule.left = -1;
      cuts++;
    } else if (rule.left >= 0) {
      rule.left -= bytes.length();
    }
    rule.passed += kept.length();
    if (rule.delayMillis > 0) {
      Buffer later = kept;
      vertx.setTimer(rule.delayMillis, fired -> deliver(pair, to, later, last));
    } else {
      deliver(pair, to, kept, last);
    }
  }

  private void deliver(Pair pair, NetSocket to, Buffer bytes, boolean last) {
    if (last) {
      pair.cut = true;
      to.write(bytes).onComplete(written -> close(pair));
    } else if (!pair.cut) {
      to.write(bytes);
    }
  }

  private void cut(Pair pair) {
    pair.cut = true;
    close(pair);
  }

  private void close(Pair pair) {
    pairs.remove(pair);
    pair.client.close();
    pair.server.close();
  }

  private Rule rule(Direction direction) {
    Rule rule = rules.get(direction);
    if (rule == null) {
      throw new IllegalStateException("no rule for " + direction);
    }
    return rule;
  }

  private void run(Runnable command) {
    onLoop(
        () -> {
          command.run();
          return Future.succeededFuture(true);
        });
  }

  private <T> T onLoop(java.util.function.Supplier<Future<T>> work) {
    Promise<T> done = Promise.promise();
    context.runOnContext(go -> work.get().onComplete(done));
    return get(done.future());
  }

  private static <T> T get(Future<T> future) {
    try {
      return future.await(60, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("the relay never answered", e);
    }
  }

  /** What holds in one direction. */
  private static final class Rule {
    /** How many more bytes pass before the cut; negative where none is armed. */
    long left = -1;

    boolean swallowing;
    long delayMillis;
    long passed;
  }

  /** Both halves of one relayed connection. */
  private static final class Pair {
    final NetSocket client;
    final NetSocket server;
    boolean cut;

    Pair(NetSocket client, NetSocket server) {
      this.client = client;
      this.server = server;
    }

    void hold() {
      client.pause();
      server.pause();
    }

    void flow() {
      client.resume();
      server.resume();
    }
  }
}
