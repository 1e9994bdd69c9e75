package dev.oncegate.tenants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks of parts that this release refuses as not supported yet, beyond the samples. */
class LaterPartsTest {
  @ParameterizedTest(name = "{1}")
  @MethodSource({"matches", "headers", "references", "probes", "limits"})
  void fault_givesExactlyOneFinding(Example changed, String finding) {
    assertThat(changed.sense()).containsExactly("tenants.yaml:" + finding);
  }

  @Test
  void realMistake_isReportedTogetherWithWhatIsNotSupportedYet() {
    assertThat(Example.whole(161, "merchant_reference={businessReference}", "limit=1").findings())
        .anyMatch(f -> f.contains("is the same question for every key"))
        .anyMatch(f -> f.contains(":147:9: ") && f.contains("not supported yet: business"))
        .isSortedAccordingTo((a, b) -> Integer.compare(line(a), line(b)));
  }

  private static int line(String finding) {
    return Integer.parseInt(finding.split(":", 3)[1]);
  }

  static Stream<Arguments> matches() {
    String header = "header: { name: X-Tenant, value: globex }";
    return Stream.of(
        arguments(
            Example.whole(
                70, "host: pay.acme.example", "{ " + header + ", fromCidrs: [\"::/0\"] }"),
            "206:9: globex-orders match: header x-tenant: globex also fits acme-payments (70:9)"
                + " with nothing to tell them apart; use another header, or add host or pathPrefix"
                + " to one"),
        arguments(
            Example.whole(207, "[10.20.0.0/16", "[300.20.0.0/16"),
            "207:21: globex-orders match: 300.20.0.0/16 is no network; write an address and a"
                + " prefix length of at most 32, such as 10.20.0.0/16"),
        arguments(
            Example.whole(207, "[10.20.0.0/16", "[10.20.0.0/33"),
            "207:21: globex-orders match: 10.20.0.0/33 is no network; write an address and a prefix"
                + " length of at most 32, such as 10.20.0.0/16"),
        arguments(
            Example.whole(207, "[10.20.0.0/16", "[\"fd00::1/8\""),
            "207:21: globex-orders match: fd00::1/8 has host bits; write fd00:0:0:0:0:0:0:0/8 or"
                + " fd00::1/128"),
        arguments(
            Example.whole(207, "[10.20.0.0/16", "[\"fd00:::1/8\""),
            "207:21: globex-orders match: fd00:::1/8 is no network; write an address and a prefix"
                + " length of at most 128, such as fd00::/8"));
  }

  static Stream<Arguments> headers() {
    return Stream.of(
        arguments(
            Example.whole(222, "X-Request-Id", "x-tenant"),
            "222:24: globex-orders/place-order key.header: x-tenant already names the tenant"
                + " (206:25); use a header of its own, such as Idempotency-Key"),
        arguments(
            Example.whole(208, "header: X-Client-Id", "boundTo: X-Token")
                .and(222, "X-Request-Id", "X-Token"),
            "222:24: globex-orders/place-order key.header: X-Token already carries the caller's"
                + " credential (208:27); use a header of its own, such as Idempotency-Key"),
        arguments(
            Example.whole(154, "Idempotency-Key", "Authorization"),
            "154:19: acme-payments/create-charge upstreamKey.header: Authorization already carries"
                + " the caller's credential; use a header of its own, such as Idempotency-Key"),
        arguments(
            Example.whole(157, "X-Fencing-Token", "idempotency-key"),
            "157:24: acme-payments/create-charge upstreamKey.tokenHeader: idempotency-key already"
                + " carries the key (15:13); use a header of its own, such as X-Fencing-Token"),
        arguments(
            Example.whole(183, "[Acme-Version]", "[X-Token]")
                .and(84, "header: Authorization", "header: X-Token"),
            "183:90: acme-payments/refund-charge fingerprint.headers: X-Token changes while a"
                + " client retries, and each change would be 422; leave it out, the principal"
                + " already separates callers"));
  }

  static Stream<Arguments> references() {
    return Stream.of(
        arguments(
            Example.whole(228, "body:/region", "body:/trace/id"),
            "228:38: globex-orders/place-order businessReference.parts: body:/trace/id does not"
                + " count, fingerprint.body.exclude has /trace (224:28); take it out there, or use"
                + " another part"),
        arguments(
            Example.whole(228, "body:/region", "query.region").and(225, "none", "[area]"),
            "228:38: globex-orders/place-order businessReference.parts: query.region is not in"
                + " fingerprint.query (225:18); add region there"),
        arguments(
            Example.whole(228, "body:/region", "header.X-Region"),
            "228:38: globex-orders/place-order businessReference.parts: header.X-Region is not in"
                + " fingerprint.headers (21:14); add X-Region there"));
  }

  static Stream<Arguments> probes() {
    return Stream.of(
        arguments(
            Example.whole(144, "probe", "hold"),
            "158:9: warning: acme-payments/create-charge probe: never asked, onAmbiguous is hold"
                + " (144:24); use auto or probe there, or drop the probe"),
        arguments(
            Example.whole(163, "\"${env:ACME_PROBE_AUTHORIZATION}\"", "\"${env:A}\"")
                .and(
                    163,
                    "Authorization:",
                    "X-Trace: \"a-{chargeId}\"\n              Authorization:"),
            "163:24: acme-payments/create-charge probe.request.headers.X-Trace: {chargeId} is"
                + " unknown; known here: {businessReference}, {upstreamKey}"),
        arguments(
            Example.whole(190, "{chargeId}", "{upstreamKey}"),
            "190:19: acme-payments/refund-charge reauthorize.request.path: {upstreamKey} is"
                + " unknown; known here: {chargeId}"),
        arguments(
            Example.whole(171, "emptyArray: /data", "x-note: none"),
            "169:11: acme-payments/create-charge probe: a 200 with /data/0 is applied (164:11) and"
                + " notApplied at once; use emptyArray: /data, or other statuses"),
        arguments(
            Example.whole(172, "quarantine: 105s", "x-quarantine: 105s").and(98, "60s", "200s"),
            "158:9: acme-payments/create-charge probe.quarantine: the built-in 105s ends before"
                + " upstream.timeouts.abandon 200s (98:18), while the exchange may still be open;"
                + " use 200s or more"),
        arguments(
            Example.whole(174, "15m", "40h"),
            "174:24: acme-payments/create-charge probe.giveUpAfter: 40h is longer than the"
                + " retention 30h 7m, and no client retries then any more; use 1807m or less"));
  }

  static Stream<Arguments> limits() {
    return Stream.of(
        arguments(
            Example.whole(116, "ratePerSecond", "x-rate"),
            "117:7: acme-payments quotas.burst: a burst of no rate is never used; add"
                + " ratePerSecond, or drop burst"),
        arguments(
            Example.whole(60, "300", "400").and(212, ", maxInFlight: 100", ""),
            "60:18: warning: defaults.quotas.maxInFlight: 400 is more than maxConnections 64 +"
                + " maxWaitQueue 256 of globex-orders (built-in); use 320 or less, or a larger"
                + " pool"),
        arguments(
            Example.whole(120, "20GiB", "512KiB"),
            "42:10: defaults.capture.max: 1MiB is more than quotas.maxStoredBytes 512KiB (120:23);"
                + " use 512KiB or less, or a larger quota"),
        arguments(
            Example.whole(120, "20GiB", "99999999TiB"),
            "120:23: acme-payments quotas.maxStoredBytes: 99999999TiB is more than 2097152TiB, the"
                + " largest size; use less"));
  }
}
