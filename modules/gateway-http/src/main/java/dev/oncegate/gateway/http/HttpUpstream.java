package dev.oncegate.gateway.http;

import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.UpstreamRequest;
import dev.oncegate.engine.UpstreamResult;
import dev.oncegate.engine.port.Time;
import dev.oncegate.engine.port.Upstream;
import io.vertx.core.Future;

/**
 * Sends a keyed request on the core HTTP client, once: no retry, no redirect, no second address.
 * What happened is told by phase, never by exception class (libraries 3.3): until a connection is
 * ours nothing has left, from the first written byte on anything may have arrived.
 */
public final class HttpUpstream implements Upstream {
  private final UpstreamClients clients;
  private final Time time;

  public HttpUpstream(UpstreamClients clients, Time time) {
    this.clients = clients;
    this.time = time;
  }

  @Override
  public Future<UpstreamResult> send(
      TenantPolicy tenant,
      UpstreamRequest request,
      RoutePolicy.Capture capture,
      Progress progress) {
    UpstreamAttempt attempt =
        new UpstreamAttempt(
            new UpstreamAttempt.Order(tenant, request, capture.max(), progress), time);
    try {
      return attempt.run(clients);
    } catch (RuntimeException fault) {
      // Everything that throws here does so before a connection was asked for.
      return Future.succeededFuture(
          new UpstreamResult.NotSent("the request could not be made", fault));
    }
  }
}
