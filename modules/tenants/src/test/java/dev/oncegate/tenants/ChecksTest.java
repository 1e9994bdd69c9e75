package dev.oncegate.tenants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks of the merged policy beyond the samples. */
class ChecksTest {
  @ParameterizedTest(name = "{1}")
  @MethodSource({"names", "keys", "policies", "probes", "park", "ranges"})
  void fault_givesExactlyOneFinding(Example changed, String finding) {
    assertThat(changed.findings()).containsExactly("tenants.yaml:" + finding);
  }

  static Stream<Arguments> names() {
    return Stream.of(
        arguments(
            Example.with(206, "host: globex.example", "{ host: g.example, pathPrefix: /../a }"),
            "206:40: globex-orders match.pathPrefix: segment .. never reaches a route, such a"
                + " request is 400; write the path without it"),
        arguments(
            Example.with(220, "path: /orders", "path: /a%2Fb"),
            "220:41: globex-orders/place-order match.path: an encoded slash never reaches a route,"
                + " such a request is 400; write the path without it"),
        arguments(
            Example.with(220, "path: /orders", "path: /100%"),
            "220:41: globex-orders/place-order match.path: a stray % in 100%; write %25, or the two"
                + " hex digits that are missing"),
        arguments(
            Example.with(
                206,
                "- host: globex.example",
                "- host: globex.example\n      - host: globex.example"),
            "207:9: warning: globex-orders match: this entry fits nothing that the one before"
                + " (206:9) does not fit; remove it"),
        arguments(
            Example.with(210, "127.0.0.1:9000", "orders.example:9000"),
            "210:16: warning: globex-orders upstream.baseUrl: plain http to orders.example can be"
                + " read and changed on its way; use https"),
        arguments(
            Example.with(210, "127.0.0.1:9000", "127.0.0.1:99999"),
            "210:16: globex-orders upstream.baseUrl: http://127.0.0.1:99999 has no host or no port"
                + " from 1 to 65535; write one such as https://payments.example:8443/api"));
  }

  static Stream<Arguments> keys() {
    return Stream.of(
        arguments(
            Example.with(222, "X-Request-Id", "Cookie"),
            "222:24: globex-orders/place-order key.header: Cookie already carries the caller's"
                + " credential; use a header of its own, such as Idempotency-Key"),
        arguments(
            Example.with(222, "X-Request-Id", "prefer"),
            "222:24: globex-orders/place-order key.header: prefer already says how long the client"
                + " waits; use a header of its own, such as Idempotency-Key"),
        arguments(
            Example.with(182, "key: { ", "key: { header: x-acme-key, "),
            "182:24: acme-payments/refund-charge key.header: x-acme-key already carries the API key"
                + " (74:19); use a header of its own, such as Idempotency-Key"),
        arguments(
            Example.with(15, "Idempotency-Key ", "Connection "),
            "15:13: defaults.key.header: Connection is for one hop only and goes no further; use a"
                + " header of its own, such as Idempotency-Key"),
        arguments(
            Example.with(183, "[Acme-Version]", "[content-type]"),
            "183:90: warning: acme-payments/refund-charge fingerprint.headers: content-type counts"
                + " anyway; leave it out"),
        arguments(
            Example.with(183, "[Acme-Version]", "[X-Request-Id]"),
            "183:90: acme-payments/refund-charge fingerprint.headers: X-Request-Id changes while a"
                + " client retries, and each change would be 422; leave it out"),
        arguments(
            Example.with(196, "raw: true }", "raw: true }, case: { /a: upper }"),
            "196:53: acme-payments/upload-evidence fingerprint.case: /a has no effect, raw is true"
                + " (196:37); remove one of them"));
  }

  static Stream<Arguments> policies() {
    return Stream.of(
        arguments(
            Example.with(227, "[401,", "[502, 401,"),
            "227:32: globex-orders/place-order outcome: 502 is transient here and ambiguous in"
                + " defaults (27:17); write \"ambiguous: [504]\" here as well"),
        arguments(
            Example.with(227, "429, 5xx]", "429, 5xx], ambiguous: [502, 504, 409]"),
            "227:95: globex-orders/place-order outcome: 409 is ambiguous here and transient as well"
                + " (227:47); remove one"),
        arguments(
            Example.with(211, "500ms", "9s"),
            "211:28: globex-orders upstream.timeouts.connect: 9s is longer than total 8s (211:39);"
                + " use 8s or less"),
        arguments(
            Example.with(96, "20s", "31s"),
            "96:20: acme-payments upstream.timeouts.firstByte: 31s is longer than total 30s"
                + " (97:16); use 30s or less"),
        arguments(
            Example.with(211, "connect: 500ms", "connect: 500ms, firstByte: 999999d"),
            "211:46: globex-orders upstream.timeouts.firstByte: 999999d is more than 36500d, the"
                + " longest duration; use less"),
        arguments(
            Example.with(211, "timeouts:", "pool: { http2: true }\n      timeouts:"),
            "211:22: globex-orders upstream.pool.http2: HTTP/2 is agreed on within TLS, and baseUrl"
                + " is plain http; use false, or https"),
        arguments(
            Example.with(234, "retention:", "lease: { ttl: 20s }\n        retention:"),
            "234:23: globex-orders/put-order lease.ttl: 20s is less than three times renewEvery 15s"
                + " (33:17), one slow renewal would lose the claim; use 45s or more, or a"
                + " renewEvery of 6666ms or less"),
        arguments(
            Example.with(142, "outcome:", "capture: { inline: 2MiB }\n        outcome:"),
            "142:28: acme-payments/create-charge capture.inline: 2MiB is more than capture.max 1MiB"
                + " (42:10); use 1MiB or less, or add \"max: 2MiB\""));
  }

