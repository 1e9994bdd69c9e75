package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.testkit.ScriptedUpstream;
import io.vertx.core.Vertx;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A keyed request end to end: executed once, replayed, refused for another payload. */
class FirstExecutionIT {
  private static final Vertx VERTX = Vertx.vertx();
  private ScriptedUpstream upstream;
  private Gateway gateway;

  @BeforeEach
  void start() throws Exception {
    upstream = ScriptedUpstream.start(VERTX).answer(201, "{\"id\":\"c1\"}");
    gateway = Gateway.before(VERTX, upstream.port());
  }

  @AfterEach
  void stop() throws Exception {
    gateway.close();
    upstream.close();
  }

  @AfterAll
  static void stopVertx() throws Exception {
    Gateway.await(VERTX.close());
  }

  @Test
  void firstRequest_isExecutedAndLaterOnesAreReplayed() throws Exception {
    HttpResponse<String> first = gateway.charge("k1", "{\"amount\":5}");
    HttpResponse<String> again = gateway.charge("k1", "{\"amount\":5}");

    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(first.body()).isEqualTo("{\"id\":\"c1\"}");
    assertThat(first.headers().firstValue("Idempotency-Status")).hasValue("executed");
    assertThat(first.headers().firstValue("Idempotency-Replayed")).isEmpty();
    assertThat(first.headers().firstValue("Idempotency-Expires"))
        .hasValueSatisfying(date -> assertThat(date).matches("\\w{3}, \\d\\d .* GMT"));
    assertThat(again.statusCode()).isEqualTo(201);
    assertThat(again.body()).isEqualTo("{\"id\":\"c1\"}");
    assertThat(again.headers().firstValue("Idempotency-Status")).hasValue("replayed");
    assertThat(again.headers().firstValue("Idempotency-Replayed")).hasValue("true");
    assertThat(upstream.ledger()).hasSize(1);
    assertThat(gateway.answered)
        .containsExactly("t1/create-charge/executed", "t1/create-charge/replayed");
    assertThat(gateway.broken).isEmpty();
  }

  @Test
  void otherPayload_isMismatch() throws Exception {
    gateway.charge("k1", "{\"amount\":5}");
    HttpResponse<String> other = gateway.charge("k1", "{\"amount\":6}");

    assertThat(other.statusCode()).isEqualTo(422);
    assertThat(other.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(other.headers().firstValue("Idempotency-Status")).hasValue("mismatch");
    assertThat(other.headers().firstValue("Link"))
        .hasValue("</.well-known/idempotency>; rel=\"describedby\"");
    assertThat(other.body())
        .contains("\"type\":\"urn:oncegate:problem:key-reused\"")
        .contains("\"status\":422")
        .contains("\"idempotency_status\":\"mismatch\"")
        .contains("\"retry_same_key\":false")
        .contains("\"new_key_safe\":false")
        .contains("\"retry_deadline\":\"");
    assertThat(upstream.ledger()).hasSize(1);
  }
}
