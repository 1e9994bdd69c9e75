package dev.oncegate.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.testkit.RawClient;
import dev.oncegate.testkit.ScriptedUpstream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Many clients that send a head, a byte, and then nothing. */
class SlowSendersIT extends GatewayTestBase {
  private static final int MANY = 2_000;

  @Test
  void c76_manySlowUploads_holdNoKeyAndNobodyUp_andAllEnd() throws Exception {
    ScriptedUpstream upstream = open(ScriptedUpstream.start(vertx)).answer(201, "ok");
    Gateway gateway =
        open(
            Gateway.start(
                vertx,
                new Gateway.Options()
                    .limits(
                        GatewayLimits.BUILT_IN.withUpload(
                            Duration.ofSeconds(30), Duration.ofSeconds(4), 100)),
                Policies.tenant(
                    "t1",
                    Policies.upstream(upstream.port(), Policies.TIMEOUTS),
                    Policies.keyed("create-charge", "/charges"))));
    List<RawClient> slow = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      slow.add(
          open(new RawClient(gateway.port()))
              .send(
                  "POST /charges HTTP/1.1\r\nHost: 127.0.0.1\r\nIdempotency-Key: K"
                      + i
                      + "\r\nContent-Length: 1000\r\n\r\n{"));
    }
    for (int i = 0; i < 50; i++) {
      assertExecuted(gateway.charge("K" + i, "{}"), 201);
    }
    for (RawClient one : slow) {
      assertProblem(one.reply(), 408, "request-timeout", "refused");
      assertThat(one.isClosedByPeer()).isTrue();
    }
    assertThat(upstream.ledger()).hasSize(50);
    assertThat(gateway.records.size()).isEqualTo(50);
    assertExecuted(gateway.charge("after", "{}"), 201);
  }
}
