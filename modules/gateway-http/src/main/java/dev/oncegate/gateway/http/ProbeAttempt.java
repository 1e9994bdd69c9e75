package dev.oncegate.gateway.http;

import dev.oncegate.core.Bytes;
import dev.oncegate.core.HeaderField;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.port.Prober.Question;
import dev.oncegate.engine.port.Prober.Reply;
import dev.oncegate.engine.port.Time;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.RequestOptions;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One question, sent at most once. The first thing that happens to it is its reply. */
final class ProbeAttempt {
  /** One line of visible characters; anything else would be another request, or none. */
  private static final Pattern VALUE =
      Pattern.compile("[\\x21-\\x7E](?:[\\x20-\\x7E]*[\\x21-\\x7E])?");

  private final TenantPolicy tenant;
  private final Question question;
  private final OffLoop decoding;
  private final Promise<Reply> reply = Promise.promise();
  private final Buffer body = Buffer.buffer();
  private @Nullable HttpClientRequest sent;

  ProbeAttempt(TenantPolicy tenant, Question question, OffLoop decoding) {
    this.tenant = tenant;
    this.question = question;
    this.decoding = decoding;
  }

  Future<Reply> run(UpstreamClients clients, Time time) {
    if (!question.headers().stream().allMatch(h -> VALUE.matcher(h.value()).matches())) {
      return Future.succeededFuture(new Reply.None("a header of the question cannot be sent"));
    }
    RequestOptions options = UpstreamOptions.request(tenant, question.method(), question.target());
    Time.Timer limit =
        time.after(HttpProber.limit(tenant), () -> none("no complete answer in time"));
    clients.of(tenant).request(options).onComplete(this::connected);
    return reply.future().onComplete(ended -> limit.cancel());
  }

  private void connected(AsyncResult<HttpClientRequest> connected) {
    if (connected.failed()) {
      none(UpstreamFailures.reason(connected.cause()));
      return;
    }
    HttpClientRequest out = connected.result();
    // A reset of our own is nobody's error.
    out.exceptionHandler(reset -> {});
    if (reply.future().isComplete()) {
      out.reset();
      return;
    }
    try {
      UpstreamOptions.nameHost(tenant, out);
      HopByHop.request(question.headers())
          .forEach(header -> out.headers().add(header.name(), header.value()));
      if (!out.headers().contains(HttpHeaders.CACHE_CONTROL)) {
        // What a cache saw before the quarantine ended says nothing of the time after it.
        out.headers().set(HttpHeaders.CACHE_CONTROL, "no-cache");
      }
      if (!out.headers().contains(HttpHeaders.ACCEPT_ENCODING)) {
        // Without it any coding would do, also one that is not read here.
        out.headers().set(HttpHeaders.ACCEPT_ENCODING, HttpHeaders.IDENTITY);
      }
    } catch (RuntimeException fault) {
      out.reset();
      none("the question could not be written");
      return;
    }
    sent = out;
    out.exceptionHandler(lost -> none("connection lost"));
    out.response().onSuccess(this::head).onFailure(lost -> none("no valid answer"));
    out.end();
  }

  private void head(HttpClientResponse answer) {
    if (reply.future().isComplete()) {
      return;
    }
    answer.exceptionHandler(cut -> none("answer cut off"));
    if (!AnswerHead.isReadable(answer)) {
      none("no valid answer");
      return;
    }
    answer.handler(this::take);
    answer.endHandler(end -> whole(answer));
  }

  private void take(Buffer part) {
    if (body.length() + (long) part.length() > question.most()) {
      none("answer too large");
    } else if (!reply.future().isComplete()) {
      body.appendBuffer(part);
    }
  }

  private void whole(HttpClientResponse answer) {
    if (reply.future().isComplete()) {
      return;
    }
    List<String> codings = answer.headers().getAll(HttpHeaders.CONTENT_ENCODING);
    List<HeaderField> headers = HopByHop.answer(HopByHop.lines(answer.headers()));
    Bytes raw = Bytes.wrap(body.getBytes());
    if (raw.length() == 0 || !BodyDecoder.isCoded(codings)) {
      reply.tryComplete(new Reply.Answered(answer.statusCode(), headers, raw));
      return;
    }
    decoding
        .run(question.most(), () -> BodyDecoder.strictly(raw, codings, question.most()))
        .onSuccess(decoded -> decoded(answer.statusCode(), headers, decoded))
        .onFailure(fault -> none("answer not in its coding"));
  }

  private void decoded(
      int status, List<HeaderField> headers, BodyDecoder.@Nullable Decoded decoded) {
    if (decoded instanceof BodyDecoder.Decoded.Plain plain) {
      List<HeaderField> plainHeaders =
          headers.stream().filter(header -> !header.is("Content-Encoding")).toList();
      reply.tryComplete(new Reply.Answered(status, plainHeaders, plain.bytes()));
    } else {
      none(decoded == null ? "answer not in its coding" : "answer too large");
    }
  }

  private void none(String reason) {
    if (reply.tryComplete(new Reply.None(reason)) && sent != null) {
      sent.reset();
    }
  }
}
