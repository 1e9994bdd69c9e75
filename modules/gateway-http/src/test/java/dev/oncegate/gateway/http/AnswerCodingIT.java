package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.testkit.RawClient;
import dev.oncegate.testkit.RawUpstream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The coding of a stored body is kept, and decoded only for a client that does not take it. */
class AnswerCodingIT extends GatewayTestBase {
  private static final String PLAIN = "{\"id\":\"c1\",\"amount\":100}";

  @ParameterizedTest
  @ValueSource(strings = {"", "Accept-Encoding: gzip\r\n", "Accept-Encoding: *;q=0.5\r\n"})
  void clientThatTakesIt_getsTheStoredBytes(String accept) throws Exception {
    Gateway gateway = before("Content-Encoding: gzip\r\nETag: \"v1\"\r\n", gzip(PLAIN));
    for (String status : List.of("executed", "replayed")) {
      RawClient.Reply reply = charge(gateway, accept);
      assertThat(reply.header("Idempotency-Status")).containsExactly(status);
      assertThat(reply.body()).isEqualTo(gzip(PLAIN));
      assertThat(reply.header("Content-Encoding")).containsExactly("gzip");
      assertThat(reply.header("ETag")).containsExactly("\"v1\"");
      assertThat(reply.header("Vary")).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Accept-Encoding:\r\n", "Accept-Encoding: identity, gzip;q=0\r\n"})
  void clientThatDoesNot_getsItDecoded_executedAndReplayed(String accept) throws Exception {
    Gateway gateway =
        before(
            "ETag: \"v1\"\r\nContent-Encoding: gzip\r\nContent-Digest: sha-256=:AA==:\r\n"
                + "X-End: 1\r\n",
            gzip(PLAIN));
    for (String status : List.of("executed", "replayed")) {
      RawClient.Reply reply = charge(gateway, accept);
      assertThat(reply.header("Idempotency-Status")).containsExactly(status);
      assertThat(reply.body()).isEqualTo(PLAIN);
      assertThat(reply.header("Content-Length")).containsExactly("" + PLAIN.length());
      assertThat(reply.header("Content-Encoding")).isEmpty();
      assertThat(reply.header("Content-Digest")).isEmpty();
      assertThat(reply.header("ETag")).containsExactly("W/\"v1\"");
      assertThat(reply.header("Vary")).containsExactly("Accept-Encoding");
      assertThat(reply.header("X-End")).containsExactly("1");
    }
    assertThat(charge(gateway, "").body()).as("what is stored").isEqualTo(gzip(PLAIN));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Encoding: gzip\r\nCache-Control: no-transform\r\n",
        "Content-Encoding: br\r\n",
        "Content-Encoding: gzip, gzip\r\n"
      })
  void whatMustNotOrCannotBeDecoded_isSentAsItIs(String headers) throws Exception {
    Gateway gateway = before(headers, gzip(PLAIN));
    assertThat(charge(gateway, "Accept-Encoding: identity\r\n").body()).isEqualTo(gzip(PLAIN));
  }

  @Test
  void bodyThatIsNotInItsCoding_isSentAsItIs() throws Exception {
    Gateway gateway = before("Content-Encoding: gzip\r\n", "not gzip");
    RawClient.Reply reply = charge(gateway, "Accept-Encoding: identity\r\n");
    assertThat(reply.body()).isEqualTo("not gzip");
    assertThat(reply.header("Content-Encoding")).containsExactly("gzip");
  }

  @Test
  void clientThatTakesNeither_getsTheStoredBytes() throws Exception {
    Gateway gateway = before("Content-Encoding: gzip\r\n", gzip(PLAIN));
    assertThat(charge(gateway, "Accept-Encoding: br, *;q=0\r\n").body()).isEqualTo(gzip(PLAIN));
  }

  @Test
  void bomb_staysCoded() throws Exception {
    String bomb = gzip("0".repeat(AnswerCoding.MAX_DECODED + 1));
    Gateway gateway = before("Content-Encoding: gzip\r\n", bomb);
    for (int i = 0; i < 2; i++) {
      RawClient.Reply reply = charge(gateway, "Accept-Encoding: identity\r\n");
      assertThat(reply.body().length()).isEqualTo(bomb.length());
      assertThat(reply.header("Content-Encoding")).containsExactly("gzip");
    }
  }

  @Test
  void largeBodyUnderTheCap_isDecodedWhole() throws Exception {
    String large = "0123456789".repeat(500_000);
    Gateway gateway = before("Content-Encoding: gzip\r\n", gzip(large));
    assertThat(charge(gateway, "Accept-Encoding: identity\r\n").body().equals(large)).isTrue();
  }

  private Gateway before(String headers, String body) throws Exception {
    RawUpstream upstream =
        open(
            RawUpstream.answering(
                vertx,
                "HTTP/1.1 201 Created\r\n"
                    + headers
                    + "Content-Length: "
                    + body.length()
                    + "\r\n\r\n"
                    + body));
    return open(Gateway.before(vertx, upstream.port()));
  }

  private static RawClient.Reply charge(Gateway gateway, String accept) throws Exception {
    return RawClient.once(gateway.port(), post("Idempotency-Key: K\r\n" + accept, "{}"));
  }

  private static String gzip(String plain) throws Exception {
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(coded)) {
      out.write(plain.getBytes(StandardCharsets.ISO_8859_1));
    }
    return coded.toString(StandardCharsets.ISO_8859_1);
  }
}
