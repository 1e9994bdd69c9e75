package dev.oncegate.app.proof;

import static dev.oncegate.app.proof.Answers.assertExecuted;
import static dev.oncegate.app.proof.Answers.assertProblem;
import static dev.oncegate.app.proof.Answers.assertReplayOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.testkit.TestPostgres;
import io.vertx.core.buffer.Buffer;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What makes two requests the same, from a client's socket to the stored record. */
class FingerprintIT extends ProofBase {
  private static final String JSON = "application/json";

  private TestPostgres.Database database;
  private Node node;

  @BeforeAll
  void start() {
    database = TestPostgres.shared().freshDatabase(FingerprintIT.class);
    node = open(Node.on(database, directory));
  }

  @Test
  void c30_sameJsonInOtherText_isReplayed() throws Exception {
    HttpResponse<String> winner = listed("{\"a\":1,\"b\":[1,2],\"o\":{\"x\":1,\"y\":null}}");
    assertExecuted(winner, 201);
    assertReplayOf(
        winner, listed(" { \"o\": {\"y\":null, \"x\":1},\n\"b\":[1,2], \"\\u0061\":1 }"));
    assertMismatch(listed("{\"a\":1,\"b\":[2,1],\"o\":{\"x\":1,\"y\":null}}"));
    assertMismatch(listed("{\"a\":1,\"b\":[1,2],\"o\":{\"x\":1}}"));
    assertReplayOf(
        winner, listed("{\"a\":1,\"b\":[1,2],\"o\":{\"x\":1,\"y\":null},\"unlisted\":true}"));
    assertThat(effects("c30")).isEqualTo(1);
  }

  private HttpResponse<String> listed(String body) throws Exception {
    return node.post("/shop/listed", "c30", body);
  }

  @Test
  void c31_numbers_compareByExactValue() throws Exception {
    assertSame("c31-one", "1", "1.0", "1.00", "1e0", "10e-1");
    assertMismatch(amount("c31-one", "\"1\""));
    assertSame("c31-zero", "0", "-0", "0.0");
    assertSame("c31-tenth", "0.1");
    assertMismatch(amount("c31-tenth", "0.10000000000000001"));
    assertSame("c31-large", "9007199254740993");
    assertMismatch(amount("c31-large", "9007199254740992"));
  }

  private void assertSame(String key, String... numbers) throws Exception {
    HttpResponse<String> winner = amount(key, numbers[0]);
    assertExecuted(winner, 201);
    for (String number : numbers) {
      assertReplayOf(winner, amount(key, number));
    }
    assertThat(effects(key)).isEqualTo(1);
  }

  private HttpResponse<String> amount(String key, String number) throws Exception {
    return node.post("/shop/charges", key, "{\"amount\":" + number + "}");
  }

  static Stream<byte[]> notQuiteJson() {
    return Stream.of(
        bytes("{\"a\":NaN}"),
        bytes("{\"a\":\"\\uD800\"}"),
        bytes("\uFEFF{\"a\":1}"),
        bytes("{\"a\":1"),
        bytes(""),
        "{\"a\":1}".getBytes(StandardCharsets.UTF_16));
  }

  @ParameterizedTest
  @MethodSource("notQuiteJson")
  void c35_notQuiteJson_isForwardedAsItCameAndReplayed(byte[] body) throws Exception {
    String key = "c35-" + Arrays.hashCode(body);
    String type = body.length > 0 && body[0] == (byte) 0xFE ? JSON + "; charset=utf-16" : JSON;
    upstream.script((request, received) -> request.response().setStatusCode(400).end("no JSON"));
    HttpResponse<String> winner = send("/shop/charges", key, type, body);
    assertExecuted(winner, 400);
    assertReplayOf(winner, send("/shop/charges", key, type, body));
    assertThat(effects(key)).isEqualTo(1);
    assertThat(lastBody()).isEqualTo(Buffer.buffer(body));
  }

  @Test
  void c35_loneSurrogate_isNotItsReplacement() throws Exception {
    assertExecuted(node.post("/shop/charges", "c35", "{\"a\":\"\\uD800\"}"), 201);
    assertMismatch(node.post("/shop/charges", "c35", "{\"a\":\"\\uFFFD\"}"));
  }

  @Test
  void c37_memberOutsideTheProjection_doesNotCount_andIsForwarded() throws Exception {
    String sent = "{\"amount\":5,\"currency\":\"EUR\",\"sent_at\":\"10:00:01\"}";
    HttpResponse<String> winner = node.post("/shop/amount", "c37", sent);
    assertExecuted(winner, 201);
    assertReplayOf(winner, node.post("/shop/amount", "c37", sent.replace("10:00:01", "10:00:09")));
    assertThat(effects("c37")).isEqualTo(1);
    assertThat(lastBody()).hasToString(sent);
  }

