package dev.oncegate.gateway.http;

import dev.oncegate.engine.UpstreamResult;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.streams.ReadStream;
import org.jspecify.annotations.Nullable;

/**
 * A body that is not kept: first the bytes that were read before that was known, then the rest as
 * the upstream sends it, at the reader's pace.
 */
final class UnkeptStream implements ReadStream<Buffer>, UpstreamResult.UnkeptBody {
  private final HttpClientRequest request;
  private final HttpClientResponse answer;
  private @Nullable Buffer first;
  private @Nullable Handler<Buffer> onPart;
  private @Nullable Handler<Throwable> onCut;
  private @Nullable Throwable cut;
  private long demand;

  /**
   * Takes over a paused answer.
   *
   * @param first what was read of its body; may be empty
   */
  UnkeptStream(HttpClientRequest request, HttpClientResponse answer, Buffer first) {
    this.request = request;
    this.answer = answer;
    this.first = first.length() == 0 ? null : first;
    answer.handler(this::pass);
    answer.exceptionHandler(this::cutOff);
  }

  @Override
  public ReadStream<Buffer> stream() {
    return this;
  }

  @Override
  public void discard() {
    request.reset();
  }

  @Override
  public UnkeptStream handler(@Nullable Handler<Buffer> handler) {
    onPart = handler;
    return this;
  }

  @Override
  public UnkeptStream exceptionHandler(@Nullable Handler<Throwable> handler) {
    onCut = handler;
    if (cut != null) {
      cutOff(cut);
    }
    return this;
  }

  @Override
  public UnkeptStream endHandler(@Nullable Handler<Void> handler) {
    answer.endHandler(handler);
    return this;
  }

  @Override
  public UnkeptStream pause() {
    demand = 0;
    answer.pause();
    return this;
  }

  @Override
  public UnkeptStream resume() {
    return fetch(Long.MAX_VALUE);
  }

  @Override
  public UnkeptStream fetch(long amount) {
    demand = demand + amount < 0 ? Long.MAX_VALUE : demand + amount;
    Buffer head = first;
    if (head != null) {
      first = null;
      pass(head);
    }
    // The reader may have paused while it took the first bytes.
    if (demand > 0) {
      answer.fetch(demand);
    }
    return this;
  }

  private void pass(Buffer part) {
    if (demand != Long.MAX_VALUE && demand > 0) {
      demand--;
    }
    if (onPart != null) {
      onPart.handle(part);
    }
  }

  /** A cut is not queued behind the bytes; it waits only until somebody listens. */
  private void cutOff(Throwable cause) {
    cut = cause;
    if (onCut != null) {
      Handler<Throwable> listener = onCut;
      onCut = null;
      listener.handle(cause);
    }
  }
}
