package dev.oncegate.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.stripe.StripeClient;
import com.stripe.model.Charge;
import com.stripe.param.ChargeCreateParams;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerUpstreamIT {
  private static final String ORDER = "{\"amount\":500,\"currency\":\"EUR\"}";

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private Vertx vertx;
  private String base;

  @BeforeEach
  void listen() {
    vertx = Vertx.vertx();
    base = "http://127.0.0.1:" + LedgerUpstream.deploy(vertx, "127.0.0.1", 0).await().actualPort();
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  @Test
  void twoEqualCharges_areTwoEffects() throws Exception {
    HttpResponse<String> first = post("/charges", ORDER, "none");
    HttpResponse<String> second = post("/charges", ORDER, "none");
    assertThat(first.statusCode()).isEqualTo(201);
    JsonObject charge = new JsonObject(first.body());
    assertThat(charge.getInteger("amount")).isEqualTo(500);
    assertThat(charge.getString("currency")).isEqualTo("EUR");
    assertThat(new JsonObject(second.body()).getString("id")).isNotEqualTo(charge.getString("id"));
    assertThat(effects()).isEqualTo(2);
    HttpResponse<String> looked = get(first.headers().firstValue("Location").orElseThrow());
    assertThat(looked.body()).isEqualTo(first.body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "[]",
        "{}",
        "{\"amount\":0,\"currency\":\"EUR\"}",
        "{\"amount\":5}",
        "{\"amount\":\"5\",\"currency\":\"EUR\"}",
        "{\"amount\":1.5,\"currency\":\"EUR\"}"
      })
  void orderThatCannotBeBooked_is400WithoutEffect(String body) throws Exception {
    assertThat(post("/charges", body, "none").statusCode()).isEqualTo(400);
    assertThat(effects()).isZero();
  }

  @Test
  void troubleWithoutEffect_isAnsweredAsAsked() throws Exception {
    assertThat(post("/charges", ORDER, "decline").statusCode()).isEqualTo(402);
    assertThat(post("/refunds", ORDER, "error").statusCode()).isEqualTo(500);
    assertThat(effects()).isZero();
  }

  @Test
  void lostAnswer_hasItsEffect() throws Exception {
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> post("/charges", ORDER, "lose"));
    assertThat(effects()).isEqualTo(1);
  }

  @Test
  void stripesSdk_readsTheCharge() throws Exception {
    StripeClient stripe = StripeClient.builder().setApiKey("sk_test_demo").setApiBase(base).build();
    Charge charge =
        stripe
            .charges()
            .create(
                ChargeCreateParams.builder()
                    .setAmount(1999L)
                    .setCurrency("usd")
                    .setSource("tok_visa")
                    .build());
    assertThat(charge.getId()).startsWith("ch_");
    assertThat(charge.getAmount()).isEqualTo(1999);
    assertThat(charge.getPaid()).isTrue();
    assertThat(effects()).isEqualTo(1);
  }

  @Test
  void unknownPath_is404() throws Exception {
    assertThat(post("/nothing", ORDER, "none").statusCode()).isEqualTo(404);
    assertThat(get("/charges/ch_none").statusCode()).isEqualTo(404);
  }

  private int effects() throws Exception {
    return new JsonObject(get("/ledger").body()).getInteger("count");
  }

  private HttpResponse<String> post(String path, String body, String trouble) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(base + path))
            .header("Content-Type", "application/json")
            .header("X-Ledger", trouble)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(base + path)).build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
