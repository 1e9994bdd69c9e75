package dev.oncegate.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the format knows and this release does not do is refused, never ignored. */
class UnsupportedTest {
  @Test
  void wholeExample_isRefused_forWhatIsNotSupportedYetAndNothingElse() {
    assertThat(Reads.findings(Reads.resource("/dev/oncegate/tenants/tenants-example.yaml")))
        .containsExactly(
            "tenants.yaml:60:5: defaults.quotas.maxInFlight: not supported yet: a limit on"
                + " exchanges at one time; remove it",
            "tenants.yaml:82:7: acme-payments principal.jwt: not supported yet: a principal from a"
                + " JWT; remove it",
            "tenants.yaml:110:7: acme-payments upstream.breaker: not supported yet: circuit"
                + " breakers; remove it",
            "tenants.yaml:116:7: acme-payments quotas.ratePerSecond: not supported yet: a limit on"
                + " the rate of requests; remove it",
            "tenants.yaml:117:7: acme-payments quotas.burst: not supported yet: a limit on the rate"
                + " of requests; remove it",
            "tenants.yaml:118:7: acme-payments quotas.maxInFlight: not supported yet: a limit on"
                + " exchanges at one time; remove it",
            "tenants.yaml:119:7: acme-payments quotas.maxLiveKeys: not supported yet: a limit on"
                + " live keys; remove it",
            "tenants.yaml:120:7: acme-payments quotas.maxStoredBytes: not supported yet: a limit on"
                + " stored bytes; remove it",
            "tenants.yaml:126:9: acme-payments defaults.privacy.keyset: not supported yet: keys of"
                + " the tenant's own; remove it",
            "tenants.yaml:147:9: acme-payments/create-charge businessReference: not supported yet:"
                + " business references; remove it",
            "tenants.yaml:177:26: acme-payments/create-charge privacy.omitFromStore: not supported"
                + " yet: leaving members out of the store; use another value",
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
            "tenants.yaml:212:15: globex-orders quotas.ratePerSecond: not supported yet: a limit on"
                + " the rate of requests; remove it",
            "tenants.yaml:212:34: globex-orders quotas.maxInFlight: not supported yet: a limit on"
                + " exchanges at one time; remove it",
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
