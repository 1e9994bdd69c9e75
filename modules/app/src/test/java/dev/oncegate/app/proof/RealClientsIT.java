package dev.oncegate.app.proof;

import static dev.oncegate.app.proof.Answers.assertReplayOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.stripe.StripeClient;
import com.stripe.model.Charge;
import com.stripe.param.ChargeCreateParams;
import dev.oncegate.app.demo.LedgerUpstream;
import dev.oncegate.testkit.SocketCutter;
import dev.oncegate.testkit.TestPostgres;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Clients that others wrote, behind a relay that swallows the first answer: they cannot know that
 * the first try had its effect.
 */
class RealClientsIT extends ProofBase {
  private static final String JSON = "{\"amount\":500,\"currency\":\"EUR\"}";

  /** Seconds after which they send again: longer than an exchange takes on a busy machine. */
  private static final int CLIENT_WAITS = 5;

  private Node node;
  private SocketCutter relay;
  private long effectsBefore;

  @BeforeAll
  void start() throws Exception {
    // Else the JDK itself sends a POST again, under the SDK and without its key's protection.
    assertThat(System.getProperty("sun.net.http.retryPost")).isEqualTo("false");
    int ledger = LedgerUpstream.deploy(vertx, "127.0.0.1", 0).await().actualPort();
    writeTenants(ledger, LEASE, "15s");
    node = open(Node.on(TestPostgres.shared().freshDatabase(RealClientsIT.class), directory));
  }

  @BeforeEach
  void swallowTheFirstAnswer() throws Exception {
    relay = SocketCutter.before("127.0.0.1", node.port());
    relay.mute(1);
    effectsBefore = effects();
  }

  @AfterEach
  void closeRelay() {
    relay.close();
  }

  @Test
  void stripeSdk_retriesWithItsOwnKey_andGetsTheStoredCharge() throws Exception {
    StripeClient stripe =
        StripeClient.builder()
            .setApiKey("sk_test_oncegate")
            .setApiBase(address() + "/billing")
            .setMaxNetworkRetries(2)
            .setReadTimeout(CLIENT_WAITS * 1000)
            .build();
    Charge charge =
        stripe
            .v1()
            .charges()
            .create(
                ChargeCreateParams.builder()
                    .setAmount(2000L)
                    .setCurrency("usd")
                    .setSource("tok_visa")
                    .build());
    assertThat(charge.getAmount()).isEqualTo(2000);
    assertThat(charge.getStatus()).isEqualTo("succeeded");
    assertThat(charge.getLastResponse().headers().firstValue("Idempotency-Status"))
        .hasValue("replayed");
    JsonObject booked = lastEffect();
    assertThat(charge.getId()).isEqualTo(booked.getString("id"));
    assertTwoAttemptsAndOneEffect("stripe-charge");
  }

  @Test
  void jdkHttpClient_sendsTheSameKeyAgain_andGetsTheStoredAnswer() throws Exception {
    HttpRequest.Builder request =
        Node.request(address(), "/billing/charges", "jdk-1", JSON)
            .timeout(Duration.ofSeconds(CLIENT_WAITS));
    assertThatThrownBy(() -> Node.send(request)).isInstanceOf(HttpTimeoutException.class);
    HttpResponse<String> again = Node.send(request.timeout(Duration.ofSeconds(60)));
    assertReplayOf(again, again);
    assertThat(new JsonObject(again.body()).getString("id"))
        .isEqualTo(lastEffect().getString("id"));
    assertTwoAttemptsAndOneEffect("create-charge");
  }

  @Test
  void curl_retriesByItself_andGetsTheStoredAnswer() throws Exception {
    assumeTrue(
        new ProcessBuilder("sh", "-c", "command -v curl").start().waitFor() == 0,
        "curl is not installed; .ci/run installs it");
    Process curl =
        new ProcessBuilder(
                "curl",
                "--silent",
                "--include",
                "--max-time",
                String.valueOf(CLIENT_WAITS),
                "--retry",
                "3",
                "--retry-delay",
                "1",
                "--header",
                "Idempotency-Key: curl-1",
                "--header",
                "Content-Type: application/json",
                "--data",
                JSON,
                address() + "/billing/charges")
            .redirectErrorStream(true)
            .start();
    String said = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(curl.waitFor()).as(said).isZero();
    assertThat(said)
        .contains("201 Created", "Idempotency-Status: replayed", "Idempotency-Replayed: true")
        .contains(lastEffect().getString("id"));
    assertTwoAttemptsAndOneEffect("create-charge");
  }

  /** On the connection whose answer was swallowed and on one more. */
  private void assertTwoAttemptsAndOneEffect(String route) throws Exception {
    assertThat(relay.connections()).isEqualTo(2);
    assertThat(effects()).isEqualTo(effectsBefore + 1);
    assertThat(node.counted("billing", route, "executed"))
        .isEqualTo(node.counted("billing", route, "replayed"));
  }

  private URI address() {
    return URI.create("http://127.0.0.1:" + relay.port());
  }

  private long effects() throws Exception {
    return ledger().getLong("count");
  }

  private JsonObject lastEffect() throws Exception {
    JsonObject ledger = ledger();
    return ledger.getJsonArray("effects").getJsonObject(ledger.getJsonArray("effects").size() - 1);
  }

  private JsonObject ledger() throws Exception {
    return new JsonObject(node.get("/billing/ledger").body());
  }
}
