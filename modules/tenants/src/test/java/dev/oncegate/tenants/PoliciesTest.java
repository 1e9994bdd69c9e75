package dev.oncegate.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.oncegate.core.FingerprintPolicy;
import dev.oncegate.core.Outcome;
import dev.oncegate.core.Retention;
import dev.oncegate.core.RoutePolicy;
import dev.oncegate.core.TenantPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the supported part of the example means. */
class PoliciesTest {
  private static final TenantsLoader.Loaded EXAMPLE = Reads.loaded(Example.unchanged().text());

  private static TenantPolicy tenant(TenantsLoader.Loaded loaded, String id) {
    return loaded.tenants().stream().filter(t -> t.id().equals(id)).findFirst().orElseThrow();
  }

  private static RoutePolicy route(TenantsLoader.Loaded loaded, String tenant, String route) {
    return tenant(loaded, tenant).routes().stream()
        .filter(r -> r.id().equals(route))
        .findFirst()
        .orElseThrow();
  }

  private static RoutePolicy.Protocol protocol(String tenant, String route) {
    return route(EXAMPLE, tenant, route).protocol();
  }

  @Test
  void example_hasNoRemarks() {
    assertThat(EXAMPLE.remarks()).isEmpty();
  }

  @Test
  void retention_isDerivedAsTheExampleSays() {
    assertThat(protocol("acme-payments", "create-charge").retention())
        .isEqualTo(new Retention(Duration.ofHours(30).plusMinutes(7), Duration.ofDays(30)));
    assertThat(protocol("acme-payments", "refund-charge").retention().retention())
        .isEqualTo(Duration.ofHours(90).plusMinutes(7));
    assertThat(protocol("globex-orders", "place-order").retention().retention())
        .isEqualTo(Duration.ofHours(2).plusMinutes(30).plusSeconds(44));
    assertThat(protocol("globex-orders", "patch-order").retention().retention())
        .isEqualTo(Duration.ofMinutes(38).plusSeconds(14));
    assertThat(protocol("globex-orders", "put-order").retention())
        .isEqualTo(new Retention(Duration.ofMinutes(10), Duration.ofMinutes(10)));
  }

  @Test
  void matches_carryHostPrefixAndApiKeys() {
    List<TenantPolicy.Match> matches = tenant(EXAMPLE, "acme-payments").matches();

    assertThat(matches.get(0).host()).contains("pay.acme.example");
    assertThat(matches.get(0).apiKey()).isEmpty();
    assertThat(matches.get(1).pathPrefix()).contains("/t/acme");
    assertThat(matches.get(1).stripPrefix()).isTrue();
    TenantPolicy.ApiKeys keys = matches.get(1).apiKey().orElseThrow();
    assertThat(keys.header()).isEqualTo("X-Acme-Key");
    assertThat(keys.digests()).containsOnlyKeys("checkout");
    assertThat(keys.digests().get("checkout")).hasSize(2).allMatch(d -> d.length() == 32);
  }

  @Test
  void prefixOfNoSegments_isEmpty() {
    TenantsLoader.Loaded loaded =
        Reads.loaded(Example.with(206, "host: globex.example", "pathPrefix: /").text());

    assertThat(tenant(loaded, "globex-orders").matches().get(0).pathPrefix()).contains("");
  }

  @Test
  void upstreams_haveHostPortAndPath() {
    TenantPolicy.Upstream acme = tenant(EXAMPLE, "acme-payments").upstream();
    TenantPolicy.Upstream globex = tenant(EXAMPLE, "globex-orders").upstream();

    assertThat(acme.tls()).isTrue();
    assertThat(acme.host()).isEqualTo("payments.acme.svc.cluster.local");
    assertThat(acme.port()).isEqualTo(8443);
    assertThat(acme.basePath()).isEqualTo("/api");
    assertThat(acme.timeouts().firstByte()).isEqualTo(Duration.ofSeconds(20));
    assertThat(globex.timeouts())
        .isEqualTo(
            new TenantPolicy.Timeouts(
                Duration.ofMillis(500),
                Duration.ofMillis(500),
                Duration.ofSeconds(8),
                Duration.ofSeconds(16)));
  }

  @Test
  void upstreamTls_hasPathsAndTheResolvedKey() {
    TenantPolicy.TlsSettings tls =
        tenant(EXAMPLE, "acme-payments").upstream().tlsSettings().orElseThrow();

    assertThat(tls.ca()).contains("/etc/oncegate/tls/acme-ca.pem");
    assertThat(tls.client().orElseThrow().certificate()).isEqualTo("/etc/oncegate/tls/acme.crt");
    assertThat(tls.client().orElseThrow().key()).startsWith("-----BEGIN PRIVATE KEY-----");
    assertThat(tls.client().toString()).doesNotContain("BEGIN");
    assertThat(tls.serverName()).contains("payments.acme.internal");
    assertThat(tls.verifyHost()).isTrue();
    assertThat(tenant(EXAMPLE, "globex-orders").upstream().tlsSettings()).isEmpty();
  }

