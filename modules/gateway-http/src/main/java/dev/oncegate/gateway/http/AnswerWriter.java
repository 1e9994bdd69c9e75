package dev.oncegate.gateway.http;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.Bytes;
import dev.oncegate.core.HeaderField;
import dev.oncegate.engine.Answer;
import dev.oncegate.engine.IdempotencyStatus;
import dev.oncegate.engine.Problem;
import dev.oncegate.engine.UpstreamAnswer;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives an answer to the client, if it is still there, and counts it. */
final class AnswerWriter {
  private static final String EXPOSED =
      "Idempotency-Status, Idempotency-Expires, Idempotency-Replayed, Idempotency-Reconstructed";

  private final GatewayParts parts;
  private final OffLoop offLoop;
  private final ClientSide clients;

  AnswerWriter(GatewayParts parts) {
    this.parts = parts;
    this.offLoop = new OffLoop(parts);
    this.clients = new ClientSide(parts.time(), parts.limits());
  }

  void write(Visit visit, Answer answer) {
    if (answer instanceof Answer.Executed executed) {
      whole(visit, Head.of(executed.answer(), executed.status(), executed.deadline()));
    } else if (answer instanceof Answer.Replayed replayed) {
      whole(visit, Head.of(replayed));
    } else if (answer instanceof Answer.PassedThrough passed) {
      whole(visit, Head.of(passed.answer(), passed.status(), passed.deadline()));
    } else if (answer instanceof Answer.Streamed streamed) {
      stream(visit, streamed);
    } else if (answer instanceof Answer.Refusal refusal) {
      refuse(visit, refusal.problem());
    } else {
      throw new BrokenInvariant("no such answer: " + answer.getClass());
    }
  }

  void refuse(Visit visit, Problem problem) {
    if (endsTheUpload(problem) && !visit.request().isEnded()) {
      closeAfter(visit.request());
    }
    List<HeaderField> headers = ProblemDetails.headers(problem, visit.prefix(), visit.route());
    Bytes body = Bytes.wrap(ProblemDetails.body(problem).getBytes());
    Instant deadline = problem.retryDeadline().orElse(null);
    whole(visit, new Head(problem.code(), headers, body, problem.status(), deadline, Mark.NONE));
  }

  /** Refuses, and closes the connection: nothing that follows on it could be trusted. */
  void refuseAndClose(Visit visit, Problem problem) {
    closeAfter(visit.request());
    refuse(visit, problem);
  }

  private static boolean endsTheUpload(Problem problem) {
    return problem.type() == Problem.Type.REQUEST_TIMEOUT
        || problem.type() == Problem.Type.BODY_TOO_LARGE;
  }

  private static void closeAfter(HttpServerRequest request) {
    if (request.version() != HttpVersion.HTTP_2) {
      request.response().headers().set("Connection", "close");
    }
  }

  /** Counts a request whose client left before it could be answered. */
  void nobody(Visit visit) {
    count(visit, IdempotencyStatus.REFUSED);
  }

  void count(Visit visit, IdempotencyStatus status) {
    if (visit.countNow()) {
      parts.events().answered(visit.tenant(), visit.route(), status);
    }
  }

  /** What a stored answer is marked with. */
  private enum Mark {
    NONE,
    REPLAYED,
    RECONSTRUCTED
  }

  private record Head(
      int code,
      List<HeaderField> headers,
      Bytes body,
      IdempotencyStatus status,
      @Nullable Instant deadline,
      Mark mark) {

    Head with(AnswerCoding.Coded other) {
      return new Head(code, other.headers(), other.body(), status, deadline, mark);
    }

    static Head of(UpstreamAnswer answer, IdempotencyStatus status, @Nullable Instant deadline) {
      return new Head(
          answer.status(), answer.headers(), answer.body(), status, deadline, Mark.NONE);
    }

    static Head of(Answer.Replayed replayed) {
      Bytes body =
          replayed
              .response()
              .body()
              .orElseThrow(() -> new BrokenInvariant("a replay has its body"));
      return new Head(
          replayed.response().status(),
          replayed.response().headers(),
          body,
          replayed.status(),
          replayed.deadline(),
          replayed.reconstructed() ? Mark.RECONSTRUCTED : Mark.REPLAYED);
    }
  }

