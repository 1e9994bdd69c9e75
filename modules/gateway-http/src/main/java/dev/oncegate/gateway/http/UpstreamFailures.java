package dev.oncegate.gateway.http;

import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.StreamResetException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;

/** What the client library's exceptions say, where they may be listened to. */
final class UpstreamFailures {
  private UpstreamFailures() {}

  /**
   * Whether HTTP/2 guarantees that the upstream has not processed a request whose bytes had left
   * (RFC 9113 §8.7): its stream was refused, or is above the last one that a GOAWAY counts. The
   * same goes for a stream that could not even be opened. Any other reset may come after an effect.
   */
  static boolean isUnprocessed(UpstreamClients clients, HttpClientRequest out, Throwable cause) {
    if (out.version() != HttpVersion.HTTP_2) {
      return false;
    }
    if (cause instanceof StreamResetException reset) {
      return reset.getCode() == Http2Error.REFUSED_STREAM.code();
    }
    if (cause instanceof Http2Exception codec) {
      return wasNotOpened(codec);
    }
    return cause instanceof HttpClosedException
        && clients.wasIgnored(out.connection(), out.streamId());
  }

  /**
   * The codec's own refusal to open a stream: the connection has no more of them, or was closed
   * after the pool had given it to the request. It tells the latter by its words alone; once a
   * connection is closed nothing more is read from it, so they never speak of a stream that is
   * open.
   */
  private static boolean wasNotOpened(Http2Exception codec) {
    return codec.error() == Http2Error.REFUSED_STREAM
        || (codec.error() == Http2Error.INTERNAL_ERROR
            && String.valueOf(codec.getMessage()).startsWith("Attempted to create stream id "));
  }

  /**
   * Why there is no connection, in a few fixed words: exception messages may hold addresses that
   * clients should not see.
   */
  static String reason(Throwable cause) {
    for (Throwable t = cause; t != null; t = t.getCause()) {
      if (t instanceof UnknownHostException) {
        return "host name not found";
      } else if (t instanceof SSLException) {
        return "TLS failed";
      } else if (t instanceof ConnectTimeoutException) {
        return "connect timed out";
      } else if (t instanceof ConnectException) {
        return "connection refused";
      }
    }
    return switch (cause.getClass().getSimpleName()) {
      case "ConnectionPoolTooBusyException" -> "connection pool full";
      case "NoStackTraceTimeoutException" -> "no connection in time";
      default -> "no connection";
    };
  }
}
