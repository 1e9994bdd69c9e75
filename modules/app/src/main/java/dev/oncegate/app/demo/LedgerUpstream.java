package dev.oncegate.app.demo;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/**
 * A small payment API that knows nothing of idempotency: two equal requests are two effects.
 *
 * <ul>
 *   <li>{@code POST /charges}, {@code POST /refunds}: JSON with a whole {@code amount} above zero
 *       and a {@code currency}; 201 with an id and a {@code Location}, else 400
 *   <li>{@code POST /v1/charges}: the same as a form, answered as the Stripe API does
 *   <li>{@code GET /charges/ID}, {@code GET /refunds/ID}, {@code GET /ledger}: what has happened
 *   <li>{@code GET /charges?key=KEY}, {@code GET /refunds?key=KEY}: what was asked for under an
 *       Idempotency-Key, as {@code {"data": [...]}}; that is all it does with one
 * </ul>
 *
 * <p>Trouble on demand, by the header {@code X-Ledger}: {@code decline} answers 402 and {@code
 * error} 500, both without an effect; {@code lose} has the effect and closes the connection
 * unanswered; {@code slow} answers after 3 s.
 */
public final class LedgerUpstream extends VerticleBase {
  private static final long SLOW_MILLIS = 3_000;

  private final String host;
  private final int port;
  private final Ledger ledger = new Ledger();
  private int actualPort;

  public LedgerUpstream(String host, int port) {
    this.host = host;
    this.port = port;
  }

  @Override
  public Future<?> start() {
    HttpServer server = vertx.createHttpServer(new HttpServerOptions().setHost(host).setPort(port));
    return server
        .requestHandler(this::handle)
        .listen()
        .onSuccess(listening -> actualPort = listening.actualPort());
  }

  /** The port that was really taken. */
  public int actualPort() {
    return actualPort;
  }

  private void handle(HttpServerRequest request) {
    String path = request.path();
    if (request.method().equals(HttpMethod.GET)) {
      look(request, path);
    } else if (!request.method().equals(HttpMethod.POST)) {
      answer(request.response(), 405, error("only GET and POST"));
    } else if (path.equals("/charges") || path.equals("/refunds") || path.equals("/v1/charges")) {
      // A body that breaks off was never a request: there is nobody left to answer.
      request.body().onSuccess(body -> trouble(request, () -> book(request, body)));
    } else {
      answer(request.response(), 404, error("no such path"));
    }
  }

  private void look(HttpServerRequest request, String path) {
    HttpServerResponse response = request.response();
    String key = request.getParam("key");
    if (key != null && (path.equals("/charges") || path.equals("/refunds"))) {
      answer(response, 200, ledger.findByKey(path.equals("/charges") ? "charge" : "refund", key));
      return;
    }
    if (path.equals("/ledger")) {
      answer(response, 200, ledger.toJson());
      return;
    }
    Optional<JsonObject> effect =
        path.startsWith("/charges/") || path.startsWith("/refunds/")
            ? ledger.find(path.substring(path.lastIndexOf('/') + 1))
            : Optional.empty();
    answer(response, effect.isPresent() ? 200 : 404, effect.orElse(error("no such effect")));
  }

  private void trouble(HttpServerRequest request, Runnable work) {
    String trouble = request.getHeader("X-Ledger");
    if ("decline".equals(trouble)) {
      answer(request.response(), 402, error("declined"));
    } else if ("error".equals(trouble)) {
      answer(request.response(), 500, error("out of order"));
    } else if ("slow".equals(trouble)) {
      vertx.setTimer(SLOW_MILLIS, fired -> work.run());
    } else {
      work.run();
    }
  }

  private void book(HttpServerRequest request, Buffer body) {
    boolean form = request.path().startsWith("/v1/");
    Optional<Order> order = form ? Order.ofForm(body) : ofJson(body);
    if (order.isEmpty()) {
      answer(
          request.response(),
          400,
          error("amount (a whole number above 0) and currency are needed"));
      return;
    }
    boolean refund = request.path().equals("/refunds");
    JsonObject effect =
        ledger.book(
            refund ? "re_" : "ch_",
            refund ? "refund" : "charge",
            order.get().amount(),
            order.get().currency(),
            request.getHeader("Idempotency-Key"));
    if ("lose".equals(request.getHeader("X-Ledger"))) {
      request.connection().close();
      return;
    }
    String id = effect.getString("id");
    request.response().putHeader("Location", (refund ? "/refunds/" : "/charges/") + id);
    if (form) {
      answer(request.response(), 200, StripeCharge.of(effect));
    } else {
      answer(request.response(), 201, effect);
    }
  }

  private static Optional<Order> ofJson(Buffer body) {
    try {
      return Order.ofJson(new JsonObject(body));
    } catch (DecodeException e) {
      return Optional.empty();
    }
  }

  private static void answer(HttpServerResponse response, int status, JsonObject body) {
    response
        .setStatusCode(status)
        .putHeader("Content-Type", "application/json")
        .end(body.toBuffer().appendString("\n"));
  }

  private static JsonObject error(String what) {
    return new JsonObject().put("error", new JsonObject().put("message", what));
  }

  /** Runs it beside a gateway; the future fails where the port is taken. */
  public static Future<LedgerUpstream> deploy(Vertx vertx, String host, int port) {
    LedgerUpstream ledger = new LedgerUpstream(host, port);
    return vertx.deployVerticle(ledger).map(ledger);
  }
}