  @Test
  void http2_reachesThePool() {
    TenantsLoader.Loaded loaded =
        Reads.loaded(Example.with(103, "http2: false", "http2: true").text());

    assertThat(tenant(loaded, "acme-payments").upstream().pool().http2()).isTrue();
    assertThat(tenant(EXAMPLE, "acme-payments").upstream().pool().http2()).isFalse();
  }

  @Test
  void fingerprints_areThoseOfTheRoutes() {
    FingerprintPolicy charge = protocol("acme-payments", "create-charge").fingerprint();
    FingerprintPolicy order = protocol("globex-orders", "place-order").fingerprint();

    assertThat(charge.body())
        .isEqualTo(
            new FingerprintPolicy.BodySelection.Include(
                List.of(
                    JsonPointer.compile("/merchant_reference"),
                    JsonPointer.compile("/amount"),
                    JsonPointer.compile("/currency"),
                    JsonPointer.compile("/source"),
                    JsonPointer.compile("/capture"))));
    assertThat(charge.letterCase())
        .isEqualTo(Map.of(JsonPointer.compile("/currency"), FingerprintPolicy.LetterCase.UPPER));
    assertThat(order.query()).isEqualTo(new FingerprintPolicy.QuerySelection.None());
    assertThat(order.strings()).isEqualTo(FingerprintPolicy.Strings.NFC);
    assertThat(protocol("acme-payments", "refund-charge").fingerprint().query())
        .isEqualTo(new FingerprintPolicy.QuerySelection.Names(List.of("expand")));
    assertThat(protocol("acme-payments", "upload-evidence").fingerprint().body())
        .isEqualTo(new FingerprintPolicy.BodySelection.Raw());
  }

  @Test
  void outcomes_listsReplaceAndExactCodesBeatClasses() {
    assertThat(protocol("acme-payments", "create-charge").outcome().of(500))
        .isEqualTo(Outcome.AMBIGUOUS);
    assertThat(protocol("acme-payments", "create-charge").outcome().of(503))
        .isEqualTo(Outcome.TRANSIENT);
    assertThat(protocol("globex-orders", "place-order").outcome().of(409))
        .isEqualTo(Outcome.TRANSIENT);
    assertThat(protocol("globex-orders", "place-order").outcome().of(404))
        .isEqualTo(Outcome.TERMINAL);
  }

  @Test
  void otherSettings_reachTheProtocol() {
    assertThat(protocol("acme-payments", "refund-charge").key().syntax())
        .isEqualTo(RoutePolicy.KeyPolicy.Syntax.STRICT);
    assertThat(protocol("globex-orders", "place-order").key())
        .isEqualTo(
            new RoutePolicy.KeyPolicy(
                "X-Request-Id", false, RoutePolicy.KeyPolicy.Syntax.LENIENT, 255));
    assertThat(protocol("acme-payments", "upload-evidence").maxRequest()).isEqualTo(20L << 20);
    assertThat(protocol("acme-payments", "upload-evidence").capture())
        .isEqualTo(new RoutePolicy.Capture(8 << 10, 64 << 10));
    assertThat(protocol("acme-payments", "create-charge").neverStore())
        .containsExactly("X-Request-Cost", "X-Acme-Trace-*");
    assertThat(tenant(EXAMPLE, "acme-payments").unmatched())
        .isEqualTo(TenantPolicy.Unmatched.REFUSE);
    assertThat(tenant(EXAMPLE, "globex-orders").unmatched()).isEqualTo(TenantPolicy.Unmatched.SAFE);
    assertThat(route(EXAMPLE, "globex-orders", "rest").mode())
        .isEqualTo(RoutePolicy.Mode.PASSTHROUGH);
    assertThat(route(EXAMPLE, "globex-orders", "rest").methods()).isEmpty();
  }

  @Test
  void park_isThatOfTheStrongestLevel() {
    assertThat(route(EXAMPLE, "acme-payments", "create-charge").park())
        .isEqualTo(RoutePolicy.Park.BUILT_IN);
    assertThat(route(EXAMPLE, "globex-orders", "place-order").park())
        .isEqualTo(new RoutePolicy.Park(Duration.ofSeconds(5), 100, 500));

    Example narrower =
        Example.with(36, "100", "7")
            .instead(195, "        park: { maxWait: 0s, maxWaitersPerKey: 0 }");
    TenantsLoader.Loaded loaded = Reads.loaded(narrower.text());
    assertThat(route(loaded, "acme-payments", "upload-evidence").park())
        .isEqualTo(new RoutePolicy.Park(Duration.ZERO, 0, 2000));
    assertThat(route(loaded, "acme-payments", "create-charge").park())
        .isEqualTo(new RoutePolicy.Park(Duration.ofSeconds(10), 7, 2000));
    assertThat(route(loaded, "globex-orders", "place-order").park())
        .isEqualTo(new RoutePolicy.Park(Duration.ofSeconds(5), 7, 500));
  }

