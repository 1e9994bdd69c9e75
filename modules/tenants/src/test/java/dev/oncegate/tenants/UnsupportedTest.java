package dev.oncegate.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the format knows and this release does not do is refused, never ignored. */
class UnsupportedTest {
  @Test
  void wholeExample_isRefused_forWhatIsNotSupportedYetAndNothingElse() {
    assertThat(Reads.findings(Reads.resource("/dev/oncegate/tenants/tenants-example.yaml")))
        .containsExactly(
            "tenants.yaml:34:3: defaults.park: not supported yet: waiting for the winner; remove"
                + " it",
            "tenants.yaml:59:3: defaults.quotas: not supported yet: quotas; remove it",
            "tenants.yaml:82:7: acme-payments principal.jwt: not supported yet: a principal from a"
                + " JWT; remove it",
            "tenants.yaml:92:19: acme-payments upstream.honoursKey: not supported yet: upstreams"
                + " that honour a key; use another value",
            "tenants.yaml:110:7: acme-payments upstream.breaker: not supported yet: circuit"
                + " breakers; remove it",
            "tenants.yaml:115:5: acme-payments quotas: not supported yet: quotas; remove it",
            "tenants.yaml:126:9: acme-payments defaults.privacy.keyset: not supported yet: keys of"
                + " the tenant's own; remove it",
            "tenants.yaml:144:24: acme-payments/create-charge outcome.onAmbiguous: not supported"
                + " yet: onAmbiguous probe; use another value",
            "tenants.yaml:147:9: acme-payments/create-charge businessReference: not supported yet:"
                + " business references; remove it",
            "tenants.yaml:153:9: acme-payments/create-charge upstreamKey: not supported yet: keys"
                + " for the upstream; remove it",
            "tenants.yaml:158:9: acme-payments/create-charge probe: not supported yet: probes;"
                + " remove it",
            "tenants.yaml:177:26: acme-payments/create-charge privacy.omitFromStore: not supported"
                + " yet: leaving members out of the store; use another value",
            "tenants.yaml:184:33: acme-payments/refund-charge outcome.onAmbiguous: not supported"
                + " yet: onAmbiguous release; use another value",
            "tenants.yaml:185:9: acme-payments/refund-charge upstreamKey: not supported yet: keys"
                + " for the upstream; remove it",
            "tenants.yaml:187:9: acme-payments/refund-charge reauthorize: not supported yet: asking"
                + " again before a replay; remove it",
            "tenants.yaml:195:18: acme-payments/upload-evidence observe: not supported yet:"
                + " observing without enforcing; use another value",
            "tenants.yaml:206:9: globex-orders match.header: not supported yet: matching by header;"
                + " remove it",
            "tenants.yaml:207:9: globex-orders match.fromCidrs: not supported yet: matching by"
                + " network; remove it",
            "tenants.yaml:208:18: globex-orders principal.header: not supported yet: a principal"
                + " from a header; remove it",
            "tenants.yaml:212:5: globex-orders quotas: not supported yet: quotas; remove it",
            "tenants.yaml:214:7: globex-orders defaults.park: not supported yet: waiting for the"
                + " winner; remove it",
            "tenants.yaml:228:9: globex-orders/place-order businessReference: not supported yet:"
                + " business references; remove it",
            "tenants.yaml:232:15: globex-orders/put-order mode: not supported yet: mode natural;"
                + " use another value",
            "tenants.yaml:241:15: globex-orders/patch-order mode: not supported yet: mode"
                + " conditional; use another value");
  }

  @Test
  void valuesThatMeanTheBuiltInBehaviour_arePassed() {
    assertThat(
            Example.unchanged()
                .instead(92, "      honoursKey: false")
                .and(103, "http2: false", "http2: false")
                .instead(195, "        observe: false")
                .instead(177, "        privacy: { omitFromStore: [] }")
                .findings())
        .isEmpty();
  }

  @Test
  void boundTo_isRefused() {
    assertThat(Example.with(208, "shared", "{ boundTo: Authorization }").findings())
        .containsExactly(
            "tenants.yaml:208:18: globex-orders principal.boundTo: not supported yet: keys bound to"
                + " a credential; remove it");
  }
}
