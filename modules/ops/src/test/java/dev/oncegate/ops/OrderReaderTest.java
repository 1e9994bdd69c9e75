package dev.oncegate.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oncegate.core.HeaderField;
import dev.oncegate.core.StoredResponse;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrderReaderTest {
  @Test
  void answerAsItWasSeen_keepsWhatTheGatewayWouldHaveStored() {
    JsonArray headers = new JsonArray();
    for (String line :
        new String[] {
          "Content-Type: application/json",
          "Set-Cookie: s=1",
          "Date: x",
          "Connection: close, X-Hop",
          "X-Hop: 1",
          "Transfer-Encoding: chunked",
          "content-length: 3",
          "Idempotency-Status: executed",
          "Link: </a>",
          "Link: </b>"
        }) {
      String[] parts = line.split(": ", 2);
      headers.add(new JsonObject().put("name", parts[0]).put("value", parts[1]));
    }
    StoredResponse given =
        given(new JsonObject().put("status", 201).put("headers", headers).put("body", "né"));
    assertThat(given.headers())
        .containsExactly(
            new HeaderField("Content-Type", "application/json"),
            new HeaderField("Link", "</a>"),
            new HeaderField("Link", "</b>"));
    assertThat(given.body().orElseThrow().array()).isEqualTo("né".getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void headersAsAnObject_andABodyInBase64_areTaken() {
    byte[] bytes = {0, -1, 7};
    StoredResponse given =
        given(
            new JsonObject()
                .put("status", 200)
                .put("headers", new JsonObject().put("Content-Encoding", "gzip"))
                .put("bodyBase64", Base64.getEncoder().encodeToString(bytes)));
    assertThat(given.headers()).containsExactly(new HeaderField("Content-Encoding", "gzip"));
    assertThat(given.body().orElseThrow().array()).isEqualTo(bytes);
  }

  @Test
  void answerWithoutABody_isAnEmptyOne() {
    assertThat(given(new JsonObject().put("status", 204)).body().orElseThrow().length()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'status':199}",
        "{'status':'200'}",
        "{'status':200.5}",
        "{'status':200,'body':1}",
        "{'status':200,'body':'a','bodyBase64':'YQ=='}",
        "{'status':200,'bodyBase64':'%'}",
        "{'status':204,'body':'a'}",
        "{'status':304,'body':'a'}",
        "{'status':200,'headers':'a'}",
        "{'status':200,'headers':[1]}",
        "{'status':200,'headers':[{'name':'A'}]}",
        "{'status':200,'headers':[{'name':'A','value':'b','more':1}]}",
        "{'status':200,'headers':{'A':1}}",
        "{'status':200,'headers':{'A b':'c'}}",
        "{'status':200,'headers':{'':'c'}}",
        "{'status':200,'headers':{'A':'b\\r\\nSet-Cookie: x'}}",
        "{'status':200,'headers':{'A':'\\u0100'}}",
        "{'status':200,'headers':{'Content-Encoding':'gzip'},'body':'plain'}"
      })
  void answerThatCannotBeStored_isRefused(String response) {
    JsonObject json = new JsonObject(response.replace('\'', '"'));
    assertThatExceptionOfType(OpsProblem.Refused.class)
        .isThrownBy(() -> given(json))
        .withMessageContaining("response");
  }

  @Test
  void reasonOf500Characters_isTaken_andOneMoreIsNot() {
    String longest = "\uD83D\uDE80".repeat(OrderReader.LONGEST_REASON);
    assertThat(OrderReader.one(order(longest)).reason()).isEqualTo(longest);
    assertThatExceptionOfType(OpsProblem.Refused.class)
        .isThrownBy(() -> OrderReader.one(order(longest + "x")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\nb", "a\u2028b", "a\u0085b", "a\u202Eb", "a\u0000", "\uD800"})
  void reasonThatHidesSomething_isRefused(String reason) {
    assertThatExceptionOfType(OpsProblem.Refused.class)
        .isThrownBy(() -> OrderReader.one(order(reason + ".")))
        .withMessageContaining("'reason'");
  }

  private static Buffer order(String reason) {
    return new JsonObject().put("verdict", "applied").put("reason", reason).toBuffer();
  }

  private static StoredResponse given(JsonObject response) {
    return OrderReader.one(
            new JsonObject()
                .put("verdict", "applied")
                .put("reason", "r")
                .put("response", response)
                .toBuffer())
        .response()
        .orElseThrow();
  }
}