  @Test
  void parkThatNobodyWrote_isBuiltInAsTheSchemaSays() throws IOException {
    JsonNode schema =
        new ObjectMapper()
            .readTree(Reads.resource("/dev/oncegate/tenants/tenants.schema.json"))
            .at("/definitions/park/properties");
    RoutePolicy.Park promised =
        new RoutePolicy.Park(
            Units.duration(schema.at("/maxWait/default").asText()),
            schema.at("/maxWaitersPerKey/default").asInt(),
            schema.at("/maxWaitersPerTenant/default").asInt());
    assertThat(RoutePolicy.Park.BUILT_IN).isEqualTo(promised);
    Example silent = Example.with(34, "park:", "x-park:").and(214, "park:", "x-park:");

    assertThat(Reads.loaded(silent.text()).tenants())
        .flatExtracting(TenantPolicy::routes)
        .extracting(RoutePolicy::park)
        .containsOnly(promised);
  }

  @Test
  void forget_leavesNoTombstone() {
    TenantsLoader.Loaded loaded =
        Reads.loaded(Example.with(146, "tombstone: 30d", "afterExpiry: forget").text());

    assertThat(route(loaded, "acme-payments", "create-charge").protocol().retention().tombstone())
        .isZero();
  }

  @Test
  void c53_noPrincipalWritten_isTheApiKey_whereEveryWayInHasOne() {
    String keyed =
        """
        version: 1
        tenants:
          - id: keyed
            match:
              - host: a.example
                apiKey: { keys: [{ id: web, sha256: ["${env:K}"] }] }
            upstream: { baseUrl: "https://api.example" }
            routes:
              - { id: r, match: { methods: [POST], path: /r }, mode: idempotency-key }
        """;

    TenantPolicy tenant = Reads.loaded(keyed).tenants().get(0);

    assertThat(tenant.principal()).isEqualTo(TenantPolicy.Principal.API_KEY);
    assertThat(tenant.matches().get(0).apiKey().orElseThrow().header()).isEqualTo("X-Api-Key");
    assertThat(tenant.upstream().port()).isEqualTo(443);
    assertThat(Reads.loaded(keyed).remarks())
        .extracting(Finding::toString)
        .containsExactly(
            "tenants.yaml:9:9: note: keyed/r retention: no humanReplayWindow on any level; assumed:"
                + " 24h, hence 30h 3m 22s. A person who sends the request again later is not"
                + " covered; give humanReplayWindow",
            "tenants.yaml:9:9: note: keyed/r retention: no retryBudget on any level; assumed: 5"
                + " attempts, 500ms doubling to 30s, jitter 0.5, hence 30h 3m 22s. A client that"
                + " tries more often or a queue that delivers again later is not covered; give"
                + " retryBudget");
  }

  @Test
  void version_isStable_underOrderAndSpelling_andChangesWithMeaning() {
    String version = protocol("globex-orders", "place-order").version();

    assertThat(version).matches("[0-9a-f]{32}");
    assertThat(versionWith(227, "401, 407", "407, 401")).isEqualTo(version);
    assertThat(versionWith(32, "45s", "45000ms")).isEqualTo(version);
    assertThat(versionWith(224, "[/sentAt, /trace]", "[/trace, /sentAt]")).isEqualTo(version);
    assertThat(versionWith(222, "X-Request-Id", "x-request-id")).isEqualTo(version);
    assertThat(versionWith(227, "401, 407", "407")).isNotEqualTo(version);
    assertThat(versionWith(224, "/trace", "/tracf")).isNotEqualTo(version);
    assertThat(versionWith(226, "nfc", "as-is")).isNotEqualTo(version);
    assertThat(versionWith(217, "2h", "3h")).isNotEqualTo(version);
    assertThat(versionWith(47, "true", "false")).isNotEqualTo(version);
  }

  @Test
  void version_isNotThatOfPark() {
    String version = protocol("globex-orders", "place-order").version();

    assertThat(versionWith(36, "100", "50")).isEqualTo(version);
    assertThat(versionWith(214, "{ maxWait: 5s, maxWaitersPerTenant: 500 }", "{ maxWait: 0s }"))
        .isEqualTo(version);
  }

  private static String versionWith(int line, String from, String to) {
    return route(Reads.loaded(Example.with(line, from, to).text()), "globex-orders", "place-order")
        .protocol()
        .version();
  }
}
