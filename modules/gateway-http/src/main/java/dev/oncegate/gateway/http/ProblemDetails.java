package dev.oncegate.gateway.http;

import dev.oncegate.core.HeaderField;
import dev.oncegate.engine.Problem;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** A problem as an HTTP answer (RFC 9457, contract §4): the one place where that is written. */
final class ProblemDetails {
  private ProblemDetails() {}

  static Buffer body(Problem problem) {
    JsonObject json =
        new JsonObject()
            .put("type", problem.type().urn())
            .put("title", problem.type().title())
            .put("status", problem.code())
            .put("detail", problem.detail())
            .put("idempotency_status", problem.status().header())
            .put("retry_same_key", problem.retrySameKey())
            .put("new_key_safe", problem.newKeySafe());
    problem
        .retryDeadline()
        .ifPresent(at -> json.put("retry_deadline", at.truncatedTo(ChronoUnit.SECONDS).toString()));
    problem
        .original()
        .ifPresent(
            original -> {
              json.put("original_status", original.status());
              original.location().ifPresent(location -> json.put("location", location));
            });
    return json.toBuffer();
  }

  /**
   * Content-Type, Retry-After and links.
   *
   * @param prefix path prefix of the tenant's address; may be empty
   * @param route id of the route; a look-up names it
   */
  static List<HeaderField> headers(Problem problem, String prefix, String route) {
    List<HeaderField> headers = new ArrayList<>();
    headers.add(new HeaderField("Content-Type", "application/problem+json"));
    String wellKnown = prefix + "/.well-known/idempotency";
    headers.add(new HeaderField("Link", "<" + wellKnown + ">; rel=\"describedby\""));
    if (pointsToLookUp(problem.type())) {
      headers.add(
          new HeaderField(
              "Link", "<" + wellKnown + "/operations?route=" + route + ">; rel=\"related\""));
    }
    problem
        .retryAfter()
        .ifPresent(wait -> headers.add(new HeaderField("Retry-After", seconds(wait))));
    if (problem.type() == Problem.Type.CREDENTIALS_INVALID) {
      // RFC 9110 §15.5.2 asks a 401 for a challenge; there is no registered scheme for API keys.
      headers.add(new HeaderField("WWW-Authenticate", "ApiKey"));
    }
    return headers;
  }

  private static boolean pointsToLookUp(Problem.Type type) {
    return switch (type) {
      case OUTCOME_UNKNOWN,
          RETRY_DEADLINE_PASSED,
          RESPONSE_NOT_KEPT,
          CREDENTIAL_CHANGED,
          OPERATION_EXISTS ->
          true;
      default -> false;
    };
  }

  /** Rounded up: a client that comes back a moment too early is told to wait again. */
  private static String seconds(Duration wait) {
    return String.valueOf(wait.plusMillis(999).toSeconds());
  }
}
