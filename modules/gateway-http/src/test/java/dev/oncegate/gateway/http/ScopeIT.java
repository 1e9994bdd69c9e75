package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.TenantPolicy;
import dev.oncegate.testkit.ScriptedUpstream;
import io.vertx.core.http.HttpServerRequest;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whose key it is: tenant, route and principal; and that all three are settled first. */
class ScopeIT extends GatewayTestBase {
  private static final TenantPolicy.Match KEYED_HOST =
      Policies.withKeys(
          Policies.host("127.0.0.1"), Map.of("u1", List.of("key-1"), "u2", List.of("key-2")));

  private ScriptedUpstream upstream;

  @BeforeEach
  void start() throws Exception {
    upstream = open(ScriptedUpstream.start(vertx));
    upstream.script(
        (request, received) -> {
          String owner = String.join("", received.header("X-Api-Key"));
          request.response().setStatusCode(201).end("{\"owner\":\"" + owner + "\"}");
        });
  }

  @Test
  void c04_fingerprintIsComparedFirst_evenWhileTheWinnerRuns() throws Exception {
    BlockingQueue<HttpServerRequest> held = new LinkedBlockingQueue<>();
    upstream.script(
        (request, received) -> {
          if (received.uri().startsWith("/accounts")) {
            held.add(request);
          } else {
            request.response().setStatusCode(201).end("r");
          }
        });
    Gateway gateway =
        open(
            Gateway.before(
                vertx,
                upstream.port(),
                Policies.keyed("charge", "/accounts/{id}/charges"),
                Policies.keyed("refund", "/refunds")));
    CompletableFuture<HttpResponse<String>> winner =
        gateway.sendAsync(gateway.post("/accounts/1/charges", "K", "{\"a\":1}"));
    HttpServerRequest running = held.poll(60, TimeUnit.SECONDS);

    assertProblem(
        gateway.send(gateway.post("/accounts/1/charges", "K", "{\"a\":2}")),
        422,
        "key-reused",
        "mismatch");
    assertProblem(
        gateway.send(gateway.post("/accounts/2/charges", "K", "{\"a\":1}")),
        422,
        "key-reused",
        "mismatch");
    assertExecuted(gateway.send(gateway.post("/refunds", "K", "{\"a\":1}")), 201);
    HttpResponse<String> duplicate =
        gateway.send(
            HttpRequest.newBuilder(
                    gateway.post("/accounts/1/charges", "K", "{\"a\":1}"), (n, v) -> true)
                .header("Prefer", "wait=0")
                .build());
    assertProblem(duplicate, 409, "in-flight", "in-flight");
    assertThat(duplicate.headers().firstValueAsLong("Retry-After").orElse(0)).isBetween(1L, 45L);

    running.response().setStatusCode(201).end("c");
    assertExecuted(winner.get(60, TimeUnit.SECONDS), 201);
    assertReplayed(gateway.send(gateway.post("/accounts/1/charges", "K", "{\"a\":1}")), 201);
    assertThat(upstream.ledger()).hasSize(2);
  }

  @Test
  void c52_oneKeyOfTwoTenants_isTwoKeys() throws Exception {
    ScriptedUpstream other = open(ScriptedUpstream.start(vertx)).answer(201, "t2");
    upstream.answer(201, "t1");
    Gateway gateway =
        open(Gateway.start(vertx, atPrefix("t1", upstream.port()), atPrefix("t2", other.port())));
    HttpRequest first = gateway.post("/t1/charges", "1", "{\"a\":1}");
    HttpRequest second = gateway.post("/t2/charges", "1", "{\"a\":2}");

    assertThat(gateway.send(first).body()).isEqualTo("t1");
    HttpResponse<String> executed = gateway.send(second);
    assertExecuted(executed, 201);
    assertThat(executed.body()).isEqualTo("t2");
    assertReplayed(gateway.send(first), 201);
    assertThat(gateway.send(second).body()).isEqualTo("t2");
    assertThat(upstream.ledger()).hasSize(1);
    assertThat(other.ledger()).hasSize(1);
    assertThat(other.ledger().get(0).uri()).isEqualTo("/charges");
  }

