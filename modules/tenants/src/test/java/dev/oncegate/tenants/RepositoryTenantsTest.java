package dev.oncegate.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.FingerprintPolicy;
import dev.oncegate.core.OutcomePolicy;
import dev.oncegate.core.Retention;
import dev.oncegate.core.RetryBudget;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RepositoryTenantsTest {
  private final TenantsLoader.Loaded loaded =
      Reads.loaded(Reads.resource("/repository/tenants.yaml"));

  @Test
  void demoTenants_load_withoutAnyRemark() {
    assertThat(loaded.remarks()).isEmpty();
    assertThat(loaded.tenants()).extracting(TenantPolicy::id).containsExactly("shop", "billing");
  }

  @Test
  void demoRoutes_withoutSettings_haveTheBuiltInPolicyOfCore() {
    RoutePolicy route = loaded.tenants().get(0).routes().get(0);
    RoutePolicy.Protocol protocol = route.protocol();

    assertThat(route.mode()).isEqualTo(RoutePolicy.Mode.IDEMPOTENCY_KEY);
    assertThat(protocol.key()).isEqualTo(RoutePolicy.KeyPolicy.BUILT_IN);
    assertThat(protocol.fingerprint()).isEqualTo(FingerprintPolicy.BUILT_IN);
    assertThat(protocol.outcome()).isEqualTo(OutcomePolicy.BUILT_IN);
    assertThat(protocol.lease()).isEqualTo(RoutePolicy.LeasePolicy.BUILT_IN);
    assertThat(protocol.capture()).isEqualTo(RoutePolicy.Capture.BUILT_IN);
    assertThat(protocol.maxRequest()).isEqualTo(1024 * 1024);
    assertThat(protocol.encrypt()).isTrue();
    assertThat(protocol.retention().retention())
        .isEqualTo(
            Retention.derived(
                RetryBudget.BUILT_IN,
                Duration.ofSeconds(10),
                Retention.HUMAN_REPLAY_WINDOW,
                Retention.SAFETY_FACTOR));
    assertThat(protocol.retention().tombstone()).isEqualTo(protocol.retention().retention());
  }

  @Test
  void demoUpstream_isTheSampleLedger() {
    TenantPolicy.Upstream upstream = loaded.tenants().get(1).upstream();

    assertThat(upstream.tls()).isFalse();
    assertThat(upstream.host()).isEqualTo("127.0.0.1");
    assertThat(upstream.port()).isEqualTo(9100);
    assertThat(upstream.basePath()).isEmpty();
    assertThat(upstream.timeouts().abandon()).isEqualTo(Duration.ofSeconds(20));
    assertThat(upstream.pool()).isEqualTo(TenantPolicy.Pool.BUILT_IN);
  }
}
