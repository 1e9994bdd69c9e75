package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.HeaderField;
import java.util.List;
import org.junit.jupiter.api.Test;

class HopByHopTest {
  @Test
  void requestHeaders_loseWhatBelongsToOneHop_andKeepOrderCaseAndMultiplicity() {
    List<HeaderField> kept =
        HopByHop.request(
            fields(
                "Host: h",
                "ACCEPT: a",
                "connection: close, X-Hop",
                "x-hop: 1",
                "Keep-Alive: 5",
                "Proxy-Connection: x",
                "Proxy-Authenticate: x",
                "Proxy-Authorization: x",
                "TE: x",
                "Trailer: x",
                "Transfer-Encoding: chunked",
                "Upgrade: x",
                "HTTP2-Settings: x",
                "Content-Length: 5",
                "Expect: 100-continue",
                "Accept: b",
                "Idempotency-Key: k"));
    assertThat(kept).isEqualTo(fields("ACCEPT: a", "Accept: b", "Idempotency-Key: k"));
  }

  @Test
  void answerHeaders_loseTheNamesThatOnlyOncegateMaySet() {
    List<HeaderField> kept =
        HopByHop.answer(
            fields(
                "idempotency-status: executed",
                "Idempotency-Replayed: true",
                "Idempotency-Expires: x",
                "Idempotency-Reconstructed: true",
                "Content-Length: 1",
                "Connection: x-a",
                "X-A: 1",
                "Connection: x-b",
                "X-B: 1",
                "Link: 1",
                "link: 2",
                "Set-Cookie: a=1"));
    assertThat(kept).isEqualTo(fields("Link: 1", "link: 2", "Set-Cookie: a=1"));
  }

  private static List<HeaderField> fields(String... lines) {
    return List.of(lines).stream()
        .map(l -> new HeaderField(l.substring(0, l.indexOf(':')), l.substring(l.indexOf(':') + 2)))
        .toList();
  }
}