  @Test
  void c53_twoPrincipalsOfOneTenant_haveTheirOwnKeys() throws Exception {
    Gateway gateway = open(Gateway.start(vertx, byApiKey(TenantPolicy.Principal.API_KEY)));
    assertExecuted(charge(gateway, "key-1"), 201);
    HttpResponse<String> u2 = charge(gateway, "key-2");
    assertExecuted(u2, 201);
    assertThat(u2.body()).contains("key-2");
    HttpResponse<String> again = charge(gateway, "key-1");
    assertReplayed(again, 201);
    assertThat(again.body()).contains("key-1");
    assertThat(upstream.ledger()).hasSize(2);
  }

  @Test
  void c53_sharedPrincipal_hasOneKeySpace() throws Exception {
    Gateway gateway = open(Gateway.start(vertx, byApiKey(TenantPolicy.Principal.SHARED)));
    assertExecuted(charge(gateway, "key-1"), 201);
    assertReplayed(charge(gateway, "key-2"), 201);
    assertThat(upstream.ledger()).hasSize(1);
  }

  @Test
  void c54_unknownOrNoCredential_isRefusedBeforeAnyRecordIsLookedAt() throws Exception {
    Gateway gateway = open(Gateway.start(vertx, byApiKey(TenantPolicy.Principal.API_KEY)));
    assertExecuted(charge(gateway, "key-1"), 201);
    assertProblem(charge(gateway, "revoked"), 401, "credentials-invalid", "refused");
    assertProblem(
        gateway.send(gateway.post("/charges", "order-1", "{}")),
        401,
        "credentials-invalid",
        "refused");
    assertExecuted(charge(gateway, "key-2"), 201);
    // The upstream's own rights are not asked again: a replay is the stored answer.
    upstream.answer(403, "withdrawn");
    assertReplayed(charge(gateway, "key-1"), 201);
    assertThat(upstream.ledger()).hasSize(2);
    assertThat(gateway.answered).contains("t1/none/refused");
  }

  @Test
  void c54_whereOnlyTheCredentialFindsTheTenant_itIsUnknown() throws Exception {
    TenantPolicy tenant =
        tenant(
            Policies.anywhereWithKeys(Map.of("u1", List.of("key-1"))),
            TenantPolicy.Principal.API_KEY);
    Gateway gateway = open(Gateway.start(vertx, tenant));
    assertProblem(charge(gateway, "revoked"), 404, "tenant-unknown", "refused");
    assertExecuted(charge(gateway, "key-1"), 201);
    assertThat(gateway.answered).containsExactly("none/none/refused", "t1/create-charge/executed");
  }

  @Test
  void unknownTenantAndRoute_areSaidSo_andTheLinkHasTheTenantsPrefix() throws Exception {
    Gateway gateway = open(Gateway.start(vertx, atPrefix("t1", upstream.port())));
    assertProblem(
        gateway.send(gateway.post("/nowhere", "K", "{}")), 404, "tenant-unknown", "refused");
    HttpResponse<String> noRoute = gateway.send(gateway.post("/t1/nowhere", "K", "{}"));
    assertProblem(noRoute, 404, "route-unknown", "refused");
    assertThat(noRoute.body()).contains("POST /nowhere");
    assertThat(noRoute.headers().firstValue("Link"))
        .hasValue("</t1/.well-known/idempotency>; rel=\"describedby\"");
    assertThat(upstream.ledger()).isEmpty();
  }

  private HttpResponse<String> charge(Gateway gateway, String apiKey) throws Exception {
    return gateway.send(
        gateway
            .request("/charges")
            .header("X-Api-Key", apiKey)
            .header("Idempotency-Key", "order-1")
            .POST(HttpRequest.BodyPublishers.ofString("{}"))
            .build());
  }

  private TenantPolicy byApiKey(TenantPolicy.Principal principal) {
    return tenant(KEYED_HOST, principal);
  }

  private TenantPolicy tenant(TenantPolicy.Match match, TenantPolicy.Principal principal) {
    return new TenantPolicy(
        "t1",
        List.of(match),
        principal,
        Policies.upstream(upstream.port(), Policies.TIMEOUTS),
        TenantPolicy.Unmatched.SAFE,
        List.of(Policies.keyed("create-charge", "/charges")));
  }

  private static TenantPolicy atPrefix(String id, int port) {
    return new TenantPolicy(
        id,
        List.of(Policies.prefix("/" + id)),
        TenantPolicy.Principal.SHARED,
        Policies.upstream(port, Policies.TIMEOUTS),
        TenantPolicy.Unmatched.SAFE,
        List.of(Policies.keyed("create-charge", "/charges")));
  }
}
