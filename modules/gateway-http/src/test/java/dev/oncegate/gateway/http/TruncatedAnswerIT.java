package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.testkit.RawUpstream;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An answer cut at byte k is no answer, for every k and both framings (fault row 47). */
class TruncatedAnswerIT extends GatewayTestBase {
  private static final List<String> ANSWERS =
      List.of(
          "HTTP/1.1 201 Created\r\nX-A: 1\r\nContent-Length: 10\r\n\r\n0123456789",
          "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n"
              + "5\r\n01234\r\n5\r\n56789\r\n0\r\nX-T: 1\r\n\r\n",
          "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
              + "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n");

  static Stream<String> answers() {
    return ANSWERS.stream();
  }

  @ParameterizedTest
  @MethodSource("answers")
  void anyCut_isUnknown(String answer) throws Exception {
    RawUpstream upstream = open(RawUpstream.start(vertx, socket -> {}));
    Gateway gateway = open(Gateway.before(vertx, upstream.port()));
    List<Integer> cuts =
        IntStream.range(0, answer.length()).filter(k -> k % 5 == 0).boxed().toList();
    for (int k : cuts) {
      upstream.script(
          socket -> {
            RawUpstream.write(socket, answer.substring(0, k));
            socket.close();
          });
      assertProblem(gateway.charge("K" + k, "{}"), 502, "upstream-reset", "unknown");
    }
    upstream.script(socket -> RawUpstream.write(socket, answer));
    assertExecuted(gateway.charge("whole", "{}"), 201);
    assertThat(gateway.marked).hasSize(cuts.size());
  }

  @Test
  void answerUpToTheEndOfTheConnection_isWhole() throws Exception {
    RawUpstream upstream =
        open(
            RawUpstream.start(
                vertx,
                socket -> {
                  RawUpstream.write(socket, "HTTP/1.1 201 Created\r\n\r\n0123");
                  socket.close();
                }));
    Gateway gateway = open(Gateway.before(vertx, upstream.port()));
    assertThat(gateway.charge("K", "{}").body()).isEqualTo("0123");
    assertReplayed(gateway.charge("K", "{}"), 201);
  }
}
