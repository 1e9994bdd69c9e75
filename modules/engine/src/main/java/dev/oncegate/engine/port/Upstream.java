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
   */
  Future<UpstreamResult> send(
      TenantPolicy tenant, UpstreamRequest request, RoutePolicy.Capture capture, Progress progress);

  /** What a running exchange tells, each at most once, on the calling context. */
  interface Progress {
    /**
     * Asked right before the first byte leaves, which may be long after the send was asked for: a
     * free connection had to be waited for. Where the lease has been lost meanwhile nothing may be
     * sent any more (reliability S8).
     */
    default boolean maySend() {
      return true;
    }

    /** The request's last byte has left. */
    default void sent() {}

    /**
     * {@code upstream.timeouts.firstByte} has passed since then and no answer's head has come. The
     * exchange stays open: the answer may still come.
     */
    default void late() {}
  }
}
