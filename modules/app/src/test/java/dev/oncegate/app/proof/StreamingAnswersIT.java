package dev.oncegate.app.proof;

import static dev.oncegate.app.proof.Answers.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.oncegate.testkit.RawClient;
import dev.oncegate.testkit.TestPostgres;
import io.vertx.core.http.HttpServerRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Answers that take their time, or never end. */
class StreamingAnswersIT extends ProofBase {
  private static final String BODY = "{\"amount\":500}";

  private Node node;

  @BeforeAll
  void start() {
    node = open(Node.on(TestPostgres.shared().freshDatabase(StreamingAnswersIT.class), directory));
  }

  @Test
  void c67_endlessAnswerOverTheCap_isCommittedAsNotKept_thenStreamed() throws Exception {
    upstream.script((request, received) -> Streams.sendEndless(request.response(), 2L << 20));
    try (RawClient client = new RawClient(node.port())) {
      client.send(post("/shop/charges", "c67-long"));
      assertThat(client.bytes(1 << 20)).contains("Idempotency-Status: executed");
      HttpResponse<String> again = node.post("/shop/charges", "c67-long", BODY);
      assertProblem(again, 409, "response-not-kept", "replayed");
      assertThat(again.body()).contains("\"original_status\":200");
      client.reset();
    }
    await().until(() -> upstream.cut() > 0);
    assertProblem(
        node.post("/shop/charges", "c67-long", BODY), 409, "response-not-kept", "replayed");
    assertThat(effects("c67-long")).isEqualTo(1);
  }

  @Test
  void c67_answerThatNeverReachesTheCap_isInFlightAtTotal_andUnknownOnceAbandoned()
      throws Exception {
    upstream.script((request, received) -> Streams.sendEndless(request.response(), 100));
    assertProblem(
        node.post("/stall/charges", "c67-stall", BODY), 504, "upstream-timeout", "in-flight");
    await().until(() -> !Answers.isInFlight(node.post("/stall/charges", "c67-stall", BODY)));
    assertProblem(
        node.post("/stall/charges", "c67-stall", BODY), 409, "outcome-unknown", "unknown");
    assertThat(effects("c67-stall")).isEqualTo(1);
  }

  /** Each event is read before the next is written: nothing waits for the end. */
  @Test
  void c67_eventsOnAPassthroughRoute_comeOneByOne() throws Exception {
    holdAnswers();
    try (RawClient client = new RawClient(node.port())) {
      client.send("GET /shop/things/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
      HttpServerRequest running = heldRequest();
      running.response().setChunked(true).putHeader("Content-Type", "text/event-stream");
      StringBuilder read = new StringBuilder();
      for (int i = 0; i < 3; i++) {
        String event = "data: " + i + "\n\n";
        vertx.runOnContext(go -> running.response().write(event));
        while (read.indexOf(event) < 0) {
          read.append(client.bytes(1));
        }
      }
      assertThat(read).contains("Idempotency-Status: bypassed");
      vertx.runOnContext(go -> running.response().end());
    }
  }

  private static String post(String path, String key) {
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nIdempotency-Key: "
        + key
        + "\r\nContent-Length: "
        + BODY.length()
        + "\r\n\r\n"
        + BODY;
  }
}
