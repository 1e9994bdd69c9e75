package dev.oncegate.tenants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.core.JsonPointer;
import dev.oncegate.core.Reconciliation;
import dev.oncegate.core.Reconciliation.Applied;
import dev.oncegate.core.Reconciliation.NotApplied;
import dev.oncegate.core.Reconciliation.OnAmbiguous;
import dev.oncegate.core.Reconciliation.Probe;
import dev.oncegate.core.Reconciliation.ProbeHeader;
import dev.oncegate.core.Reconciliation.UpstreamKey;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a route does about unknown outcomes, as the example has it. */
class ReconciliationPolicyTest {
  private static final String BARE =
      """
      version: 1
      tenants:
        - id: a
          match: [{ host: a.example }]
          principal: shared
          upstream: { baseUrl: "https://a.example", timeouts: { total: 30s, abandon: 200s } }
          routes:
            - id: r
              match: { methods: [PUT], path: "/r/{id}" }
              mode: idempotency-key
      """;

  private static final String SHORT_PROBE =
      """
              probe:
                request: { path: "/r/{id}", headers: { x-a: "1 2", X-B: "${env:B}" } }
                applied: { status: [200] }
                notApplied: { status: [404] }
                quarantine: 300s
      """;

  private static TenantPolicy tenant(String text, int index) {
    return Reads.loaded(text).tenants().get(index);
  }

  private static RoutePolicy.Protocol protocol(String text, int tenant, int route) {
    return tenant(text, tenant).routes().get(route).protocol();
  }

  private static Reconciliation policy(String text, int tenant, int route) {
    return protocol(text, tenant, route).reconciliation();
  }

  @Test
  void probe_isTakenWhole_withItsSecretsByReference() {
    Reconciliation policy = policy(Example.unchanged().text(), 0, 0);

    assertThat(policy)
        .isEqualTo(
            new Reconciliation(
                OnAmbiguous.PROBE,
                Duration.ofSeconds(105),
                Optional.of(
                    new UpstreamKey(
                        "Idempotency-Key",
                        UpstreamKey.Source.DERIVED,
                        Optional.of("${file:/etc/oncegate/keys/acme-derive}"),
                        Optional.of("X-Fencing-Token"))),
                Optional.of(
                    new Probe(
                        "GET",
                        "/v1/charges?merchant_reference={upstreamKey}",
                        List.of(
                            new ProbeHeader(
                                "Authorization", "${env:ACME_PROBE_AUTHORIZATION}", true)),
                        new Applied(
                            Set.of(200),
                            Optional.of(JsonPointer.compile("/data/0")),
                            201,
                            Optional.of(JsonPointer.compile("/data/0"))),
                        new NotApplied(Set.of(200), Optional.of(JsonPointer.compile("/data"))),
                        Duration.ofSeconds(5),
                        Duration.ofMinutes(15),
                        false))));
  }

  @Test
  void whatAProbeLeavesOut_isBuiltIn_andHeadersMayStartAsNotesDo() {
    Probe probe = policy(BARE + SHORT_PROBE, 0, 0).probe().orElseThrow();

    assertThat(probe)
        .isEqualTo(
            new Probe(
                "GET",
                "/r/{id}",
                List.of(
                    new ProbeHeader("x-a", "1 2", false), new ProbeHeader("X-B", "${env:B}", true)),
                new Applied(Set.of(200), Optional.empty(), 200, Optional.empty()),
                new NotApplied(Set.of(404), Optional.empty()),
                Duration.ofSeconds(5),
                Duration.ofMinutes(15),
                false));
  }

  @Test
  void routesThatSayNothing_areHeld_withTheBuiltInQuarantine() {
    Reconciliation policy = policy(Example.unchanged().text(), 1, 0);

    assertThat(policy).isEqualTo(Reconciliation.hold(Duration.ofSeconds(61)));
    assertThat(policy.way(true)).isEqualTo(Reconciliation.Way.HOLD);
  }

  @Test
  void quarantineOfARouteWithoutProbe_coversTheOpenExchange() {
    assertThat(policy(BARE, 0, 0).quarantine()).isEqualTo(Duration.ofSeconds(200));
    assertThat(policy(BARE.replace("200s", "100s"), 0, 0).quarantine())
        .isEqualTo(Duration.ofSeconds(105));
  }

  @Test
  void upstreams_sayWhetherTheyHonourKeys_andHowOftenTheyMayBeAsked() {
    String text = Example.unchanged().text();

    assertThat(tenant(text, 0).upstream().honoursKey()).isTrue();
    assertThat(tenant(text, 0).upstream().probesPerSecond()).isEqualTo(10);
    assertThat(tenant(text, 1).upstream().honoursKey()).isFalse();
    assertThat(tenant(text, 1).upstream().probesPerSecond()).isEqualTo(20);
    assertThat(tenant(BARE, 0).upstream().probesPerSecond()).isEqualTo(10);
    assertThat(tenant(BARE + "    quotas: { probesPerSecond: 0.5 }\n", 0).upstream())
        .extracting(TenantPolicy.Upstream::probesPerSecond)
        .isEqualTo(0.5);
  }

  @ParameterizedTest(name = "{1} to {2}")
  @MethodSource("meanings")
  void version_changesWithTheMeaning(int line, String from, String to) {
    String changed = Example.with(line, from, to).text();

    assertThat(protocol(changed, 0, 0).version())
        .isNotEqualTo(protocol(Example.unchanged().text(), 0, 0).version());
    assertThat(protocol(changed, 1, 0).version())
        .isEqualTo(protocol(Example.unchanged().text(), 1, 0).version());
  }

  static Stream<Arguments> meanings() {
    return Stream.of(
        arguments(144, "probe", "auto"),
        arguments(154, "Idempotency-Key", "X-Key"),
        arguments(156, "acme-derive", "acme-other"),
        arguments(157, "tokenHeader", "x-token"),
        arguments(157, "X-Fencing-Token", "X-Token"),
        arguments(161, "/v1/charges?", "/v2/charges?"),
        arguments(163, "Authorization", "X-Auth"),
        arguments(163, "ACME_PROBE_AUTHORIZATION", "OTHER"),
        arguments(165, "[200]", "[200, 201]"),
        arguments(166, "/data/0", "/data/1"),
        arguments(167, "201", "200"),
        arguments(168, "/data/0", "/data/1"),
        arguments(170, "[200]", "[200, 404]"),
        arguments(172, "105s", "106s"),
        arguments(173, "5s", "6s"),
        arguments(174, "15m", "16m"),
        arguments(175, "false", "true"));
  }

  @ParameterizedTest(name = "{1} to {2}")
  @MethodSource("spellings")
  void version_isStableUnderSpelling(int line, String from, String to) {
    assertThat(protocol(Example.with(line, from, to).text(), 0, 0).version())
        .isEqualTo(protocol(Example.unchanged().text(), 0, 0).version());
  }

  static Stream<Arguments> spellings() {
    return Stream.of(
        arguments(154, "Idempotency-Key", "idempotency-key"),
        arguments(163, "Authorization:", "authorization:"),
        arguments(172, "quarantine", "x-quarantine"),
        arguments(173, "5s", "5000ms"),
        arguments(174, "giveUpAfter", "x-give"));
  }
}
