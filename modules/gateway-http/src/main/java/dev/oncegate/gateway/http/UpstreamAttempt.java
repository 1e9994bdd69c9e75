package dev.oncegate.gateway.http;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.HeaderField;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.UpstreamAnswer;
import dev.oncegate.engine.UpstreamRequest;
import dev.oncegate.engine.UpstreamResult;
import dev.oncegate.engine.port.Time;
import io.netty.channel.ConnectTimeoutException;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.RequestOptions;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One send. The first thing that happens to it is its result; whatever comes later is let go, and a
 * connection on which anything was odd is closed rather than used again.
 */
final class UpstreamAttempt {
  /** The library's own timer fires first; this one is for the race in which it never answers. */
  private static final long GUARD_MILLIS = 250;

  private final UpstreamRequest request;
  private final long captureMax;
  private final TenantPolicy.Timeouts timeouts;
  private final Time time;
  private final Promise<UpstreamResult> result = Promise.promise();
  private final Buffer body = Buffer.buffer();
  private @Nullable HttpClientRequest sent;

  UpstreamAttempt(
      UpstreamRequest request, long captureMax, TenantPolicy.Timeouts timeouts, Time time) {
    this.request = request;
    this.captureMax = captureMax;
    this.timeouts = timeouts;
    this.time = time;
  }

  Future<UpstreamResult> run(HttpClient client, RequestOptions options) {
    Time.Timer abandon = time.after(timeouts.abandon(), this::abandon);
    Time.Timer guard =
        time.after(
            java.time.Duration.ofMillis(options.getConnectTimeout() + GUARD_MILLIS),
            () -> notSent("no connection in time", null));
    client
        .request(options)
        .onComplete(
            connected -> {
              guard.cancel();
              connected(connected);
            });
    return result.future().onComplete(ended -> abandon.cancel());
  }

  private void connected(AsyncResult<HttpClientRequest> connected) {
    if (connected.failed()) {
      notSent(reason(connected.cause()), null);
      return;
    }
    HttpClientRequest out = connected.result();
    if (result.future().isComplete()) {
      // Given up while connecting: the claim is released, so not a byte may leave any more.
      out.reset();
      return;
    }
    try {
      request.headers().forEach(h -> out.headers().add(h.name(), h.value()));
      out.headers().set(HttpHeaders.CONTENT_LENGTH, String.valueOf(request.body().length()));
    } catch (RuntimeException fault) {
      out.reset();
      notSent("the request could not be written", fault);
      return;
    }
    send(out);
  }

  private void send(HttpClientRequest out) {
    sent = out;
    out.exceptionHandler(broken -> broken("connection lost"));
    out.response()
        .onSuccess(answer -> head(out, answer))
        .onFailure(broken -> broken("no valid answer"));
    // The body must not be counted as an error of its own where a complete early answer comes.
    Future<Void> written = out.end(Buffer.buffer(request.body().array()));
    result
        .future()
        .onSuccess(
            ended -> {
              if (ended instanceof UpstreamResult.Answered && !written.isComplete()) {
                // Answered before it was read: the rest of the body is still on its way there.
                out.connection().close();
              }
            });
  }

  private void head(HttpClientRequest out, HttpClientResponse answer) {
    if (result.future().isComplete()) {
      return;
    }
    if (answer.statusCode() < 200) {
      broken("interim answer " + answer.statusCode());
      return;
    }
    List<HeaderField> headers = HopByHop.answer(HopByHop.lines(answer.headers()));
    answer.exceptionHandler(cut -> broken("answer cut off"));
    if (isEventStream(answer) || declaredLength(answer) > captureMax) {
      answer.pause();
      unkept(out, answer, headers);
      return;
    }
    answer.handler(part -> take(out, answer, headers, part));
    answer.endHandler(
        end ->
            result.tryComplete(
                new UpstreamResult.Answered(
                    new UpstreamAnswer(
                        answer.statusCode(), headers, Bytes.wrap(body.getBytes())))));
  }

  private void take(
      HttpClientRequest out, HttpClientResponse answer, List<HeaderField> headers, Buffer part) {
    if (result.future().isComplete()) {
      return;
    }
    body.appendBuffer(part);
    if (body.length() > captureMax) {
      answer.pause();
      unkept(out, answer, headers);
    }
  }

  private void unkept(HttpClientRequest out, HttpClientResponse answer, List<HeaderField> headers) {
    // Its stream takes over the answer's handlers before anything else can reach them.
    UnkeptStream rest = new UnkeptStream(out, answer, body);
    if (!result.tryComplete(
        new UpstreamResult.AnsweredUnkept(answer.statusCode(), headers, rest))) {
      rest.discard();
    }
  }

  private void abandon() {
    if (sent == null) {
      notSent("no connection in time", null);
    } else if (result.tryComplete(
        new UpstreamResult.Broken("no complete answer within abandon", true))) {
      sent.reset();
    }
  }

  private void notSent(String reason, @Nullable Throwable fault) {
    if (sent == null) {
      result.tryComplete(new UpstreamResult.NotSent(reason, fault));
    }
  }

  private void broken(String reason) {
    if (result.tryComplete(new UpstreamResult.Broken(reason, false)) && sent != null) {
      sent.reset();
    }
  }

  private static boolean isEventStream(HttpClientResponse answer) {
    String type = answer.getHeader(HttpHeaders.CONTENT_TYPE);
    return type != null && type.strip().toLowerCase(Locale.ROOT).startsWith("text/event-stream");
  }

  private static long declaredLength(HttpClientResponse answer) {
    String length = answer.getHeader(HttpHeaders.CONTENT_LENGTH);
    try {
      return length == null ? 0 : Long.parseLong(length.strip());
    } catch (NumberFormatException notANumber) {
      return 0;
    }
  }

  /** A few fixed words: exception messages may hold addresses that clients should not see. */
  private static String reason(Throwable cause) {
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
