package dev.oncegate.app.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;

/** What the answers of the contract look like from outside. */
final class Answers {
  private Answers() {}

  static void assertExecuted(HttpResponse<String> answer, int status) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(status(answer)).isEqualTo("executed");
    assertThat(header(answer, "Idempotency-Expires")).isNotEmpty();
    assertThat(answer.headers().firstValue("Idempotency-Replayed")).isEmpty();
  }

  /** The bytes and the deadline of the winner. */
  static void assertReplayOf(HttpResponse<String> winner, HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(winner.statusCode());
    assertThat(status(answer)).isEqualTo("replayed");
    assertThat(header(answer, "Idempotency-Replayed")).isEqualTo("true");
    assertThat(answer.body()).isEqualTo(winner.body());
    assertThat(header(answer, "Idempotency-Expires"))
        .isEqualTo(header(winner, "Idempotency-Expires"));
  }

  static void assertProblem(HttpResponse<String> answer, int status, String slug, String outcome) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(header(answer, "Content-Type")).isEqualTo("application/problem+json");
    JsonObject problem = new JsonObject(answer.body());
    assertThat(problem.getString("type")).isEqualTo("urn:oncegate:problem:" + slug);
    assertThat(problem.getString("idempotency_status")).isEqualTo(outcome);
    assertThat(status(answer)).isEqualTo(outcome);
    assertThat(answer.headers().firstValue("Idempotency-Replayed")).isEmpty();
    assertThat(answer.headers().allValues("Link"))
        .anyMatch(link -> link.contains("rel=\"describedby\""));
  }

  static void assertInFlight(HttpResponse<String> answer, long leaseSeconds) {
    assertProblem(answer, 409, "in-flight", "in-flight");
    assertThat(Long.parseLong(header(answer, "Retry-After"))).isBetween(1L, leaseSeconds);
  }

  static boolean isInFlight(HttpResponse<String> answer) {
    return status(answer).equals("in-flight");
  }

  static String status(HttpResponse<String> answer) {
    return header(answer, "Idempotency-Status");
  }

  static String header(HttpResponse<String> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }
}
