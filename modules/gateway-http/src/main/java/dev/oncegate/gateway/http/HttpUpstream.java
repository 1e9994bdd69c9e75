package dev.oncegate.gateway.http;

import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.UpstreamRequest;
import dev.oncegate.engine.UpstreamResult;
import dev.oncegate.engine.port.Time;
import dev.oncegate.engine.port.Upstream;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;

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
      TenantPolicy tenant, UpstreamRequest request, RoutePolicy.Capture capture) {
    UpstreamAttempt attempt =
        new UpstreamAttempt(request, capture.max(), tenant.upstream().timeouts(), time);
    try {
      return attempt.run(clients.of(tenant), options(tenant, request.method(), request.target()));
    } catch (RuntimeException fault) {
      // Everything that throws here does so before a connection was asked for.
      return Future.succeededFuture(
          new UpstreamResult.NotSent("the request could not be made", fault));
    }
  }

  /**
   * Where a request goes. The library's timer covers waiting for a connection and opening one
   * alike, so it gets the sum of {@code poolWait} and {@code connect}; opening has its own bound.
   */
  static RequestOptions options(TenantPolicy tenant, String method, String target) {
    TenantPolicy.Upstream upstream = tenant.upstream();
    return new RequestOptions()
        .setMethod(HttpMethod.valueOf(method))
        .setSsl(upstream.tls())
        .setHost(upstream.host())
        .setPort(upstream.port())
        .setURI(upstream.basePath() + target)
        .setFollowRedirects(false)
        .setConnectTimeout(connectionWait(upstream.timeouts()));
  }

  /** Longest wait for a connection, in milliseconds. */
  static long connectionWait(TenantPolicy.Timeouts timeouts) {
    return Math.max(1, timeouts.poolWait().plus(timeouts.connect()).toMillis());
  }
}
