package dev.oncegate.gateway.http;

import dev.oncegate.core.HeaderField;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.IdempotencyStatus;
import dev.oncegate.engine.Problem;
import dev.oncegate.engine.RetryAfter;
import dev.oncegate.engine.port.Time;
import io.vertx.core.AsyncResult;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Streams a request through where there is no key protocol: any size, no store, {@code bypassed}.
 * Here a client that leaves cancels the upstream exchange, the very thing that a keyed exchange
 * must not do.
 */
final class Passthrough {
  private final UpstreamClients clients;
  private final Time time;
  private final AnswerWriter writer;

  Passthrough(GatewayParts parts, AnswerWriter writer) {
    this.clients = parts.clients();
    this.time = parts.time();
    this.writer = writer;
  }

  /**
   * Forwards a paused request.
   *
   * @param target path and query below the upstream's base path
   */
  void forward(Visit visit, TenantPolicy tenant, RequestHead head, String target) {
    HttpServerRequest in = visit.request();
    if (in.headers().contains(HttpHeaders.EXPECT)) {
      in.response().writeContinue().otherwiseEmpty();
    }
    RequestOptions options = UpstreamOptions.request(tenant, head.method(), target);
    clients
        .of(tenant)
        .request(options)
        .onComplete(connected -> connected(new Relay(visit, tenant, head), connected));
  }

  private void connected(Relay relay, AsyncResult<HttpClientRequest> connected) {
    if (connected.failed()) {
      relay.unreachable("The upstream could not be reached. Nothing was sent.");
      return;
    }
    relay.send(connected.result());
  }

  /** One request and its answer, both streamed. */
  private final class Relay {
    private final Visit visit;
    private final TenantPolicy tenant;
    private final RequestHead head;
    private final HttpServerRequest in;
    private final HttpServerResponse back;

    /** Runs from the request's last byte to the answer's head. */
    private Time.Timer silence = () -> {};

    private boolean headCame;

    Relay(Visit visit, TenantPolicy tenant, RequestHead head) {
      this.visit = visit;
      this.tenant = tenant;
      this.head = head;
      this.in = visit.request();
      this.back = in.response();
    }

    void send(HttpClientRequest out) {
      clients.watch(out);
      // Every break is also told by the answer's future, or by its stream.
      out.exceptionHandler(broken -> {});
      if (back.closed()) {
        out.reset();
        writer.nobody(visit);
        return;
      }
      try {
        UpstreamOptions.nameHost(tenant, out);
        HopByHop.request(head.headers()).forEach(h -> out.headers().add(h.name(), h.value()));
      } catch (RuntimeException fault) {
        out.reset();
        writer.refuse(
            visit,
            Problem.of(
                Problem.Type.INTERNAL_ERROR,
                "The request could not be written. Nothing was sent."));
        return;
      }
      boolean upgrade = Upgrade.isAsked(in.version(), head);
      if (upgrade) {
        Upgrade.headers(head.values("Upgrade"))
            .forEach(h -> out.headers().add(h.name(), h.value()));
      }
      frameRequest(out);
      watch(out);
      if (upgrade) {
        listen(out);
        out.connect()
            .onSuccess(answer -> upgraded(out, answer))
            .onFailure(cause -> lost(out, cause));
        return;
      }
      out.response().onSuccess(answer -> relay(out, answer)).onFailure(cause -> lost(out, cause));
      in.pipe()
          .endOnFailure(false)
          .to(out)
          .onSuccess(whole -> listen(out))
          // A request cut off by its client must not arrive as a whole one.
          .onFailure(cut -> out.reset());
    }

    private void listen(HttpClientRequest out) {
      if (!headCame) {
        silence = time.after(tenant.upstream().timeouts().firstByte(), () -> late(out));
      }
    }

    /** Nobody keeps this exchange for a retry, so it ends with its client's wait. */
    private void late(HttpClientRequest out) {
      refuse(
          Problem.Type.UPSTREAM_TIMEOUT,
          "The upstream did not begin to answer in time. This route keeps no record of the"
              + " request.");
      out.reset();
    }

    private void frameRequest(HttpClientRequest out) {
      String length = in.getHeader(HttpHeaders.CONTENT_LENGTH);
      if (length != null) {
        out.headers().set(HttpHeaders.CONTENT_LENGTH, length);
      } else if (in.headers().contains(HttpHeaders.TRANSFER_ENCODING)) {
        out.setChunked(true);
      }
    }

