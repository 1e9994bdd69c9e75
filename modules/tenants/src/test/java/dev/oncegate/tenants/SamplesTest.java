package dev.oncegate.tenants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The samples of tenants-checks.md that concern what is supported, word for word. */
class SamplesTest {
  @ParameterizedTest(name = "{1}")
  @MethodSource("samples")
  void sample_givesExactlyItsFinding(Example changed, String finding) {
    assertThat(changed.findings()).containsExactly(finding);
  }

  static Stream<Arguments> samples() {
    return Stream.of(yamlAndSchema(), names(), upstreams(), keys(), outcomes(), times(), storage())
        .flatMap(samples -> samples);
  }

  private static Stream<Arguments> yamlAndSchema() {
    return Stream.of(
        arguments(
            Example.with(33, "renewEvery: 15s", "ttl: 15s"),
            "tenants.yaml:33:5: defaults.lease: key \"ttl\" stands twice (first at 32:5); remove"
                + " one"),
        arguments(
            Example.with(138, "fingerprint", "fingreprint"),
            "tenants.yaml:138:9: acme-payments/create-charge: unknown key \"fingreprint\"; did you"
                + " mean \"fingerprint\"?"),
        arguments(
            Example.with(32, "45s", "45"),
            "tenants.yaml:32:10: defaults.lease.ttl: 45 is no duration; write a string with its"
                + " unit, such as \"45s\""),
        arguments(
            Example.with(25, "4xx]", "503]"),
            "tenants.yaml:25:26: defaults.outcome.terminal: 503 cannot be terminal, no 5xx can; put"
                + " it under transient or ambiguous"),
        arguments(
            Example.with(25, "4xx]", "4xx, 503]"),
            "tenants.yaml:25:31: defaults.outcome.terminal: 503 cannot be terminal, no 5xx can; put"
                + " it under transient or ambiguous"));
  }

  private static Stream<Arguments> names() {
    return Stream.of(
        arguments(
            Example.with(179, "refund-charge", "create-charge"),
            "tenants.yaml:179:13: acme-payments: route id \"create-charge\" is used twice (first at"
                + " 133:13); give this route an id of its own"),
        arguments(
            Example.with(206, "globex.example", "pay.acme.example"),
            "tenants.yaml:206:9: globex-orders match: host pay.acme.example also fits acme-payments"
                + " (70:9) with nothing to tell them apart; use another host, or add pathPrefix or"
                + " header to one"),
        arguments(
            Example.with(240, "[PATCH]", "[PUT]").and(240, "{orderId}", "{id}"),
            "tenants.yaml:240:40: globex-orders/patch-order match: PUT /orders/{id} is always taken"
                + " by put-order (231:48); move this route up, or change its methods or path"),
        arguments(
            Example.with(220, "path: /orders", "path: /.well-known/idempotency"),
            "tenants.yaml:220:41: globex-orders/place-order match.path: /.well-known/idempotency is"
                + " answered by Oncegate itself; use another path"),
        arguments(
            Example.with(193, "/v1/disputes/{disputeId}/evidence", "/v1/disputes/{id}/{id}"),
            "tenants.yaml:193:41: acme-payments/upload-evidence match.path: parameter {id} stands"
                + " twice; rename one"),
        arguments(
            Example.with(210, "127.0.0.1:9000", "127.0.0.1:8080"),
            "tenants.yaml:210:16: globex-orders upstream.baseUrl: http://127.0.0.1:8080 is this"
                + " gateway's own address; name the tenant's API"));
  }

  private static Stream<Arguments> upstreams() {
    return Stream.of(
        arguments(
            Example.with(109, "verifyHost: true", "verifyHost: false"),
            "tenants.yaml:109:21: warning: acme-payments upstream.tls.verifyHost: false accepts any"
                + " server; use true, with ca and serverName"));
  }

  private static Stream<Arguments> keys() {
    return Stream.of(
        arguments(
            Example.with(20, "query: all", "body: { exclude: [/sentAt] }")
                .and(183, "[/amount, /reason]", "[/amount, /reason], exclude: []")
                .and(196, "raw: true", "raw: true, exclude: []"),
            "tenants.yaml:140:13: acme-payments/create-charge fingerprint.body: include meets"
                + " exclude [/sentAt] of defaults (20:22); add \"exclude: []\" here to take it"
                + " back"),
        arguments(
            Example.with(141, "/currency", "/curency"),
            "tenants.yaml:141:19: acme-payments/create-charge fingerprint.case: /curency is not in"
                + " include (140:22); did you mean /currency?"),
        arguments(
            Example.with(183, "[Acme-Version]", "[Authorization]"),
            "tenants.yaml:183:90: acme-payments/refund-charge fingerprint.headers: Authorization"
                + " changes while a client retries, and each change would be 422; leave it out, the"
                + " principal already separates callers"));
  }

