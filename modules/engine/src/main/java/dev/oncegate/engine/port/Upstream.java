package dev.oncegate.engine.port;

import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.UpstreamRequest;
import dev.oncegate.engine.UpstreamResult;
import io.vertx.core.Future;

/** The tenant's API. */
public interface Upstream {
  /**
   * Sends a request exactly once, no retry, no redirect, no second address, and says how far it
   * got. The future succeeds with an {@link UpstreamResult} in every expected case, at the latest
   * after {@code upstream.timeouts.abandon}; it completes on the calling context. A failed future
   * means that the adapter itself is broken and is taken as "bytes may have been sent".
   *
   * @param capture how much of a body is read before the answer counts as unkept
   * @param late run at most once, on the calling context, when {@code upstream.timeouts.firstByte}
   *     has passed since the request's last byte left and no answer's head has come. The exchange
   *     stays open: the answer may still come
   */
  Future<UpstreamResult> send(
      TenantPolicy tenant, UpstreamRequest request, RoutePolicy.Capture capture, Runnable late);
}