  static Stream<Arguments> probes() {
    return Stream.of(
        arguments(
            Example.with(163, "Authorization:", "transfer-encoding:"),
            "163:15: acme-payments/create-charge probe.request.headers.transfer-encoding: is"
                + " written by Oncegate itself; leave it out"),
        arguments(
            Example.with(163, "\"${env:ACME_PROBE_AUTHORIZATION}\"", "\"${env:A}\"")
                .and(163, "Authorization:", "X-Name: \"caf\\u00e9\"\n              Authorization:"),
            "163:23: acme-payments/create-charge probe.request.headers.X-Name: a header has visible"
                + " ASCII characters only; leave the others out"),
        arguments(
            Example.with(161, "/v1/charges?", "/v1/chärges?"),
            "161:19: acme-payments/create-charge probe.request.path: a path has visible ASCII"
                + " characters only; percent-encode the others"),
        arguments(
            Example.with(136, "path: /v1/charges", "path: \"/v1/charges/{upstreamKey}\""),
            "136:17: acme-payments/create-charge match.path: {upstreamKey} means something else in"
                + " the probe; rename the parameter"),
        arguments(
            Example.with(60, "probesPerSecond: 20", "probesPerSecond: 1e9"),
            "60:22: defaults.quotas.probesPerSecond: 1000000000 is more than 1000000, the highest"
                + " number here; use less"));
  }

  static Stream<Arguments> park() {
    return Stream.of(
        arguments(
            Example.with(214, "500", "50"),
            "214:49: globex-orders/place-order park.maxWaitersPerTenant: 50 is less than"
                + " maxWaitersPerKey 100 (36:23); use 100 or more, or a smaller maxWaitersPerKey"),
        arguments(
            Example.unchanged().instead(195, "        park: { maxWaitersPerKey: 3000 }"),
            "195:35: acme-payments/upload-evidence park.maxWaitersPerKey: 3000 is more than"
                + " maxWaitersPerTenant 2000 (37:26); use 2000 or less, or a larger"
                + " maxWaitersPerTenant"),
        arguments(
            Example.with(214, "500", "0").and(36, "maxWaitersPerKey", "x-per-key"),
            "214:49: globex-orders/place-order park.maxWaitersPerTenant: 0 is less than"
                + " maxWaitersPerKey 100 (built-in); use 100 or more, or a smaller"
                + " maxWaitersPerKey"),
        arguments(
            Example.unchanged().instead(195, "        park: { maxWaitersPerTenant: 500 }"),
            "195:17: acme-payments/upload-evidence park.maxWaitersPerTenant: this is a limit of the"
                + " tenant; move it to the tenant's defaults"),
        arguments(
            Example.with(36, "100", "-1"),
            "36:23: defaults.park.maxWaitersPerKey: -1 is too small; write 0 or more"),
        arguments(
            Example.with(36, "100", "1000001")
                .and(37, "2000", "1000000")
                .and(214, "500", "1000000"),
            "36:23: defaults.park.maxWaitersPerKey: 1000001 is more than 1000000, the highest"
                + " number here; use less"),
        arguments(
            Example.with(35, "10s", "36501d"),
            "35:14: defaults.park.maxWait: 36501d is more than 36500d, the longest duration; use"
                + " less"),
        arguments(
            Example.with(35, "10s", "10"),
            "35:14: defaults.park.maxWait: 10 is no duration; write a string with its unit, such"
                + " as \"10s\""));
  }

  static Stream<Arguments> ranges() {
    return Stream.of(
        arguments(
            Example.with(56, "24h", "999999999999999999999d"),
            "56:24: defaults.retention.humanReplayWindow: 999999999999999999999d is more than"
                + " 36500d, the longest duration; use less"),
        arguments(
            Example.with(39, "1MiB", "4TiB"),
            "39:17: defaults.body.maxRequest: 4TiB is more than 1GiB, the most that is held of one"
                + " body; use less"),
        arguments(
            Example.with(100, "64", "5000000000"),
            "100:25: acme-payments upstream.pool.maxConnections: 5000000000 is more than 1000000,"
                + " the highest number here; use less"));
  }

  @Test
  void oneApiKeyInTwoTenants_isRefused_whereNothingElseTellsThemApart() {
    String tenant =
        """
          - id: %s
            match: [{ apiKey: { keys: [{ id: k, sha256: ["${env:%s}"] }] } }]
            upstream: { baseUrl: "https://api.example" }
            routes: [{ id: r, match: { path: "/**" }, mode: passthrough }]
        """;

    assertThat(
            Reads.findings(
                "version: 1\ntenants:\n" + tenant.formatted("a", "A") + tenant.formatted("b", "B")))
        .containsExactly(
            "tenants.yaml:8:50: b match.apiKey: ${env:B} opens a (4:13) as well, with nothing else"
                + " to tell them apart; use another key");
  }

  @Test
  void inheritedFault_isBlamedOnce_underTheFirstRouteItReaches() {
    assertThat(
            Example.with(215, "retention:", "lease: { renewEvery: 20s }\n      retention:")
                .findings())
        .containsExactly(
            "tenants.yaml:215:28: globex-orders/place-order lease.renewEvery: 20s is more than a"
                + " third of ttl 45s (32:10), one slow renewal would lose the claim; use 15s or"
                + " less, or a ttl of 60s or more");
  }
}
