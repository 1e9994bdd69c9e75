package dev.oncegate.ops;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/** The paths of the ops port (contract §9, as far as they exist yet). */
public final class OpsRouter {
  private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private final HealthChecks health;
  private final OpsMetrics metrics;

  public OpsRouter(HealthChecks health, OpsMetrics metrics) {
    this.health = health;
    this.metrics = metrics;
  }

  /** The handler of the ops server. */
  public Handler<HttpServerRequest> on(Vertx vertx) {
    Router router = Router.router(vertx);
    // Live means that an event loop answers, and nothing else: a restart heals no database.
    router.get("/health/live").handler(r -> json(r, 200, new JsonObject().put("status", "up")));
    router.get("/health/ready").handler(this::ready);
    router
        .get("/metrics")
        .handler(
            r -> r.response().putHeader("Content-Type", PROMETHEUS_TEXT).end(metrics.scrape()));
    return router;
  }

  private void ready(RoutingContext request) {
    health
        .readiness()
        .onSuccess(now -> json(request, now.ready() ? 200 : 503, now.detail()))
        .onFailure(request::fail);
  }

  private static void json(RoutingContext request, int status, JsonObject body) {
    request
        .response()
        .setStatusCode(status)
        .putHeader("Content-Type", "application/json")
        .putHeader("Cache-Control", "no-store")
        .end(body.encode() + "\n");
  }
}
