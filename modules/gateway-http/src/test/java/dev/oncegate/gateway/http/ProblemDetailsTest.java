package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.HeaderField;
import dev.oncegate.engine.Problem;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProblemDetailsTest {
  @ParameterizedTest
  @EnumSource(Problem.Type.class)
  void everyProblem_hasEveryMemberAndTheDescribedByLink(Problem.Type type) {
    Problem problem = Problem.of(type, "d");
    JsonObject json = new JsonObject(ProblemDetails.body(problem));
    assertThat(json.getString("type")).isEqualTo("urn:oncegate:problem:" + type.slug());
    assertThat(json.getString("title")).isNotBlank();
    assertThat(json.getInteger("status")).isEqualTo(problem.code());
    assertThat(json.getString("detail")).isEqualTo("d");
    assertThat(json.getString("idempotency_status")).isEqualTo(problem.status().header());
    assertThat(json.getBoolean("retry_same_key")).isNotNull();
    assertThat(json.getBoolean("new_key_safe")).isNotNull();
    assertThat(json.containsKey("retry_deadline")).isFalse();
    List<HeaderField> headers = ProblemDetails.headers(problem, "/t/acme", "create-charge");
    assertThat(headers)
        .contains(
            new HeaderField("Link", "</t/acme/.well-known/idempotency>; rel=\"describedby\""));
  }

  @Test
  void deadlineOriginalAndRetryAfter_areGivenWhereKnown() {
    Problem problem =
        Problem.of(Problem.Type.RESPONSE_NOT_KEPT, "d")
            .withDeadline(Instant.parse("2026-12-01T10:00:00.999Z"))
            .withRetryAfter(Duration.ofMillis(1001))
            .withOriginal(new Problem.Original(201, Optional.of("/c/1")));
    JsonObject json = new JsonObject(ProblemDetails.body(problem));
    assertThat(json.getString("retry_deadline")).isEqualTo("2026-12-01T10:00:00Z");
    assertThat(json.getInteger("original_status")).isEqualTo(201);
    assertThat(json.getString("location")).isEqualTo("/c/1");
    assertThat(ProblemDetails.headers(problem, "", "r1"))
        .contains(
            new HeaderField("Retry-After", "2"),
            new HeaderField(
                "Link", "</.well-known/idempotency/operations?route=r1>; rel=\"related\""));
  }

  @Test
  void dates_haveTheFixedFormAndNeverRoundUp() {
    assertThat(HttpDates.format(Instant.parse("2026-12-01T09:05:07.999Z")))
        .isEqualTo("Tue, 01 Dec 2026 09:05:07 GMT");
  }
}