  private static Stream<Arguments> outcomes() {
    return Stream.of(
        arguments(
            Example.with(227, ", 5xx]", "]"),
            "tenants.yaml:227:31: globex-orders/place-order outcome: 5xx is in no list, since this"
                + " one replaces the one of defaults (26:16); add 5xx to transient or ambiguous"),
        arguments(
            Example.with(143, "[500,", "[429, 500,"),
            "tenants.yaml:143:23: acme-payments/create-charge outcome: 429 is ambiguous here and"
                + " transient in defaults (26:42); write \"transient: [401, 407, 408, 423, 425,"
                + " 5xx]\" here as well"),
        arguments(
            Example.with(227, "[401,", "[202,"),
            "tenants.yaml:227:32: warning: globex-orders/place-order outcome.transient: after a 202"
                + " the next try executes again; put 202 under ambiguous, or leave it terminal"),
        arguments(
            Example.with(143, "[500, 502, 504]", "[500]"),
            "tenants.yaml:143:22: warning: acme-payments/create-charge outcome.ambiguous: this list"
                + " leaves 502 and 504 to 5xx under transient (26:47), though a gateway that got no"
                + " answer says nothing about the effect; name them here, or under transient if"
                + " that is meant"));
  }

  private static Stream<Arguments> times() {
    return Stream.of(
        arguments(
            Example.with(98, "60s", "20s"),
            "tenants.yaml:98:18: acme-payments upstream.timeouts.abandon: 20s is shorter than total"
                + " 30s (97:16); use 30s or more, or leave it out for 60s"),
        arguments(
            Example.with(33, "15s", "30s"),
            "tenants.yaml:33:17: defaults.lease.renewEvery: 30s is more than a third of ttl 45s"
                + " (32:10), one slow renewal would lose the claim; use 15s or less, or a ttl of"
                + " 90s or more"),
        arguments(
            Example.with(32, "45s", "20s").and(33, "15s", "5s"),
            "tenants.yaml:32:10: warning: defaults.lease.ttl: 20s is not longer than"
                + " upstream.timeouts.total 30s of acme-payments (97:16); the claim then lives by"
                + " its renewals alone; more than 30s, such as 45s, survives a missed one"),
        arguments(
            Example.with(216, "200ms", "20s"),
            "tenants.yaml:216:51: globex-orders/place-order retention.retryBudget: firstBackoff 20s"
                + " is longer than maxBackoff 10s (216:83); use 10s or less, or a larger"
                + " maxBackoff"),
        arguments(
            Example.with(49, "retryBudget", "x-budget")
                .and(216, "retryBudget", "x-budget")
                .and(245, "humanReplayWindow: 30m", "humanReplayWindow: 30m, retryBudget: {}"),
            "tenants.yaml:215:7: note: globex-orders/place-order retention: no retryBudget on any"
                + " level; assumed: 5 attempts, 500ms doubling to 30s, jitter 0.5, hence 2h 31m 5s."
                + " A client that tries more often or a queue that delivers again later is not"
                + " covered; give retryBudget"),
        arguments(
            Example.with(237, "10m", "10s"),
            "tenants.yaml:237:18: globex-orders/put-order retention.fixed: 10s is shorter than the"
                + " 31s that the retry budget needs (1.25 x (600ms + 3 x 8s + 0s)); use 31s or"
                + " more, or a smaller budget"),
        arguments(
            Example.with(57, "refuse ", "forget "),
            "tenants.yaml:146:22: acme-payments/create-charge retention.tombstone: 30d is never"
                + " used, afterExpiry is forget in defaults (57:18); add \"afterExpiry: refuse\""
                + " here, or drop the tombstone"),
        arguments(
            Example.with(146, "30d", "900d"),
            "tenants.yaml:146:22: warning: acme-payments/create-charge retention.tombstone: 900d is"
                + " more than 400d, and every key used takes a row for as long; use 400d or less,"
                + " or rely on businessReference, which never expires"));
  }

  private static Stream<Arguments> storage() {
    return Stream.of(
        arguments(
            Example.with(198, "64KiB", "4KiB"),
            "tenants.yaml:198:25: acme-payments/upload-evidence capture.max: 4KiB is less than"
                + " capture.inline 8KiB (41:13); use 8KiB or more, or add \"inline: 4KiB\""));
  }
}
