package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.testkit.RawClient;
import io.vertx.core.Vertx;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** One Vert.x per class; whatever a test opens is closed after it, last first. */
abstract class GatewayTestBase {
  static Vertx vertx;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  @BeforeAll
  static void startVertx() {
    vertx = Vertx.vertx();
    // What is awaited comes, or the test hangs; how soon is no question here.
    Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
  }

  @AfterAll
  static void stopVertx() throws Exception {
    Gateway.await(vertx.close());
  }

  <T extends AutoCloseable> T open(T resource) {
    opened.push(resource);
    return resource;
  }

  @AfterEach
  void closeAll() throws Exception {
    List<Exception> failures = new ArrayList<>();
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        failures.add(e);
      }
    }
    assertThat(failures).isEmpty();
  }

  static void assertExecuted(HttpResponse<?> answer, int status) {
    assertAnswer(answer, status, "executed");
    assertThat(answer.headers().firstValue("Idempotency-Expires")).isPresent();
    assertThat(answer.headers().firstValue("Idempotency-Replayed")).isEmpty();
  }

  static void assertReplayed(HttpResponse<?> answer, int status) {
    assertAnswer(answer, status, "replayed");
    assertThat(answer.headers().firstValue("Idempotency-Expires")).isPresent();
    assertThat(answer.headers().firstValue("Idempotency-Replayed")).hasValue("true");
  }

  static void assertReleased(HttpResponse<?> answer, int status) {
    assertAnswer(answer, status, "released");
    assertThat(answer.headers().firstValue("Idempotency-Replayed")).isEmpty();
  }

  static void assertAnswer(HttpResponse<?> answer, int status, String idempotencyStatus) {
    assertThat(List.of(answer.statusCode(), answer.headers().allValues("Idempotency-Status")))
        .as("%s", answer.body())
        .isEqualTo(List.of(status, List.of(idempotencyStatus)));
  }

  /** A problem with all that every problem has. */
  static void assertProblem(
      HttpResponse<String> answer, int status, String slug, String idempotencyStatus) {
    assertAnswer(answer, status, idempotencyStatus);
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(answer.body())
        .contains("\"type\":\"urn:oncegate:problem:" + slug + "\"")
        .contains("\"status\":" + status)
        .contains("\"idempotency_status\":\"" + idempotencyStatus + "\"");
    assertThat(answer.headers().allValues("Link"))
        .anyMatch(link -> link.contains("/.well-known/idempotency>; rel=\"describedby\""));
    assertThat(answer.headers().firstValue("Idempotency-Replayed")).isEmpty();
  }

  static void assertProblem(
      RawClient.Reply answer, int status, String slug, String idempotencyStatus) {
    assertThat(List.of(answer.status(), answer.header("Idempotency-Status")))
        .as(answer.body())
        .isEqualTo(List.of(status, List.of(idempotencyStatus)));
    assertThat(answer.body()).contains("\"type\":\"urn:oncegate:problem:" + slug + "\"");
    assertThat(answer.header("Link"))
        .anyMatch(link -> link.contains("/.well-known/idempotency>; rel=\"describedby\""));
    assertThat(answer.header("Idempotency-Replayed")).isEmpty();
  }

  /** A keyed request on the wire, with these header lines instead of the usual key. */
  static String post(String headerLines, String body) {
    return "POST /charges HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        + headerLines
        + "Content-Type: application/json\r\nContent-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }
}
