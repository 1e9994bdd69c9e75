package dev.oncegate.testkit;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An upstream that does as it is told and keeps a ledger of what arrived. The script runs once the
 * request is whole; a request counts in the ledger before the script sees it.
 */
public final class ScriptedUpstream implements AutoCloseable {
  private final HttpServer server;
  private final List<Received> ledger = new CopyOnWriteArrayList<>();
  private final List<Throwable> cut = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private volatile @Nullable Consumer<HttpServerRequest> early;
  private volatile Script script = (request, received) -> request.response().end();

  /** What an upstream does with a whole request. */
  @FunctionalInterface
  public interface Script {
    void answer(HttpServerRequest request, Received received);
  }

  /** A request as it arrived: header lines in order, body bytes as they were. */
  public record Received(
      String method, String uri, List<Map.Entry<String, String>> headers, Buffer body) {
    /** The values of all lines of a header. */
    public List<String> header(String name) {
      return headers.stream()
          .filter(h -> h.getKey().equalsIgnoreCase(name))
          .map(Map.Entry::getValue)
          .toList();
    }
  }

  private ScriptedUpstream(Vertx vertx, HttpServerOptions options) {
    server =
        vertx.createHttpServer(options.setHost("127.0.0.1").setPort(0).setMaxHeaderSize(65536));
    server.connectionHandler(connection -> connections.incrementAndGet());
    server.requestHandler(this::receive);
  }

  /** Listens on a free loopback port. */
  public static ScriptedUpstream start(Vertx vertx) throws Exception {
    return start(vertx, new HttpServerOptions());
  }

  /**
   * Listens on a free loopback port.
   *
   * @param options TLS, ALPN and the like
   */
  public static ScriptedUpstream start(Vertx vertx, HttpServerOptions options) throws Exception {
    ScriptedUpstream upstream = new ScriptedUpstream(vertx, options);
    upstream.server.listen().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    return upstream;
  }

  public int port() {
    return server.actualPort();
  }

  /** From now on requests are answered so. */
  public ScriptedUpstream script(Script next) {
    script = next;
    return this;
  }

  /** From now on every request gets this status and body. */
  public ScriptedUpstream answer(int status, String body) {
    return script((request, received) -> request.response().setStatusCode(status).end(body));
  }

  /** From now on requests are answered before their bodies are read; null: no longer. */
  public ScriptedUpstream early(@Nullable Consumer<HttpServerRequest> answer) {
    early = answer;
    return this;
  }

  /** How many connections were made. */
  public int connections() {
    return connections.get();
  }

  /** Everything that arrived whole, in order. */
  public List<Received> ledger() {
    return List.copyOf(ledger);
  }

  /** How often the gateway broke off an exchange. */
  public int cut() {
    return cut.size();
  }

  private void receive(HttpServerRequest request) {
    request.exceptionHandler(cut::add);
    request.response().exceptionHandler(cut::add);
    Consumer<HttpServerRequest> answerer = early;
    if (answerer != null) {
      request.pause();
      answerer.accept(request);
      return;
    }
    request
        .body()
        .onSuccess(
            body -> {
              Received received =
                  new Received(
                      request.method().name(), request.uri(), request.headers().entries(), body);
              ledger.add(received);
              script.answer(request, received);
            });
  }

  @Override
  public void close() throws Exception {
    server.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }
}
