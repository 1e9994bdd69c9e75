package dev.oncegate.gateway.http;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.HeaderField;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.UpstreamAnswer;
import dev.oncegate.engine.UpstreamRequest;
import dev.oncegate.engine.UpstreamResult;
import dev.oncegate.engine.port.Time;
import dev.oncegate.engine.port.Upstream;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One send. The first thing that happens to it is its result; whatever comes later is let go, and a
 * connection on which anything was odd is closed rather than used again.
 */
final class UpstreamAttempt {
  /** The library's own timer fires first; this one is for the race in which it never answers. */
  private static final long GUARD_MILLIS = 250;

  private final Order order;
  private final Time time;
  private final Promise<UpstreamResult> result = Promise.promise();
  private final Buffer body = Buffer.buffer();
  private @Nullable HttpClientRequest sent;

  /** Runs from the request's last byte to the answer's head. */
  private Time.Timer silence = () -> {};

  private boolean headCame;

  UpstreamAttempt(Order order, Time time) {
    this.order = order;
    this.time = time;
  }

  /**
   * What to send.
   *
   * @param captureMax bytes of a body beyond which the answer counts as unkept
   * @param progress see {@link dev.oncegate.engine.port.Upstream#send}
   */
  record Order(
      TenantPolicy tenant, UpstreamRequest request, long captureMax, Upstream.Progress progress) {
    TenantPolicy.Timeouts timeouts() {
      return tenant.upstream().timeouts();
    }
  }

  Future<UpstreamResult> run(UpstreamClients clients) {
    RequestOptions options =
        UpstreamOptions.request(order.tenant(), order.request().method(), order.request().target());
    Future<HttpClientRequest> connection = clients.of(order.tenant()).request(options);
    Time.Timer abandon = time.after(order.timeouts().abandon(), this::abandon);
    Time.Timer guard =
        time.after(
            Duration.ofMillis(options.getConnectTimeout() + GUARD_MILLIS),
            () -> notSent("no connection in time", null));
    connection.onComplete(
        connected -> {
          guard.cancel();
          connected(clients, connected);
        });
    return result
        .future()
        .onComplete(
            ended -> {
              abandon.cancel();
              silence.cancel();
            });
  }

  private void connected(UpstreamClients clients, AsyncResult<HttpClientRequest> connected) {
    if (connected.failed()) {
      notSent(UpstreamFailures.reason(connected.cause()), null);
      return;
    }
    HttpClientRequest out = connected.result();
    // A reset of our own before the request is sent is nobody's error.
    out.exceptionHandler(reset -> {});
    if (result.future().isComplete()) {
      // Given up while connecting: the claim is released, so not a byte may leave any more.
      out.reset();
      return;
    }
    if (!order.progress().maySend()) {
      out.reset();
      notSent("the lease was lost before the request could be sent", null);
      return;
    }
    try {
      UpstreamOptions.nameHost(order.tenant(), out);
      order.request().headers().forEach(h -> out.headers().add(h.name(), h.value()));
      out.headers()
          .set(HttpHeaders.CONTENT_LENGTH, String.valueOf(order.request().body().length()));
    } catch (RuntimeException fault) {
      out.reset();
      notSent("the request could not be written", fault);
      return;
    }
    send(clients, out);
  }

  private void send(UpstreamClients clients, HttpClientRequest out) {
    sent = out;
    clients.watch(out);
    out.exceptionHandler(cause -> lost(clients, out, cause, "connection lost"));
    out.response()
        .onSuccess(answer -> head(out, answer))
        .onFailure(cause -> lost(clients, out, cause, "no valid answer"));
    // The body must not be counted as an error of its own where a complete early answer comes.
    Future<Void> written = out.end(Buffer.buffer(order.request().body().array()));
    written.onSuccess(done -> left());
    result
        .future()
        .onSuccess(
            ended -> {
              if (ended instanceof UpstreamResult.Answered && !written.isComplete()) {
                stopSending(out);
              }
            });
  }

  private void left() {
    order.progress().sent();
    if (!headCame && !result.future().isComplete()) {
      silence = time.after(order.timeouts().firstByte(), order.progress()::late);
    }
  }

  /** Answered before it was read: the rest of the body is still on its way there. */
  private void stopSending(HttpClientRequest out) {
    if (out.version() == HttpVersion.HTTP_2) {
      // What the upstream did not read still fills the connection's window; other streams end.
      out.reset();
      out.connection().shutdown(order.timeouts().abandon().toMillis(), TimeUnit.MILLISECONDS);
    } else {
      out.connection().close();
    }
  }

  /** Without an answer's head. HTTP/2 can say that the request was not even looked at. */
  private void lost(
      UpstreamClients clients, HttpClientRequest out, Throwable cause, String reason) {
    if (!headCame && UpstreamFailures.isUnprocessed(clients, out, cause)) {
      result.tryComplete(new UpstreamResult.NotSent("refused before it was processed"));
    } else {
      broken(reason);
    }
  }

  private void head(HttpClientRequest out, HttpClientResponse answer) {
    headCame = true;
    silence.cancel();
    if (result.future().isComplete()) {
      return;
    }
    answer.exceptionHandler(cut -> broken("answer cut off"));
    if (!AnswerHead.isReadable(answer)) {
      broken("no valid answer");
      return;
    }
    List<HeaderField> headers = HopByHop.answer(HopByHop.lines(answer.headers()));
    if (isEventStream(answer) || declaredLength(answer) > order.captureMax()) {
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
    if (body.length() > order.captureMax()) {
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
}
