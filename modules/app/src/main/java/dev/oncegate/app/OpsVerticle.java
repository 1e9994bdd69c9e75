package dev.oncegate.app;

import dev.oncegate.app.config.Address;
import dev.oncegate.ops.OpsRouter;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;

/** The ops port, on an event loop of its own. */
final class OpsVerticle extends VerticleBase {
  private final Address address;
  private final OpsRouter router;
  private int port;

  OpsVerticle(Address address, OpsRouter router) {
    this.address = address;
    this.router = router;
  }

  @Override
  public Future<?> start() {
    return vertx
        .createHttpServer()
        .requestHandler(router.on(vertx))
        .listen(address.port(), address.host())
        .map(HttpServer::actualPort)
        .onSuccess(actual -> port = actual);
  }

  /** Where it listens, with the port that was really taken. */
  Address address() {
    return address.withPort(port);
  }
}
