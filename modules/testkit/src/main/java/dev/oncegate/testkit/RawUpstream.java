package dev.oncegate.testkit;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An upstream that writes what no HTTP library would: byte for byte as scripted. The script runs
 * when a whole request (with Content-Length) has arrived; all bytes are kept as ISO 8859-1.
 */
public final class RawUpstream implements AutoCloseable {
  private static final Pattern LENGTH =
      Pattern.compile("\r\ncontent-length: *(\\d+)", Pattern.CASE_INSENSITIVE);

  private final NetServer server;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<NetSocket> connections = new CopyOnWriteArrayList<>();
  private volatile Consumer<NetSocket> script;

  private RawUpstream(Vertx vertx, Consumer<NetSocket> script) {
    this.script = script;
    server = vertx.createNetServer(new NetServerOptions().setHost("127.0.0.1").setPort(0));
    server.connectHandler(this::connected);
  }

  /** Listens on a free loopback port. */
  public static RawUpstream start(Vertx vertx, Consumer<NetSocket> script) throws Exception {
    RawUpstream upstream = new RawUpstream(vertx, script);
    upstream.server.listen().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    return upstream;
  }

  /** An upstream that writes these bytes and leaves the connection open. */
  public static RawUpstream answering(Vertx vertx, String bytes) throws Exception {
    return start(vertx, socket -> write(socket, bytes));
  }

  /** Writes characters as the bytes of ISO 8859-1. */
  public static void write(NetSocket socket, String latin1) {
    socket.write(Buffer.buffer(latin1.getBytes(StandardCharsets.ISO_8859_1)));
  }

  public RawUpstream script(Consumer<NetSocket> next) {
    script = next;
    return this;
  }

  public int port() {
    return server.actualPort();
  }

  /** The whole requests that arrived. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  /** How many connections were made. */
  public int connections() {
    return connections.size();
  }

  private void connected(NetSocket socket) {
    connections.add(socket);
    StringBuilder unread = new StringBuilder();
    socket.exceptionHandler(gone -> {});
    socket.handler(
        part -> {
          unread.append(part.toString(StandardCharsets.ISO_8859_1));
          int end = unread.indexOf("\r\n\r\n");
          while (end >= 0 && unread.length() >= end + 4 + length(unread.substring(0, end))) {
            int whole = end + 4 + length(unread.substring(0, end));
            requests.add(unread.substring(0, whole));
            unread.delete(0, whole);
            script.accept(socket);
            end = unread.indexOf("\r\n\r\n");
          }
        });
  }

  private static int length(String head) {
    Matcher matcher = LENGTH.matcher(head);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
  }

  @Override
  public void close() throws Exception {
    server.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }
}
