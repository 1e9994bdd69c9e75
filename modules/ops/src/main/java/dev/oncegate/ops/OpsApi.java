package dev.oncegate.ops;

import dev.oncegate.engine.Resolution;
import dev.oncegate.engine.port.RecordReader;
import dev.oncegate.engine.port.RecordStore;
import dev.oncegate.engine.port.RecordUpkeep.Book;
import dev.oncegate.engine.port.TenantDirectory;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything below {@code /api/v1}; nothing of it is reached without the token. */
public final class OpsApi {
  private static final Logger LOG = LoggerFactory.getLogger(OpsApi.class);

  /** A verdict with an answer of up to a megabyte, in base64. */
  private static final long MOST_BODY = 2L * 1024 * 1024;

  private final BearerAuth auth;
  private final TenantsApi tenants;
  private final RecordsApi records;

  public OpsApi(Parts parts) {
    this.auth = new BearerAuth(parts.token(), parts.nanos());
    this.tenants = new TenantsApi(parts.tenants(), parts.books());
    this.records = new RecordsApi(tenants, parts.reader(), parts.resolution());
  }

  /**
   * What it works with.
   *
   * @param books the books of every tenant that has any, read now
   * @param nanos monotonic time, for the limit on repeated log lines
   */
  public record Parts(
      AdminToken token,
      TenantDirectory tenants,
      RecordReader reader,
      Supplier<Future<List<Book>>> books,
      Resolution resolution,
      LongSupplier nanos) {}

  /** To be mounted as a whole: its first handler asks for the token, whatever the path. */
  Router router(Vertx vertx) {
    Router api = Router.router(vertx);
    api.route().handler(auth);
    api.get("/tenants").handler(answering(request -> tenants.list()));
    api.get("/tenants/:tenant/stats").handler(answering(tenants::stats));
    api.get("/tenants/:tenant/records").handler(answering(records::find));
    api.get("/tenants/:tenant/records/:id").handler(answering(records::show));
    api.post("/tenants/*").handler(OpsApi::requireJson);
    api.post("/tenants/*").handler(BodyHandler.create(false).setBodyLimit(MOST_BODY));
    api.post("/tenants/:tenant/records/resolve").handler(answering(records::resolveMany));
    api.post("/tenants/:tenant/records/:id/resolve").handler(answering(records::resolve));
    return api;
  }

  private static void requireJson(RoutingContext request) {
    String type = String.valueOf(request.request().getHeader("Content-Type"));
    if (type.toLowerCase(Locale.ROOT).split(";", 2)[0].strip().equals("application/json")) {
      request.next();
    } else {
      OpsProblem.of(
              415,
              "content-type-unknown",
              "Content type unknown",
              "The body has to be application/json.")
          .send(request.response());
    }
  }

  /** Answers with what the work comes to; what it throws is taken like what it fails with. */
  private static Handler<RoutingContext> answering(
      Function<RoutingContext, Future<JsonObject>> work) {
    return request ->
        Future.<Void>succeededFuture()
            .compose(go -> work.apply(request))
            .onSuccess(body -> OpsRouter.json(request, 200, body))
            .onFailure(failure -> problem(failure).send(request.response()));
  }

  static OpsProblem problem(Throwable failure) {
    if (failure instanceof OpsProblem.Refused refused) {
      return refused.problem();
    }
    if (failure instanceof RecordStore.StoreUnavailable) {
      return OpsProblem.of(
              503,
              "store-unavailable",
              "Store unavailable",
              "The store could not be used. A verdict may have been written: look before you"
                  + " repeat it.")
          .withHeader("Retry-After", "2");
    }
    if (failure instanceof RecordStore.RecordDamaged) {
      return OpsProblem.of(
          500,
          "record-damaged",
          "Record damaged",
          "The record cannot be read: " + failure.getMessage());
    }
    LOG.atError().setCause(failure).log("the ops API failed");
    return OpsProblem.of(
        500, "internal-error", "Internal error", "Something that cannot be has happened.");
  }
}