  @Test
  void c39_multipart_mustRepeatItsBytes() throws Exception {
    byte[] file = new byte[1 << 20];
    new Random(39).nextBytes(file);
    HttpResponse<String> winner = multipart("AAA", file);
    assertExecuted(winner, 201);
    assertReplayOf(winner, multipart("AAA", file));
    assertMismatch(multipart("BBB", file));
    file[500_000]++;
    assertMismatch(multipart("AAA", file));
    assertThat(effects("c39")).isEqualTo(1);
  }

  private HttpResponse<String> multipart(String boundary, byte[] file) throws Exception {
    Buffer body =
        Buffer.buffer("--" + boundary + "\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\n")
            .appendBytes(file)
            .appendString("\r\n--" + boundary + "--\r\n");
    String type = "multipart/form-data; boundary=" + boundary;
    return send("/shop/charges", "c39", type, body.getBytes());
  }

  @Test
  void c41_queryMethodAndType_count_charsetDoesNot() throws Exception {
    byte[] body = bytes("{\"amount\":1}");
    HttpResponse<String> winner = send("/shop/transfer?to=a", "c41", JSON, body);
    assertExecuted(winner, 201);
    assertMismatch(send("/shop/transfer?to=b", "c41", JSON, body));
    assertMismatch(
        Node.send(
            node.request("/shop/transfer?to=a", "c41", "{\"amount\":1}")
                .PUT(HttpRequest.BodyPublishers.ofByteArray(body))));
    assertProblem(
        Node.send(
            node.request("/shop/charges", "c41", "{}")
                .PUT(HttpRequest.BodyPublishers.ofByteArray(body))),
        404,
        "route-unknown",
        "refused");
    assertMismatch(send("/shop/transfer?to=a", "c41", "text/plain", body));
    assertReplayOf(
        winner, send("/shop/transfer?to=a", "c41", "Application/JSON; charset=UTF-8", body));
    assertThat(effects("c41")).isEqualTo(1);
  }

  /** A second node of the same installation has the new file already. */
  @Test
  void c45_changedIncludeList_leavesLiveRecordsToTheListTheyWereClaimedUnder(@TempDir Path changed)
      throws Exception {
    String first = "{\"amount\":5,\"currency\":\"EUR\"}";
    String otherCurrency = "{\"amount\":5,\"currency\":\"USD\"}";
    HttpResponse<String> winner = node.post("/shop/amount", "c45-old", first);
    assertExecuted(winner, 201);
    String tenants = Files.readString(directory.resolve("tenants.yaml"));
    Files.writeString(
        changed.resolve("tenants.yaml"), tenants.replace("[/amount, /currency]", "[/amount]"));
    try (Node next = Node.on(database, changed)) {
      assertReplayOf(winner, next.post("/shop/amount", "c45-old", first));
      assertMismatch(next.post("/shop/amount", "c45-old", otherCurrency));
      HttpResponse<String> later = next.post("/shop/amount", "c45-new", first);
      assertExecuted(later, 201);
      assertReplayOf(later, next.post("/shop/amount", "c45-new", otherCurrency));
      assertReplayOf(later, node.post("/shop/amount", "c45-new", otherCurrency));
    }
    assertThat(effects("c45-old")).isEqualTo(1);
    assertThat(effects("c45-new")).isEqualTo(1);
  }

  /** Part (b), keyed; conditional routes wait. */
  @Test
  void c68_preconditionIsInTheFingerprint() throws Exception {
    upstream.script(
        (request, received) ->
            request.response().putHeader("ETag", "\"v2\"").setStatusCode(200).end());
    HttpResponse<String> winner = patch("\"v1\"");
    assertExecuted(winner, 200);
    // The upstream would answer 412 now: the retry gets the first answer all the same.
    upstream.script((request, received) -> request.response().setStatusCode(412).end());
    assertReplayOf(winner, patch("\"v1\""));
    assertMismatch(patch("\"v2\""));
    HttpResponse<String> again = patch("\"v1\"");
    assertReplayOf(winner, again);
    assertThat(Answers.header(again, "ETag")).isEqualTo("\"v2\"");
    assertMismatch(patch(""));
    assertThat(effects("c68")).isEqualTo(1);
  }

  private HttpResponse<String> patch(String ifMatch) throws Exception {
    HttpRequest.Builder request =
        node.request("/shop/orders/1", "c68", "{}")
            .method("PATCH", HttpRequest.BodyPublishers.ofString("{\"state\":\"paid\"}"));
    return Node.send(ifMatch.isEmpty() ? request : request.header("If-Match", ifMatch));
  }

  private HttpResponse<String> send(String path, String key, String type, byte[] body)
      throws Exception {
    return Node.send(
        node.request(path, key, "")
            .setHeader("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body)));
  }

  private Buffer lastBody() {
    List<dev.oncegate.testkit.ScriptedUpstream.Received> ledger = upstream.ledger();
    return ledger.get(ledger.size() - 1).body();
  }

  private static void assertMismatch(HttpResponse<String> answer) {
    assertProblem(answer, 422, "key-reused", "mismatch");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
