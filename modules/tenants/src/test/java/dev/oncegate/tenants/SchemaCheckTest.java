package dev.oncegate.tenants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One fault of the shape is one finding, at its place, in words. */
class SchemaCheckTest {
  @ParameterizedTest(name = "{1}")
  @MethodSource({"keys", "values", "rules"})
  void fault_givesExactlyOneFinding(Example changed, String finding) {
    assertThat(changed.findings()).containsExactly("tenants.yaml:" + finding);
  }

  static Stream<Arguments> keys() {
    return Stream.of(
        arguments(
            Example.with(11, "version", "verzion"),
            "11:1: unknown key \"verzion\"; did you mean \"version\"?"),
        arguments(
            Example.with(31, "lease:", "leese:"),
            "31:3: defaults: unknown key \"leese\"; did you mean \"lease\"?"),
        arguments(
            Example.with(32, "ttl", "tll"),
            "32:5: defaults.lease: unknown key \"tll\"; did you mean \"ttl\"?"),
        arguments(
            Example.with(64, "displayName", "title"),
            "64:5: acme-payments: unknown key \"title\"; remove it, or begin it with x- if it is a"
                + " note"),
        arguments(
            Example.with(72, "stripPrefix", "stripPrefx"),
            "72:9: acme-payments match: unknown key \"stripPrefx\"; did you mean \"stripPrefix\"?"),
        arguments(
            Example.with(97, "total", "totl"),
            "97:9: acme-payments upstream.timeouts: unknown key \"totl\"; did you mean \"total\"?"),
        arguments(
            Example.with(128, "maxBackoff", "maxBackof"),
            "128:37: acme-payments defaults.retention.retryBudget: unknown key \"maxBackof\"; did"
                + " you mean \"maxBackoff\"?"),
        arguments(
            Example.with(221, "mode", "moode"),
            "221:9: globex-orders/place-order: unknown key \"moode\"; did you mean \"mode\"?"),
        arguments(
            Example.with(226, "strings", "<<: {}\n          strings"),
            "226:11: globex-orders/place-order fingerprint: unknown key \"<<\"; YAML 1.2 merges no"
                + " maps, write the keys out"),
        arguments(
            Example.with(220, "methods: [POST], ", ""),
            "220:9: globex-orders/place-order match: key \"methods\" is missing; add it"));
  }

  static Stream<Arguments> values() {
    return Stream.of(
        arguments(
            Example.with(11, "1", "2"),
            "11:10: version: format version 2 is unknown; write version: 1"),
        arguments(
            Example.with(32, "45s", "0644"),
            "32:10: defaults.lease.ttl: \"0644\" is no duration; write a string with its unit, such"
                + " as \"30s\""),
        arguments(
            Example.with(32, "45s", "1:30"),
            "32:10: defaults.lease.ttl: \"1:30\" is no duration; write a string with its unit, such"
                + " as \"30s\""),
        arguments(
            Example.with(32, "45s", "\"45s\\n\""),
            "32:10: defaults.lease.ttl: \"45s\\u000a\" is no duration; write a string with its"
                + " unit, such as \"30s\""),
        arguments(
            Example.with(32, "45s", "0s"),
            "32:10: defaults.lease.ttl: \"0s\" is no time at all; write more than zero, such as"
                + " \"1s\""),
        arguments(
            Example.with(32, "45s", ""),
            "32:9: defaults.lease.ttl: nothing stands here; write a value, or remove the key"),
        arguments(
            Example.with(47, "true", "NO"),
            "47:14: defaults.privacy.encrypt: \"NO\" is neither true nor false; write one of them"),
        arguments(
            Example.with(41, "8KiB", "8192"),
            "41:13: defaults.capture.inline: 8192 is no size; write a string with its unit, such as"
                + " \"8192B\""),
        arguments(
            Example.with(50, "5 ", "0 "),
            "50:17: defaults.retention.retryBudget.attempts: 0 is too small; write 1 or more"),
        arguments(
            Example.with(54, "0.5", "2"),
            "54:15: defaults.retention.retryBudget.jitter: 2 is too large; write 1 or less"),
        arguments(
            Example.with(78, "\"${env:ACME_CHECKOUT_KEY_SHA256}\"", "0123456789abcdef"),
            "78:19: acme-payments match.apiKey.keys.sha256: a literal is refused; write ${env:NAME}"
                + " or ${file:/absolute/path}"),
        arguments(
            Example.with(206, "globex.example", "Globex:80"),
            "206:15: globex-orders match.host: \"Globex:80\" is no host; write it in lower case,"
                + " without port"),
        arguments(
            Example.with(218, "routes:", "routes: 5\n    x-routes:"),
            "218:13: globex-orders routes: 5 is no list; write it in [brackets] or with dashes"),
        arguments(
            Example.with(26, "401,", "407,"),
            "26:22: defaults.outcome.transient: 407 stands twice (first at 26:17); remove one"));
  }

