package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.Outcome;
import dev.oncegate.core.OutcomePolicy;
import dev.oncegate.testkit.ScriptedUpstream;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an answered status means. */
class OutcomeIT extends GatewayTestBase {
  private ScriptedUpstream upstream;
  private Gateway gateway;

  @BeforeEach
  void start() throws Exception {
    upstream = open(ScriptedUpstream.start(vertx));
    gateway = open(Gateway.before(vertx, upstream.port()));
  }

  @Test
  void c22_upstreamError_passesThroughAndReleases() throws Exception {
    upstream.script(
        (request, received) ->
            request
                .response()
                .setStatusCode(500)
                .putHeader("Content-Type", "application/json")
                .putHeader("X-Err", "7")
                .end("{\"code\":\"E1\"}"));
    HttpResponse<String> failed = gateway.charge("K", "{}");
    assertReleased(failed, 500);
    assertThat(failed.body()).isEqualTo("{\"code\":\"E1\"}");
    assertThat(failed.headers().firstValue("X-Err")).hasValue("7");
    assertThat(failed.headers().firstValue("Content-Type")).hasValue("application/json");
    assertThat(gateway.records.size()).isZero();

    upstream.answer(201, "ok");
    assertExecuted(gateway.charge("K", "{}"), 201);
    assertReplayed(gateway.charge("K", "{}"), 201);
    assertThat(upstream.ledger()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 407, 408, 423, 425, 429})
  void c25_transientRefusal_isNotFrozen(int status) throws Exception {
    upstream.script(
        (request, received) ->
            request.response().setStatusCode(status).putHeader("Retry-After", "1").end());
    HttpResponse<String> refused = gateway.charge("K", "{}");
    assertReleased(refused, status);
    assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
    upstream.answer(201, "ok");
    assertExecuted(gateway.charge("K", "{}"), 201);
    assertThat(upstream.ledger()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {502, 504})
  void c25_gatewaysSilence_isUnknown(int status) throws Exception {
    upstream.answer(status, "some gateway");
    HttpResponse<String> passed = gateway.charge("K", "{}");
    assertAnswer(passed, status, "unknown");
    assertThat(passed.body()).isEqualTo("some gateway");
    HttpResponse<String> again = gateway.charge("K", "{}");
    assertProblem(again, 409, "outcome-unknown", "unknown");
    assertThat(again.headers().firstValue("Retry-After")).isPresent();
    assertThat(again.headers().allValues("Link"))
        .contains("</.well-known/idempotency/operations?route=create-charge>; rel=\"related\"");
    assertThat(upstream.ledger()).hasSize(1);
  }

  @Test
  void c25_routeThatMakes429Terminal_storesIt() throws Exception {
    Map<Integer, Outcome> exact = new HashMap<>(OutcomePolicy.BUILT_IN.exact());
    exact.put(429, Outcome.TERMINAL);
    OutcomePolicy outcome = new OutcomePolicy(exact, OutcomePolicy.BUILT_IN.byClass());
    Gateway other =
        open(
            Gateway.before(
                vertx,
                upstream.port(),
                Policies.keyed("create-charge", "/charges", Policies.outcome(outcome))));
    upstream.answer(429, "no");
    assertExecuted(other.charge("K", "{}"), 429);
    assertReplayed(other.charge("K", "{}"), 429);
    assertThat(upstream.ledger()).hasSize(1);
  }

  @Test
  void c26_storedRefusal_belongsToItsPayload() throws Exception {
    upstream.script(
        (request, received) ->
            request
                .response()
                .setStatusCode(received.body().toString().contains("0000") ? 400 : 200)
                .end());
    assertExecuted(gateway.charge("K", "{\"code\":\"0000\"}"), 400);
    assertReplayed(gateway.charge("K", "{\"code\":\"0000\"}"), 400);
    HttpResponse<String> corrected = gateway.charge("K", "{\"code\":\"1234\"}");
    assertProblem(corrected, 422, "key-reused", "mismatch");
    assertThat(corrected.body()).contains("a new key for a new operation");
    assertExecuted(gateway.charge("K2", "{\"code\":\"1234\"}"), 200);
    assertThat(upstream.ledger()).hasSize(2);
  }

  @Test
  void redirect_isAnAnswer() throws Exception {
    upstream.script(
        (request, received) ->
            request
                .response()
                .setStatusCode(303)
                .putHeader("Location", "http://127.0.0.1:" + upstream.port() + "/other")
                .end());
    assertExecuted(gateway.charge("K", "{}"), 303);
    assertReplayed(gateway.charge("K", "{}"), 303);
    assertThat(upstream.ledger()).hasSize(1);
  }
}
