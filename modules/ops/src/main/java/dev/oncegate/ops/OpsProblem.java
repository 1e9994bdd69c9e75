package dev.oncegate.ops;

import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.util.Map;

/**
 * A problem document of the ops API (RFC 9457), with the same kind of {@code type} as the answers
 * of the gateway.
 *
 * @param slug the last part of its type
 * @param more members of this problem alone
 * @param headers such as Retry-After
 */
record OpsProblem(
    int status,
    String slug,
    String title,
    String detail,
    JsonObject more,
    Map<String, String> headers) {
  private static final String TYPE = "urn:oncegate:problem:";

  static OpsProblem of(int status, String slug, String title, String detail) {
    return new OpsProblem(status, slug, title, detail, new JsonObject(), Map.of());
  }

  /** A request that cannot be meant as it stands. */
  static OpsProblem malformed(String detail) {
    return of(400, "request-malformed", "Request malformed", detail);
  }

  OpsProblem with(String member, Object value) {
    return new OpsProblem(status, slug, title, detail, more.copy().put(member, value), headers);
  }

  OpsProblem withHeader(String name, String value) {
    Map<String, String> all = new java.util.HashMap<>(headers);
    all.put(name, value);
    return new OpsProblem(status, slug, title, detail, more, Map.copyOf(all));
  }

  /** To be thrown where a request is read; the API answers with it. */
  Refused refused() {
    return new Refused(this);
  }

  void send(HttpServerResponse response) {
    if (response.ended() || response.closed()) {
      return;
    }
    headers.forEach(response::putHeader);
    response
        .setStatusCode(status)
        .putHeader("Content-Type", "application/problem+json")
        .putHeader("Cache-Control", "no-store")
        .end(
            new JsonObject()
                    .put("type", TYPE + slug)
                    .put("title", title)
                    .put("status", status)
                    .put("detail", detail)
                    .mergeIn(more)
                    .encode()
                + "\n");
  }

  /** What a request gets instead of an answer; no stack, since nothing is broken. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient OpsProblem problem;

    private Refused(OpsProblem problem) {
      super(problem.detail(), null, false, false);
      this.problem = problem;
    }

    OpsProblem problem() {
      return problem;
    }
  }
}
