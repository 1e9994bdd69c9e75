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
  private final OpsApi api;

  public OpsRouter(HealthChecks health, OpsMetrics metrics, OpsApi api) {
    this.health = health;
    this.metrics = metrics;
    this.api = api;
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
    router.route("/api/v1/*").subRouter(api.router(vertx));
    router.errorHandler(400, r -> problem(r, 400, "request-malformed", "Request malformed"));
    router.errorHandler(404, r -> problem(r, 404, "path-unknown", "Path unknown"));
    router.errorHandler(405, r -> problem(r, 405, "method-not-allowed", "Method not allowed"));
    router.errorHandler(413, r -> problem(r, 413, "body-too-large", "Body too large"));
    router.errorHandler(500, r -> OpsApi.problem(r.failure()).send(r.response()));
    return router;
  }

  private static void problem(RoutingContext request, int status, String slug, String title) {
    OpsProblem.of(status, slug, title, title + ".").send(request.response());
  }

  private void ready(RoutingContext request) {
    health
        .readiness()
        .onSuccess(now -> json(request, now.ready() ? 200 : 503, now.detail()))
        .onFailure(request::fail);
  }

  static void json(RoutingContext request, int status, JsonObject body) {
    request
        .response()
        .setStatusCode(status)
        .putHeader("Content-Type", "application/json")
        .putHeader("Cache-Control", "no-store")
        .end(body.encode() + "\n");
  }
}
