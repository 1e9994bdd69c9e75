package dev.oncegate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.port.EngineEvents;
import dev.oncegate.engine.port.EngineEvents.WokenBy;
import dev.oncegate.testkit.SamplePolicies;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Waiting as the contract's metrics (contract §9). */
class ParkMetersTest {
  private static final String GAUGE = "idempotency_parked_requests{tenant=\"%s\"} %d.0";

  private final TenantPolicy shop = SamplePolicies.tenant("shop", 9);
  private final TenantPolicy bank = SamplePolicies.tenant("bank", 9);
  private List<TenantPolicy> tenants = List.of(shop, bank);
  private final OpsMetrics metrics = new OpsMetrics();
  private final EngineEvents events = new MicrometerEvents(metrics, () -> tenants, () -> 0);

  @Test
  void everyTenant_hasItsGaugeFromTheStart() {
    assertThat(metrics.scrape()).contains(GAUGE.formatted("shop", 0), GAUGE.formatted("bank", 0));
  }

  @Test
  void gauge_isWhoWaitsNow() {
    events.parked("shop");
    events.parked("shop");
    events.parked("shop");
    events.parked("bank");
    assertThat(metrics.scrape()).contains(GAUGE.formatted("shop", 3), GAUGE.formatted("bank", 1));
    events.woken("shop", WokenBy.LOCAL, Duration.ofMillis(5));
    events.left("shop");
    assertThat(metrics.scrape()).contains(GAUGE.formatted("shop", 1), GAUGE.formatted("bank", 1));
  }

  @Test
  void waits_areCountedByWhatEndedThem_withTheContractsLabels() {
    for (WokenBy by : WokenBy.values()) {
      events.parked("shop");
      events.woken("shop", by, Duration.ofMillis(1500));
      assertThat(metrics.scrape())
          .contains(
              "idempotency_park_wait_seconds_count{tenant=\"shop\",woken_by=\"%s\"} 1"
                  .formatted(by.label()),
              "idempotency_park_wait_seconds_sum{tenant=\"shop\",woken_by=\"%s\"} 1.5"
                  .formatted(by.label()));
    }
    assertThat(WokenBy.values())
        .extracting(WokenBy::label)
        .containsExactly("local", "bus", "poll", "timeout");
  }

  @Test
  void buckets_areTwelve_from10msTo30s() {
    events.woken("shop", WokenBy.BUS, Duration.ofMillis(10));
    events.woken("shop", WokenBy.BUS, Duration.ofSeconds(29));
    List<String> buckets =
        metrics
            .scrape()
            .lines()
            .filter(line -> line.startsWith("idempotency_park_wait_seconds_bucket"))
            .toList();
    assertThat(buckets)
        .hasSize(13)
        .startsWith(bucket("0.01", 1))
        .contains(bucket("20.0", 1), bucket("30.0", 2))
        .endsWith(bucket("+Inf", 2));
  }

  @Test
  void clientThatLeft_isNoWait() {
    events.parked("shop");
    events.left("shop");
    assertThat(metrics.scrape()).doesNotContain("idempotency_park_wait_seconds");
  }

  @Test
  void namesThatAreNotConfigured_areNone() {
    events.parked("made-up");
    events.parked("made-up-too");
    events.woken("made-up", WokenBy.POLL, Duration.ofMillis(1));
    assertThat(metrics.scrape())
        .doesNotContain("made-up")
        .contains(GAUGE.formatted("none", 1))
        .contains("idempotency_park_wait_seconds_count{tenant=\"none\",woken_by=\"poll\"} 1");
  }

  @Test
  void tenantThatIsRemovedWhileItsRequestsWait_endsAtZero() {
    events.parked("bank");
    tenants = List.of(shop);
    events.woken("bank", WokenBy.LOCAL, Duration.ofMillis(1));
    assertThat(metrics.scrape()).contains(GAUGE.formatted("bank", 0)).doesNotContain("-1.0");
  }

  @Test
  void everySeries_hasOneSetOfLabels() {
    events.parked("shop");
    events.parked("made-up");
    events.woken("shop", WokenBy.BUS, Duration.ofMillis(1));
    events.woken("made-up", WokenBy.TIMEOUT, Duration.ofMillis(1));
    assertThat(
            metrics
                .scrape()
                .lines()
                .filter(line -> line.startsWith("idempotency_park"))
                .map(line -> line.replaceAll("=\"[^\"]*\"", "").replaceFirst("} .*", "}"))
                .collect(Collectors.toSet()))
        .containsExactlyInAnyOrder(
            "idempotency_park_wait_seconds_bucket{tenant,woken_by,le}",
            "idempotency_park_wait_seconds_count{tenant,woken_by}",
            "idempotency_park_wait_seconds_max{tenant,woken_by}",
            "idempotency_park_wait_seconds_sum{tenant,woken_by}",
            "idempotency_parked_requests{tenant}");
  }

  private static String bucket(String le, int count) {
    return "idempotency_park_wait_seconds_bucket{tenant=\"shop\",woken_by=\"bus\",le=\"%s\"} %d"
        .formatted(le, count);
  }
}