    private void watch(HttpClientRequest out) {
      back.closeHandler(
          gone -> {
            if (!back.ended()) {
              silence.cancel();
              out.reset();
              writer.nobody(visit);
            }
          });
      out.earlyHintsHandler(this::hint);
    }

    private void upgraded(HttpClientRequest out, HttpClientResponse answer) {
      silence.cancel();
      if (answer.statusCode() != 101 || back.closed()) {
        relay(out, answer);
        return;
      }
      writer.count(visit, IdempotencyStatus.BYPASSED);
      back.setStatusCode(101);
      HopByHop.answer(HopByHop.lines(answer.headers()))
          .forEach(h -> back.headers().add(h.name(), h.value()));
      Upgrade.headers(answer.headers().getAll("Upgrade"))
          .forEach(h -> back.headers().add(h.name(), h.value()));
      AnswerWriter.mark(back.headers(), IdempotencyStatus.BYPASSED, null);
      Upgrade.join(in, answer);
    }

    private void hint(MultiMap hints) {
      if (!back.headWritten() && !back.closed()) {
        MultiMap kept = MultiMap.caseInsensitiveMultiMap();
        HopByHop.answer(HopByHop.lines(hints)).forEach(h -> kept.add(h.name(), h.value()));
        back.writeEarlyHints(kept).otherwiseEmpty();
      }
    }

    private void relay(HttpClientRequest out, HttpClientResponse answer) {
      headCame = true;
      silence.cancel();
      if (!AnswerHead.isReadable(answer)) {
        // What follows it, or what its body says, cannot be told.
        out.reset();
        broken();
        return;
      }
      writer.count(visit, IdempotencyStatus.BYPASSED);
      if (back.closed() || back.ended()) {
        out.reset();
        return;
      }
      answer.pause();
      List<HeaderField> headers =
          new ArrayList<>(HopByHop.answer(HopByHop.lines(answer.headers())));
      String length = answer.getHeader(HttpHeaders.CONTENT_LENGTH);
      boolean delimited = length != null || isBodiless(answer.statusCode());
      boolean close = writer.begin(in, answer.statusCode(), headers, delimited);
      AnswerWriter.mark(back.headers(), IdempotencyStatus.BYPASSED, null);
      frame(answer.statusCode(), length);
      answer
          .pipe()
          .endOnSuccess(false)
          .endOnFailure(false)
          .to(back)
          .onSuccess(
              done -> {
                if (back.isChunked() || in.version() == HttpVersion.HTTP_2) {
                  // Names that only Oncegate may set are not for trailers either.
                  HopByHop.answer(HopByHop.lines(answer.trailers()))
                      .forEach(h -> back.trailers().add(h.name(), h.value()));
                }
                back.end().onComplete(ended -> writer.clientSide().settle(in, close));
              })
          .onFailure(cut -> back.reset());
    }

    private void frame(int code, @Nullable String length) {
      if (length != null && code != 204) {
        back.headers().set(HttpHeaders.CONTENT_LENGTH, length);
      } else if (!isBodiless(code)) {
        back.setChunked(true);
      }
    }

    private boolean isBodiless(int code) {
      return code == 204 || code == 304 || head.method().equals("HEAD");
    }

    private void lost(HttpClientRequest out, Throwable cause) {
      silence.cancel();
      if (UpstreamFailures.isUnprocessed(clients, out, cause)) {
        unreachable("The upstream refused the request before it was processed.");
      } else {
        broken();
      }
    }

    private void broken() {
      refuse(
          Problem.Type.UPSTREAM_RESET,
          "The request was sent, but no complete answer came. This route keeps no record of it.");
    }

    private void unreachable(String detail) {
      if (!back.closed() && !back.headWritten()) {
        writer.refuse(
            visit,
            Problem.of(Problem.Type.UPSTREAM_UNREACHABLE, detail)
                .withRetryAfter(RetryAfter.UPSTREAM));
      }
    }

    private void refuse(Problem.Type type, String detail) {
      if (!back.closed() && !back.headWritten()) {
        writer.refuse(visit, Problem.of(type, detail).withStatus(IdempotencyStatus.BYPASSED));
      }
    }
  }
}
