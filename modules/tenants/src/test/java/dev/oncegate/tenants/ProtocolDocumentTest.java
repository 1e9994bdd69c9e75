package dev.oncegate.tenants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oncegate.core.BrokenInvariant;
import dev.oncegate.core.Reconciliation;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import dev.oncegate.engine.port.PolicyArchive.ArchivedPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProtocolDocumentTest {
  private final TenantsLoader.Loaded example = Reads.loaded(Example.unchanged().text());

  @Test
  void everyKeyedPolicy_isReadBackAsItWas() {
    List<RoutePolicy.Protocol> keyed =
        example.tenants().stream()
            .map(TenantPolicy::routes)
            .flatMap(List::stream)
            .filter(route -> route.mode() == RoutePolicy.Mode.IDEMPOTENCY_KEY)
            .map(RoutePolicy::protocol)
            .toList();

    assertThat(keyed).hasSizeGreaterThan(4);
    assertThat(
            example.policies().stream()
                .map(archived -> ProtocolDocument.parse(archived.version(), archived.document())))
        .containsExactlyElementsOf(keyed);
  }

  @Test
  void archivedPolicy_namesItsRoute_andHoldsNoSecret() {
    ArchivedPolicy first = example.policies().get(0);

    assertThat(first.tenant()).isEqualTo("acme-payments");
    assertThat(first.route()).isEqualTo("create-charge");
    assertThat(example.policies()).noneMatch(p -> p.document().contains("e3b0c442"));
  }

  @Test
  void settingsThatAnOlderReleaseDidNotKnow_areBuiltIn() {
    RoutePolicy.Protocol old =
        ProtocolDocument.parse(
            "old",
            "{\"form\":1,\"totalMillis\":30000,\"policy\":"
                + "{\"fingerprint\":{\"body\":{\"exclude\":[\"/a\"]}}}}");

    assertThat(old.version()).isEqualTo("old");
    assertThat(old.key()).isEqualTo(RoutePolicy.KeyPolicy.BUILT_IN);
    assertThat(old.lease()).isEqualTo(RoutePolicy.LeasePolicy.BUILT_IN);
    assertThat(old.fingerprint().body().toString()).contains("Exclude");
  }

  @Test
  void documentOfBeforeReconciliation_isHeld_withTheBuiltInQuarantine() {
    RoutePolicy.Protocol old =
        ProtocolDocument.parse("old", "{\"form\":1,\"totalMillis\":30000,\"policy\":{}}");

    assertThat(old.reconciliation()).isEqualTo(Reconciliation.hold(Duration.ofSeconds(105)));
  }

  @Test
  void abandon_isReadBack() {
    RoutePolicy.Protocol archived =
        ProtocolDocument.parse(
            "v", "{\"form\":1,\"totalMillis\":30000,\"abandonMillis\":200000,\"policy\":{}}");

    assertThat(archived.reconciliation().quarantine()).isEqualTo(Duration.ofSeconds(200));
  }

  @Test
  void secretsOfProbes_areReferences() {
    assertThat(example.policies().get(0).document())
        .contains("${env:ACME_PROBE_AUTHORIZATION}", "${file:/etc/oncegate/keys/acme-derive}");
  }

  @Test
  void otherDocuments_areRefused() {
    for (String document : List.of("", "{}", "[", "{\"form\":2,\"totalMillis\":1,\"policy\":{}}")) {
      assertThatThrownBy(() -> ProtocolDocument.parse("v", document))
          .isInstanceOf(BrokenInvariant.class);
    }
  }
}
