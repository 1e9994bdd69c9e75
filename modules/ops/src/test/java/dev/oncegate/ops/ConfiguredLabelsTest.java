package dev.oncegate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oncegate.core.TenantPolicy;
import dev.oncegate.testkit.SamplePolicies;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ConfiguredLabelsTest {
  private final AtomicReference<List<TenantPolicy>> tenants = new AtomicReference<>(List.of());
  private final ConfiguredLabels labels = new ConfiguredLabels(tenants::get);

  @Test
  void tenantThatArrivesWithANewSnapshot_isKnown() {
    assertThat(labels.of("shop", "none").tenant()).isEqualTo("none");
    tenants.set(List.of(SamplePolicies.tenant("shop", 9)));
    assertThat(labels.of("shop", "none").tenant()).isEqualTo("shop");
  }

  @Test
  void tenantThatLeaves_isNone() {
    tenants.set(List.of(SamplePolicies.tenant("shop", 9)));
    assertThat(labels.of("shop", "none").tenant()).isEqualTo("shop");
    tenants.set(List.of());
    assertThat(labels.of("shop", "none").tenant()).isEqualTo("none");
  }
}
