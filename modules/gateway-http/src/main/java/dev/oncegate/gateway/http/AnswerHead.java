package dev.oncegate.gateway.http;

import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import java.util.List;

/**
 * What the HTTP library takes for an answer and HTTP does not: a final answer has a status of three
 * digits (RFC 9112 §4), and no other transfer coding than chunked, since we ask for none (RFC 9110
 * §10.1.4): its body would be kept and passed on without the only line that says how to read it.
 */
final class AnswerHead {
  private AnswerHead() {}

  /** Whether this is the head of a final answer whose body can be read. */
  static boolean isReadable(HttpClientResponse answer) {
    return isReadable(answer.statusCode(), answer.headers().getAll(HttpHeaders.TRANSFER_ENCODING));
  }

  static boolean isReadable(int status, List<String> codings) {
    boolean plain =
        codings.isEmpty() || (codings.size() == 1 && codings.get(0).equalsIgnoreCase("chunked"));
    // An interim answer that nobody asked for is none either: what follows it cannot be told.
    return status >= 200 && status <= 999 && plain;
  }
}
