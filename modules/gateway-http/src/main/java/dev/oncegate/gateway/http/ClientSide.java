package dev.oncegate.gateway.http;

import dev.oncegate.engine.port.Time;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.regex.Pattern;

/**
 * What becomes of a client's connection after its answer. A body that nobody read stands between
 * this request and the next: a short one is read and thrown away, for any other the connection is
 * closed, but not at once, since a close with unread bytes is a reset that can overtake the answer.
 */
final class ClientSide {
  private static final long NO_ERROR = 0;
  private static final Pattern SHORT = Pattern.compile("[0-9]{1,9}");

  private final Time time;
  private final GatewayLimits limits;

  ClientSide(Time time, GatewayLimits limits) {
    this.time = time;
    this.limits = limits;
  }

  /** Whether the connection cannot be used again after an answer that is given now. */
  boolean mustClose(HttpServerRequest request) {
    if (request.isEnded() || request.version() == HttpVersion.HTTP_2) {
      return false;
    }
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    boolean chunked = request.headers().contains(HttpHeaders.TRANSFER_ENCODING);
    boolean waitsFor100 = request.headers().contains(HttpHeaders.EXPECT);
    return chunked
        || waitsFor100
        || (length != null
            && (!SHORT.matcher(length).matches() || Integer.parseInt(length) > limits.discard()));
  }

  /** After the answer has been written. */
  void settle(HttpServerRequest request, boolean close) {
    if (request.isEnded()) {
      if (close) {
        request.connection().close();
      }
      return;
    }
    Time.Timer linger = time.after(limits.linger(), () -> giveUp(request));
    request.exceptionHandler(gone -> linger.cancel());
    request.handler(unread -> {});
    request.endHandler(
        end -> {
          linger.cancel();
          if (close) {
            request.connection().close();
          }
        });
    request.resume();
  }

  /** A stream of HTTP/2 ends alone (RFC 9113 §8.1); others share its connection. */
  private static void giveUp(HttpServerRequest request) {
    if (request.version() == HttpVersion.HTTP_2) {
      request.response().reset(NO_ERROR);
    } else {
      request.connection().close();
    }
  }
}