  static Stream<Arguments> rules() {
    return Stream.of(
        arguments(
            Example.with(220, "[POST]", "[GET, POST]"),
            "220:28: globex-orders/place-order match.methods: \"GET\" is not for a keyed route;"
                + " give it a route with mode: passthrough"),
        arguments(
            Example.with(202, "passthrough ", "passthrough\n        key: { headr: X } "),
            "203:9: acme-payments/read-anything key: a passthrough route has no key protocol;"
                + " remove key, or use another mode"),
        arguments(
            Example.with(221, "idempotency-key", "idempotent"),
            "221:15: globex-orders/place-order mode: \"idempotent\" is not possible here; write"
                + " idempotency-key, natural, conditional or passthrough"),
        arguments(
            Example.with(146, "tombstone: 30d", "tombstone: 30d\n          afterExpiry: forget"),
            "146:11: acme-payments/create-charge retention.tombstone: a forgotten key leaves no"
                + " tombstone; remove it, or use afterExpiry: refuse"),
        arguments(
            Example.with(196, "raw: true", "raw: true, include: [/a]"),
            "196:52: acme-payments/upload-evidence fingerprint.body.include: include, exclude and"
                + " raw exclude each other; keep one of them, or empty the other list"),
        arguments(
            Example.with(208, "shared", "share"),
            "208:16: globex-orders principal: \"share\" is no principal; write shared or apiKey"),
        arguments(
            Example.with(208, "shared", "{ jwt: { jwk: x } }"),
            "208:25: globex-orders principal.jwt: unknown key \"jwk\"; did you mean \"jwks\"?"),
        arguments(
            Example.with(208, "principal", "principle"),
            "208:5: globex-orders: unknown key \"principle\"; did you mean \"principal\"?"),
        arguments(
            Example.with(208, "shared", "apiKey"),
            "206:9: globex-orders match: principal is apiKey and this entry has none; add apiKey,"
                + " or use another principal"));
  }

  @Test
  void c25_aRouteThatMakes503Terminal_isRefused() {
    assertThat(
            Example.with(
                    227,
                    "transient: [401, 407, 408, 409, 423, 425, 429, 5xx]",
                    "terminal: [2xx, 3xx, 4xx, 503]")
                .findings())
        .containsExactly(
            "tenants.yaml:227:46: globex-orders/place-order outcome.terminal: 503 cannot be"
                + " terminal, no 5xx can; put it under transient or ambiguous");
    assertThat(Example.with(25, "2xx", "5xx").findings())
        .containsExactly(
            "tenants.yaml:25:16: defaults.outcome.terminal: 5xx cannot be terminal, no 5xx can; put"
                + " it under transient or ambiguous");
  }

  @Test
  void c53_noPrincipalWritten_isRefused_whereAWayInHasNoApiKey() {
    assertThat(Example.with(208, "    principal: shared", "").findings())
        .containsExactly(
            "tenants.yaml:204:5: globex-orders: no principal, so nobody is said to own a key; write"
                + " \"principal: shared\" for one key space, or give every match entry an apiKey");
  }

  @Test
  void notes_areFreeOnEveryLevel() {
    assertThat(
            Example.with(11, "version", "x-note: [1, { a: b }]\nversion")
                .and(32, "ttl", "x-note: 1\n    ttl")
                .and(72, "stripPrefix", "x-note: 1\n        stripPrefix")
                .and(97, "total", "x-note: 1\n        total")
                .and(221, "mode", "x-note: 1\n        mode")
                .findings())
        .isEmpty();
  }

  @Test
  void valuesFromTheFile_areShownEscapedAndShort() {
    assertThat(Example.with(206, "globex.example", "\"\\e[31m" + "x".repeat(200) + "\"").findings())
        .containsExactly(
            "tenants.yaml:206:15: globex-orders match.host: \"\\u001b[31m"
                + "x".repeat(75)
                + "...\" is no host; write it in lower case, without port");
  }
}
