package dev.oncegate.tenants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The samples of tenants-checks.md, word for word. */
class SamplesTest {
  @Test
  void wholeExample_makesSense() {
    assertThat(Example.whole().sense()).isEmpty();
  }

  @Test
  void noTenantInTheMainFile_isRefused() {
    String none =
        "# the sample, up to its tenants\n" + "\n".repeat(9) + "version: 1\n" + "\n".repeat(50);

    assertThat(Reads.findings(none + "tenants: []\n"))
        .containsExactly(
            "tenants.yaml:62:1: tenants: no tenant here and none in tenants.d/*.yaml; add one");
  }

  @Test
  void defaultsBesideTheMainFile_areRefused() {
    TenantsLoader.Result result =
        new TenantsReader(Reads.options())
            .read(
                List.of(
                    Reads.source("tenants.yaml", Example.unchanged().text()),
                    Reads.source(
                        "tenants.d/initech.yaml",
                        "version: 1\ntenants: []\ndefaults: { lease: { ttl: 50s } }\n")));

    assertThat(Reads.findings(result))
        .containsExactly(
            "tenants.d/initech.yaml:3:1: defaults: only the main file has defaults; move this to"
                + " tenants[].defaults");
  }

  @Test
  void missingSecrets_areNamedByTheirReference() {
    TenantsLoader.Options options =
        new TenantsLoader.Options(
            TenantsLoader.Mode.SERVE, new SystemSecrets(name -> null), List.of());

    assertThat(Reads.findings(Reads.read(Example.whole().text(), options)))
        .contains(
            "tenants.yaml:78:19: acme-payments match.apiKey: environment variable"
                + " ACME_CHECKOUT_KEY_SHA256 is not set; set it, or use ${file:/path}",
            "tenants.yaml:156:19: acme-payments/create-charge upstreamKey.secret: file"
                + " /etc/oncegate/keys/acme-derive cannot be read (no such file); create it with 32"
                + " random bytes or more, or leave secret out");
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("samples")
  void sample_givesExactlyItsFinding(Example changed, String finding) {
    assertThat(changed.sense()).containsExactly(finding);
  }

  static Stream<Arguments> samples() {
    return Stream.of(
            yamlAndSchema(), names(), upstreams(), keys(), outcomes(), probes(), times(), storage())
        .flatMap(samples -> samples);
  }

  private static Stream<Arguments> yamlAndSchema() {
    return Stream.of(
        arguments(
            Example.whole(33, "renewEvery: 15s", "ttl: 15s"),
            "tenants.yaml:33:5: defaults.lease: key \"ttl\" stands twice (first at 32:5); remove"
                + " one"),
        arguments(
            Example.whole(138, "fingerprint", "fingreprint"),
            "tenants.yaml:138:9: acme-payments/create-charge: unknown key \"fingreprint\"; did you"
                + " mean \"fingerprint\"?"),
        arguments(
            Example.whole(107, "${file:/etc/oncegate/tls/acme.key}", "hunter2"),
            "tenants.yaml:107:20: acme-payments upstream.tls.clientKey: a literal is refused; write"
                + " ${env:NAME} or ${file:/absolute/path}"),
        arguments(
            Example.whole(32, "45s", "45"),
            "tenants.yaml:32:10: defaults.lease.ttl: 45 is no duration; write a string with its"
                + " unit, such as \"45s\""),
        arguments(
            Example.whole(25, "4xx]", "503]"),
            "tenants.yaml:25:26: defaults.outcome.terminal: 503 cannot be terminal, no 5xx can; put"
                + " it under transient or ambiguous"),
        arguments(
            Example.whole(25, "4xx]", "4xx, 503]"),
            "tenants.yaml:25:31: defaults.outcome.terminal: 503 cannot be terminal, no 5xx can; put"
                + " it under transient or ambiguous"));
  }

  private static Stream<Arguments> names() {
    return Stream.of(
        arguments(
            Example.whole(179, "refund-charge", "create-charge"),
            "tenants.yaml:179:13: acme-payments: route id \"create-charge\" is used twice (first at"
                + " 133:13); give this route an id of its own"),
        arguments(
            Example.whole(
                206, "header: { name: X-Tenant, value: globex }", "host: pay.acme.example"),
            "tenants.yaml:206:9: globex-orders match: host pay.acme.example also fits acme-payments"
                + " (70:9) with nothing to tell them apart; use another host, or add pathPrefix or"
                + " header to one"),
        arguments(
            Example.whole(240, "[PATCH]", "[PUT]").and(240, "{orderId}", "{id}"),
            "tenants.yaml:240:40: globex-orders/patch-order match: PUT /orders/{id} is always taken"
                + " by put-order (231:48); move this route up, or change its methods or path"),
        arguments(
            Example.whole(220, "path: /orders", "path: /.well-known/idempotency"),
            "tenants.yaml:220:41: globex-orders/place-order match.path: /.well-known/idempotency is"
                + " answered by Oncegate itself; use another path"),
        arguments(
            Example.whole(193, "/v1/disputes/{disputeId}/evidence", "/v1/disputes/{id}/{id}"),
            "tenants.yaml:193:41: acme-payments/upload-evidence match.path: parameter {id} stands"
                + " twice; rename one"),
        arguments(
            Example.whole(210, "127.0.0.1:9000", "127.0.0.1:8080"),
            "tenants.yaml:210:16: globex-orders upstream.baseUrl: http://127.0.0.1:8080 is this"
                + " gateway's own address; name the tenant's API"));
  }

  private static Stream<Arguments> upstreams() {
    return Stream.of(
        arguments(
            Example.whole(207, "10.20.0.0/16", "10.20.0.7/16"),
            "tenants.yaml:207:21: globex-orders match: 10.20.0.7/16 has host bits; write"
                + " 10.20.0.0/16 or 10.20.0.7/32"),
        arguments(
            Example.whole(109, "verifyHost: true", "verifyHost: false"),
            "tenants.yaml:109:21: warning: acme-payments upstream.tls.verifyHost: false accepts any"
                + " server; use true, with ca and serverName"));
  }

  private static Stream<Arguments> keys() {
    return Stream.of(
        arguments(
            Example.whole(222, "X-Request-Id", "X-Client-Id"),
            "tenants.yaml:222:24: globex-orders/place-order key.header: X-Client-Id already names"
                + " the principal (208:26); use a header of its own, such as Idempotency-Key"),
        arguments(
            Example.whole(140, "/merchant_reference, ", ""),
            "tenants.yaml:148:19: acme-payments/create-charge businessReference.parts:"
                + " body:/merchant_reference is not in fingerprint.body.include (140:22); add"
                + " /merchant_reference there"),
        arguments(
            Example.whole(228, "body:/region", "query.region"),
            "tenants.yaml:228:38: globex-orders/place-order businessReference.parts: query.region"
                + " does not count, fingerprint.query is none (225:18); write \"query: [region]\""
                + " there, or all"),
        arguments(
            Example.whole(228, "body:/region", "path.region"),
            "tenants.yaml:228:38: globex-orders/place-order businessReference.parts: path.region is"
                + " no parameter of /orders (220:41); write {region} there, or use body:/region"),
        arguments(
            Example.whole(155, "derived", "client").and(156, "secret:", "x-secret:"),
            "tenants.yaml:155:18: warning: acme-payments/create-charge upstreamKey.value: client"
                + " sends equal keys of two principals (82:7) as one; use derived"),
        arguments(
            Example.whole(20, "query: all", "body: { exclude: [/sentAt] }")
                .and(183, "[/amount, /reason]", "[/amount, /reason], exclude: []")
                .and(196, "raw: true", "raw: true, exclude: []"),
            "tenants.yaml:140:13: acme-payments/create-charge fingerprint.body: include meets"
                + " exclude [/sentAt] of defaults (20:22); add \"exclude: []\" here to take it"
                + " back"),
        arguments(
            Example.whole(141, "/currency", "/curency"),
            "tenants.yaml:141:19: acme-payments/create-charge fingerprint.case: /curency is not in"
                + " include (140:22); did you mean /currency?"),
        arguments(
            Example.whole(183, "[Acme-Version]", "[Authorization]"),
            "tenants.yaml:183:90: acme-payments/refund-charge fingerprint.headers: Authorization"
                + " changes while a client retries, and each change would be 422; leave it out, the"
                + " principal already separates callers"));
  }

  private static Stream<Arguments> outcomes() {
    return Stream.of(
        arguments(
            Example.whole(227, ", 5xx]", "]"),
            "tenants.yaml:227:31: globex-orders/place-order outcome: 5xx is in no list, since this"
                + " one replaces the one of defaults (26:16); add 5xx to transient or ambiguous"),
        arguments(
            Example.whole(143, "[500,", "[429, 500,"),
            "tenants.yaml:143:23: acme-payments/create-charge outcome: 429 is ambiguous here and"
                + " transient in defaults (26:42); write \"transient: [401, 407, 408, 423, 425,"
                + " 5xx]\" here as well"),
        arguments(
            Example.whole(227, "[401,", "[202,"),
            "tenants.yaml:227:32: warning: globex-orders/place-order outcome.transient: after a 202"
                + " the next try executes again; put 202 under ambiguous, or leave it terminal"),
        arguments(
            Example.whole(143, "[500, 502, 504]", "[500]"),
            "tenants.yaml:143:22: warning: acme-payments/create-charge outcome.ambiguous: this list"
                + " leaves 502 and 504 to 5xx under transient (26:47), though a gateway that got no"
                + " answer says nothing about the effect; name them here, or under transient if"
                + " that is meant"));
  }

  private static Stream<Arguments> probes() {
    String key = "upstreamKey: { header: Idempotency-Key, value: derived }";
    return Stream.of(
        arguments(
            Example.whole(28, "auto", "probe"),
            "tenants.yaml:28:18: defaults.outcome.onAmbiguous: probe reaches"
                + " acme-payments/upload-evidence (192:13) and 3 more routes, which have no probe;"
                + " add one there, or use onAmbiguous: auto"),
        arguments(
            Example.whole(28, "auto", "release")
                .and(195, "observe: true", key)
                .and(222, "key: { header: X-Request-Id, required: false }", key)
                .and(233, "deleteGone: remembered", key)
                .and(245, "retention: { humanReplayWindow: 30m }", key),
            "tenants.yaml:28:18: defaults.outcome.onAmbiguous: release reaches globex-orders"
                + " (209:5), whose upstream.honoursKey is false; set it to true if that API"
                + " executes one key once, or use onAmbiguous: auto"),
        arguments(
            Example.whole(161, "{businessReference}", "{merchantReference}"),
            "tenants.yaml:161:19: acme-payments/create-charge probe.request.path:"
                + " {merchantReference} is unknown; known here: {businessReference},"
                + " {upstreamKey}"),
        arguments(
            Example.whole(161, "merchant_reference={businessReference}", "limit=1"),
            "tenants.yaml:161:19: acme-payments/create-charge probe.request.path:"
                + " /v1/charges?limit=1 is the same question for every key; add"
                + " {businessReference} or {upstreamKey}"),
        arguments(
            Example.whole(171, "/data", "/errors"),
            "tenants.yaml:169:11: acme-payments/create-charge probe: a 200 with /data/0 and an"
                + " empty /errors is applied (164:11) and notApplied at once; use emptyArray:"
                + " /data, or other statuses"),
        arguments(
            Example.whole(172, "105s", "45s"),
            "tenants.yaml:172:23: acme-payments/create-charge probe.quarantine: 45s ends before"
                + " upstream.timeouts.abandon 60s (98:18), while the exchange may still be open;"
                + " use 60s or more, or leave it out for 105s"),
        arguments(
            Example.whole(174, "15m", "90s"),
            "tenants.yaml:174:24: acme-payments/create-charge probe.giveUpAfter: 90s ends before"
                + " quarantine 105s (172:23), so nothing could be released; use more than 105s,"
                + " such as 15m"));
  }

  private static Stream<Arguments> times() {
    return Stream.of(
        arguments(
            Example.whole(98, "60s", "20s"),
            "tenants.yaml:98:18: acme-payments upstream.timeouts.abandon: 20s is shorter than total"
                + " 30s (97:16); use 30s or more, or leave it out for 60s"),
        arguments(
            Example.whole(33, "15s", "30s"),
            "tenants.yaml:33:17: defaults.lease.renewEvery: 30s is more than a third of ttl 45s"
                + " (32:10), one slow renewal would lose the claim; use 15s or less, or a ttl of"
                + " 90s or more"),
        arguments(
            Example.whole(32, "45s", "20s").and(33, "15s", "5s"),
            "tenants.yaml:32:10: warning: defaults.lease.ttl: 20s is not longer than"
                + " upstream.timeouts.total 30s of acme-payments (97:16); the claim then lives by"
                + " its renewals alone; more than 30s, such as 45s, survives a missed one"),
        arguments(
            Example.whole(216, "200ms", "20s"),
            "tenants.yaml:216:51: globex-orders/place-order retention.retryBudget: firstBackoff 20s"
                + " is longer than maxBackoff 10s (216:83); use 10s or less, or a larger"
                + " maxBackoff"),
        arguments(
            Example.whole(49, "retryBudget", "x-budget")
                .and(216, "retryBudget", "x-budget")
                .and(245, "humanReplayWindow: 30m", "humanReplayWindow: 30m, retryBudget: {}"),
            "tenants.yaml:215:7: note: globex-orders/place-order retention: no retryBudget on any"
                + " level; assumed: 5 attempts, 500ms doubling to 30s, jitter 0.5, hence 2h 31m 5s."
                + " A client that tries more often or a queue that delivers again later is not"
                + " covered; give retryBudget"),
        arguments(
            Example.whole(237, "10m", "10s"),
            "tenants.yaml:237:18: globex-orders/put-order retention.fixed: 10s is shorter than the"
                + " 31s that the retry budget needs (1.25 x (600ms + 3 x 8s + 0s)); use 31s or"
                + " more, or a smaller budget"),
        arguments(
            Example.whole(57, "refuse ", "forget "),
            "tenants.yaml:146:22: acme-payments/create-charge retention.tombstone: 30d is never"
                + " used, afterExpiry is forget in defaults (57:18); add \"afterExpiry: refuse\""
                + " here, or drop the tombstone"),
        arguments(
            Example.whole(146, "30d", "900d"),
            "tenants.yaml:146:22: warning: acme-payments/create-charge retention.tombstone: 900d is"
                + " more than 400d, and every key used takes a row for as long; use 400d or less,"
                + " or rely on businessReference, which never expires"));
  }

  private static Stream<Arguments> storage() {
    return Stream.of(
        arguments(
            Example.whole(118, "300", "900"),
            "tenants.yaml:118:20: warning: acme-payments quotas.maxInFlight: 900 is more than"
                + " maxConnections 64 + maxWaitQueue 256 (99:7); use 320 or less, or a larger"
                + " pool"),
        arguments(
            Example.whole(47, "true", "false"),
            "tenants.yaml:126:17: warning: acme-payments defaults.privacy.keyset: never used,"
                + " encrypt is false in defaults (47:14); add \"encrypt: true\" here, or drop the"
                + " keyset"),
        arguments(
            Example.whole(198, "64KiB", "4KiB"),
            "tenants.yaml:198:25: acme-payments/upload-evidence capture.max: 4KiB is less than"
                + " capture.inline 8KiB (41:13); use 8KiB or more, or add \"inline: 4KiB\""));
  }
}