  private void whole(Visit visit, Head head) {
    AnswerCoding.Coded coded = new AnswerCoding.Coded(head.headers(), head.body());
    List<String> accepted = visit.request().headers().getAll(HttpHeaders.ACCEPT_ENCODING);
    if (!AnswerCoding.isUnwanted(accepted, head.code(), coded)) {
      send(visit, head);
      return;
    }
    offLoop
        .run(coded.mostDecoded(), () -> AnswerCoding.decoded(coded))
        .otherwise(coded)
        .onSuccess(plain -> send(visit, head.with(plain)));
  }

  private void send(Visit visit, Head head) {
    count(visit, head.status());
    HttpServerRequest request = visit.request();
    HttpServerResponse response = request.response();
    if (response.closed() || response.ended()) {
      return;
    }
    boolean close = begin(request, head.code(), head.headers(), true);
    mark(response.headers(), head.status(), head.deadline());
    visit.preference().ifPresent(applied -> response.headers().add(Preference.APPLIED, applied));
    if (head.mark() != Mark.NONE) {
      response.headers().add("Idempotency-Replayed", "true");
    }
    if (head.mark() == Mark.RECONSTRUCTED) {
      response.headers().add("Idempotency-Reconstructed", "true");
    }
    boolean bodiless = isBodiless(head.code()) || request.method().name().equals("HEAD");
    if (!isBodiless(head.code())) {
      response.headers().set("Content-Length", String.valueOf(head.body().length()));
    }
    Future<Void> written = bodiless ? response.end() : PacedBody.end(response, head.body().array());
    // A client that has gone gets nothing; the record is as it is.
    written.onComplete(done -> clients.settle(request, close));
  }

  private void stream(Visit visit, Answer.Streamed streamed) {
    count(visit, streamed.status());
    HttpServerRequest request = visit.request();
    HttpServerResponse response = request.response();
    if (response.closed() || response.ended()) {
      streamed.body().discard();
      return;
    }
    boolean close = begin(request, streamed.code(), streamed.headers(), false);
    mark(response.headers(), streamed.status(), streamed.deadline());
    response.setChunked(true);
    response.closeHandler(
        gone -> {
          if (!response.ended()) {
            streamed.body().discard();
          }
        });
    streamed.body().stream()
        .pipe()
        .endOnFailure(false)
        .to(response)
        .onSuccess(done -> clients.settle(request, close))
        // A short body must not look like a whole one.
        .onFailure(cut -> response.reset());
  }

  /**
   * Writes status and headers, in order, with exactly one Date.
   *
   * @param delimited whether the end of the answer can be told without its connection's: by its
   *     status or a length. HTTP/1.0 knows no chunks, so such a client waits for the close
   * @return whether the connection closes after this answer
   */
  boolean begin(HttpServerRequest request, int code, List<HeaderField> headers, boolean delimited) {
    HttpServerResponse response = request.response();
    boolean http2 = request.version() == HttpVersion.HTTP_2;
    boolean close =
        !http2
            && (response.headers().contains("Connection")
                || (request.version() == HttpVersion.HTTP_1_0 && !delimited)
                || parts.draining().getAsBoolean()
                || clients.mustClose(request));
    response.setStatusCode(code);
    boolean dated = false;
    for (HeaderField header : headers) {
      if (header.is("Date") && dated) {
        continue;
      }
      dated |= header.is("Date");
      response.headers().add(header.name(), header.value());
    }
    if (!dated) {
      response.headers().add("Date", HttpDates.format(parts.clock().instant()));
    }
    if (close) {
      response.headers().set("Connection", "close");
    }
    return close;
  }

  /** Adds Oncegate's own headers, and makes them readable across origins where the answer is. */
  static void mark(MultiMap headers, IdempotencyStatus status, @Nullable Instant deadline) {
    headers.add("Idempotency-Status", status.header());
    if (deadline != null) {
      headers.add("Idempotency-Expires", HttpDates.format(deadline));
    }
    if (headers.contains("Access-Control-Allow-Origin")) {
      // A line of its own: the stored ones stay as they were, and lists join over lines.
      headers.add("Access-Control-Expose-Headers", EXPOSED);
    }
  }

  ClientSide clientSide() {
    return clients;
  }

  private static boolean isBodiless(int code) {
    return code == 204 || code == 304;
  }
}
