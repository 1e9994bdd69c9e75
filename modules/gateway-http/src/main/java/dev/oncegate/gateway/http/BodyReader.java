package dev.oncegate.gateway.http;

import dev.oncegate.core.Bytes;
import dev.oncegate.engine.Problem;
import dev.oncegate.engine.port.Time;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;

/**
 * Reads the body of a keyed request whole, before anything is claimed: within the route's size, and
 * within a time and at a rate of its own, since a dripping sender is never idle (C76).
 */
final class BodyReader {
  private final Time time;
  private final GatewayLimits limits;

  BodyReader(Time time, GatewayLimits limits) {
    this.time = time;
    this.limits = limits;
  }

  /** The client left before its body was whole: there is nobody to answer. */
  static final class ClientGone extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ClientGone(Throwable cause) {
      super("the client left before its body was whole", cause, false, false);
    }
  }

  /**
   * The body of a paused request; fails with {@link ClientGone}. A sender that waits for 100 gets
   * it here, after its declared length has been judged.
   *
   * @param maxRequest bytes; beyond it 413, without reading on
   */
  Future<Checked<Bytes>> read(HttpServerRequest request, long maxRequest) {
    if (declaredLength(request) > maxRequest) {
      return Future.succeededFuture(new Checked.Refused<>(tooLarge(maxRequest)));
    }
    if (request.headers().contains(HttpHeaders.EXPECT)) {
      // A failure here is the client's connection, which the reading below meets as well.
      request.response().writeContinue().otherwiseEmpty();
    }
    Upload upload = new Upload(request, maxRequest);
    upload.start();
    return upload.whole.future();
  }

  private static long declaredLength(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    return length == null ? 0 : Long.parseLong(length.strip());
  }

  static Problem tooLarge(long maxRequest) {
    return Problem.of(
        Problem.Type.BODY_TOO_LARGE,
        "The body is larger than the " + maxRequest + " bytes that this route takes.");
  }

  private final class Upload {
    private final HttpServerRequest request;
    private final long max;
    private final Promise<Checked<Bytes>> whole = Promise.promise();
    private final Buffer body = Buffer.buffer();
    private Time.Timer total = () -> {};
    private Time.Timer window = () -> {};
    private int atWindowStart;

    Upload(HttpServerRequest request, long max) {
      this.request = request;
      this.max = max;
    }

    void start() {
      total = time.after(limits.uploadTotal(), this::tooSlow);
      window = time.after(limits.uploadWindow(), this::checkRate);
      // Also a chunk that cannot be parsed: the connection closes before an answer could leave.
      request.exceptionHandler(gone -> whole.tryFail(new ClientGone(gone)));
      request.handler(this::take);
      request.endHandler(end -> whole.tryComplete(Checked.passed(Bytes.wrap(body.getBytes()))));
      whole
          .future()
          .onComplete(
              ended -> {
                total.cancel();
                window.cancel();
                request.pause();
                letGo();
              });
      request.resume();
    }

    /** The request lives until it is answered; the body has gone where it is needed. */
    private void letGo() {
      request.exceptionHandler(null);
      request.handler(null);
      request.endHandler(null);
    }

    private void take(Buffer part) {
      if (whole.future().isComplete()) {
        return;
      }
      if (body.length() + (long) part.length() > max) {
        whole.tryComplete(new Checked.Refused<>(tooLarge(max)));
        return;
      }
      body.appendBuffer(part);
    }

    private void checkRate() {
      if (body.length() - atWindowStart < limits.uploadWindowBytes()) {
        tooSlow();
        return;
      }
      atWindowStart = body.length();
      window = time.after(limits.uploadWindow(), this::checkRate);
    }

    private void tooSlow() {
      Duration longest = limits.uploadTotal();
      whole.tryComplete(
          Checked.refused(
              Problem.Type.REQUEST_TIMEOUT,
              "The body did not arrive in time: it may take "
                  + longest.toMillis()
                  + " ms, and must not stall. Nothing was executed."));
    }
  }
}
