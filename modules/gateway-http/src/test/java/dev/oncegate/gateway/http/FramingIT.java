package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.testkit.RawUpstream;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each probe is refused and nothing of it is forwarded, or it is forwarded once and clearly. */
class FramingIT extends GatewayTestBase {
  private RawUpstream upstream;
  private Gateway gateway;

  @BeforeEach
  void start() throws Exception {
    upstream =
        open(RawUpstream.answering(vertx, "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok"));
    gateway = open(Gateway.before(vertx, upstream.port()));
  }

  static List<FramingProbes.Probe> probes() {
    return FramingProbes.all();
  }

  @ParameterizedTest
  @MethodSource("probes")
  void probe_isRefusedWhole_orForwardedOnce(FramingProbes.Probe probe) throws Exception {
    String answers = Wire.exchange(gateway.port(), probe.bytes() + FramingProbes.LAST);
    List<String> understood = upstream.requests().stream().map(Wire::gist).toList();
    if (probe.slug() == null) {
      assertThat(understood).as(answers).containsExactly("POST /charges {}", "GET /last ");
      assertThat(upstream.requests().get(0)).containsIgnoringCase("content-length: 2\r\n");
      assertThat(upstream.requests().get(0).toLowerCase(java.util.Locale.ROOT))
          .doesNotContain("transfer-encoding");
      return;
    }
    assertThat(understood).as(answers).doesNotContain("GET /hidden ");
    assertThat(understood).noneMatch(request -> request.startsWith("POST"));
    assertThat(gateway.records.size()).isZero();
    if (!probe.slug().isEmpty()) {
      assertThat(answers).containsPattern("^HTTP/1\\.[01] 400 ").contains(probe.slug());
    }
    if (!probe.slug().equals("key-malformed")) {
      assertThat(understood).as("the connection is closed").isEmpty();
    }
  }
}
