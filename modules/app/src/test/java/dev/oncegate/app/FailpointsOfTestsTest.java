package dev.oncegate.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oncegate.engine.port.Failpoints;
import dev.oncegate.engine.port.Failpoints.Point;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailpointsOfTestsTest {
  private static final Vertx VERTX = Vertx.vertx();

  @AfterAll
  static void close() {
    VERTX.close().await();
  }

  @Test
  void withoutOrders_nothingIsThereToPass() {
    assertThat(FailpointsOfTests.of(VERTX, null)).isSameAs(Failpoints.NONE);
    assertThat(FailpointsOfTests.of(VERTX, "")).isSameAs(Failpoints.NONE);
  }

  @Test
  void pass_isCountedPerPoint() {
    Failpoints points = FailpointsOfTests.of(VERTX, "claim.before=fail@2, reply.before=fail");
    assertThat(points.pass(Point.CLAIM_BEFORE).succeeded()).isTrue();
    assertThat(points.pass(Point.CLAIM_AFTER).succeeded()).isTrue();
    assertThat(points.pass(Point.CLAIM_BEFORE).failed()).isTrue();
    assertThat(points.pass(Point.CLAIM_BEFORE).succeeded()).isTrue();
    assertThat(points.pass(Point.REPLY_BEFORE).failed()).isTrue();
  }

  @Test
  void sleep_goesOnLater() throws Exception {
    Failpoints points = FailpointsOfTests.of(VERTX, "claim.before=sleep(20)");
    assertThat(points.pass(Point.CLAIM_BEFORE).await(30, TimeUnit.SECONDS)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "claim=halt",
        "claim.before",
        "claim.before=explode",
        "claim.before=sleep",
        ",",
        "a"
      })
  void whatIsNoOrder_isRefusedWithThePointsThatThereAre(String property) {
    assertThatThrownBy(() -> FailpointsOfTests.of(VERTX, property))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("sweep.expired");
  }
}
